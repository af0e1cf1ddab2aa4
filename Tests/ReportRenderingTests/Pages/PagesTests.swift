import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct PagesTests {
  @Test func everyTestThatHasMoreToTellThanALineHasAPage() throws {
    let contents = try ordersReport()
    let files = try renderPages(contents, templates: TemplateLibrary())
    let telling = contents.report.tests.count { $0.outcome.isFailure || !$0.issues.isEmpty || $0.isFlaky }
    #expect(files.count { $0.path.hasPrefix("tests/") } == telling)
    #expect(files.map(\.path).contains("index.html") && files.map(\.path).contains("report.css"))
  }

  @Test func everyLinkArrives() throws {
    let contents = try ordersReport()
    let files = try renderPages(contents, templates: TemplateLibrary())
    let evidence = contents.report.tests.flatMap(\.evidence).compactMap(\.path)
    let targets = Set(files.map(\.path) + evidence)
    for file in files where file.path.hasSuffix(".html") {
      for link in Markup(file).tags.compactMap({ $0.attributes["href"] }) where !link.hasPrefix("https://") {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? file.path : resolved(String(parts[0]), from: file.path)
        #expect(targets.contains(target), "\(link) in \(file.path)")
        // A state of the list is no place in the page.
        guard parts.count > 1, !parts[1].contains("="), let page = files.first(where: { $0.path == target })
        else { continue }
        #expect(
          Markup(page).tags.contains { $0.attributes["id"] == String(parts[1]) }, "\(link) in \(file.path)")
      }
    }
  }

  @Test func theIndexLeadsToEveryFailureAndItsPageToItsDatabases() throws {
    let contents = try ordersReport()
    let context = PageContext(contents)
    let files = try renderPages(contents, templates: TemplateLibrary())
    func links(_ path: String) throws -> [String] {
      Markup(try #require(files.first { $0.path == path })).tags.compactMap { $0.attributes["href"] }
    }
    let index = try links("index.html")
    for test in contents.report.tests where test.outcome.isFailure {
      let page = try #require(context.names.path(of: test))
      #expect(index.contains(page))
      let onPage = try links(page)
      for path in test.evidence.filter({ $0.kind == .database }).compactMap(\.path) {
        #expect(onPage.contains("../" + path))
      }
    }
  }

  @Test func theIndexHoldsThePageOfTheFirstFailure() throws {
    let contents = try ordersReport()
    let files = try renderPages(contents, templates: TemplateLibrary())
    let index = try #require(files.first { $0.path == "index.html" })
    let text = String(decoding: index.contents, as: UTF8.self)
    let first = try #require(PageContext(contents).failures.first)
    let part = try #require(
      text.firstMatch(of: /(?s)<article class="part" id="first" .*?<div class="verdict/))
    #expect(part.0.contains("<h1><bdi>\(first.title)</bdi>"))
    for tag in Markup(index).tags {
      guard let link = tag.attributes["href"], link.hasPrefix("#first") else { continue }
      #expect(Markup(index).tags.contains { "#" + ($0.attributes["id"] ?? "") == link }, "\(link)")
    }
  }

  /// The part of the index that is a page of its own begins anew.
  @Test func headingsAreInOrder() throws {
    for file in try renderPages(ordersReport(), templates: TemplateLibrary())
    where file.path.hasSuffix(".html") {
      let levels = Markup(file).tags.compactMap { $0.name.wholeMatch(of: /h([1-6])/).flatMap { Int($0.1) } }
      #expect(levels.first == 1)
      #expect(levels.count { $0 == 1 } == (file.path == "index.html" ? 2 : 1))
      for (upper, lower) in zip(levels, levels.dropFirst()) {
        #expect(lower <= upper + 1, "h\(lower) after h\(upper) in \(file.path)")
      }
    }
  }

  @Test func aPageWithoutRowsSaysSo() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "secret.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES ('s3cret'), ('s4cret');")
    var test = TestResult(
      id: TestCaseID(module: "M", suite: [], name: "x()"), framework: .swiftTesting, outcome: .failed)
    test.evidence = [TestEvidence(kind: .database, name: "secret", path: "evidence/s.sqlite", bytes: 1)]
    var contents = ReportContents(
      report: Report(title: "T", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.databases["evidence/s.sqlite"] = inspectDatabase(at: path, rows: false)
    let text = try renderPages(contents, templates: TemplateLibrary()).map {
      String(decoding: $0.contents, as: UTF8.self)
    }
    .joined()
    #expect(text.contains("Rows are left out.") && text.contains("2 rows"))
    #expect(!text.contains("cret'") && !text.contains("s3cret"))
  }

  @Test func manyTestsTakeLittleTime() throws {
    let tests = (0..<10_000).map {
      TestResult(
        id: TestCaseID(module: "M", suite: ["S\($0 / 100)"], name: "test\($0)"), framework: .xctest,
        outcome: .passed,
        duration: 0.01)
    }
    let contents = ReportContents(
      report: Report(title: "T", runs: [], tests: tests, faults: [], notices: []), nonce: "n")
    let templates = try TemplateLibrary()
    let time = try ProcessorTime.of { _ = try renderPages(contents, templates: templates) }
    // Debug builds are slow; what this guards against is time that grows with the square of the tests.
    #expect(time < .seconds(60))
  }

  private func resolved(_ link: String, from page: String) -> String {
    let plain = link.removingPercentEncoding ?? link
    guard page.contains("/") else { return plain }
    return plain.hasPrefix("../") ? String(plain.dropFirst(3)) : "tests/" + plain
  }
}
