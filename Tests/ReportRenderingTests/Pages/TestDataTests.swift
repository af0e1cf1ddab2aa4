import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportTestSupport

/// The list of all tests that the page's script reads.
@Suite struct TestDataTests {
  @Test func everyTestIsInOneFileOnce() throws {
    let tests = (0..<25_001).map { number in
      TestResult(
        id: TestCaseID(module: "M", suite: ["S\(number / 9000)"], name: "t\(number)"), framework: .xctest,
        outcome: .passed)
    }
    let files = (0..<partCount(tests.count, of: testsInADataFile)).map {
      testDataFile($0, in: context(tests))
    }
    #expect(files.map(\.path) == ["data/tests-0.js", "data/tests-1.js", "data/tests-2.js"])
    let names = try files.flatMap { file in
      try #require(read(file)["tests"] as? [[Any]]).compactMap { $0[3] as? String }
    }
    #expect(names == tests.map(\.id.name))
  }

  @Test func aRowEndsWithTheLastValueThatSaysSomething() throws {
    let id = TestCaseID(module: "M", suite: ["A", "B"], name: "t", argument: .init(description: "7"))
    var test = TestResult(id: id, framework: .swiftTesting, outcome: .failed, duration: 0.25)
    var context = context([test])
    let names = context.names
    context.names = PageNames([])
    #expect(try row(context) == "0 1 250000 t 0 0 0 7")
    test.evidence = [
      TestEvidence(kind: .database, name: "d", path: "evidence/d"), TestEvidence(kind: .text, name: "t"),
    ]
    let page = try #require(names.path(of: id))
    #expect(try row(self.context([test])) == "0 1 250000 t \(page) 0 0 7 0 33")
  }

  @Test func hostileTextIsPlainJSONWithoutHiddenSigns() throws {
    for file in try renderPages(hostileReport(), templates: TemplateLibrary())
    where file.path.hasPrefix("data/tests-") {
      let text = String(decoding: file.contents, as: UTF8.self)
      #expect(!text.contains("<") && !text.contains("\u{202E}") && !text.contains("\u{2028}"))
      #expect(try #require(read(file)["tests"] as? [[Any]]).count == 8)
    }
  }

  @Test func ofManyTestsTheIndexNamesOnlyTheSuites() throws {
    let tests = (0..<3000).map { number in
      TestResult(
        id: TestCaseID(module: "M", suite: ["S\(number / 10)"], name: "t\(number)"), framework: .xctest,
        outcome: .passed)
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    let contents = ReportContents(report: report, nonce: "n")
    let files = try renderPages(contents, templates: TemplateLibrary())
    let index = String(
      decoding: try #require(files.first { $0.path == "index.html" }).contents, as: UTF8.self)
    #expect(index.contains("<bdi>S299</bdi>") && !index.contains("<bdi>t2999</bdi>"))
    #expect(index.contains("Every test is in junit.xml and report.json."))
  }

  @Test func failuresHaveFilesOfTheirOwn() throws {
    let tests = (0..<1502).map { number in
      TestResult(
        id: TestCaseID(module: "M", suite: ["S"], name: "t\(number)"), framework: .xctest,
        outcome: number % 2 == 0 ? .passed : .failed)
    }
    let files = try renderPages(contents(tests), templates: TemplateLibrary())
      .filter { $0.path.hasPrefix("data/failures-") }
    #expect(files.map(\.path) == ["data/failures-0.js", "data/failures-1.js"])
    let names = try files.flatMap { file in
      try #require(read(file, "addFailures")["tests"] as? [[Any]]).compactMap { $0[3] as? String }
    }
    #expect(names == tests.filter { $0.outcome == .failed }.map(\.id.name))
  }

  @Test func whatBecameOfATestSinceTheBaselineIsMarked() throws {
    let ids = ["new", "still", "fixed"].map { TestCaseID(module: "M", suite: [], name: $0) }
    let tests = ids.map { TestResult(id: $0, outcome: $0.name == "fixed" ? .passed : .failed) }
    var contents = contents(tests)
    contents.summary.baseline = Baseline(tests: [
      ids[1].description: .init(outcome: .failed), ids[2].description: .init(outcome: .crashed),
    ])
    let context = PageContext(contents)
    #expect(tests.map { TestMark.all(of: $0, in: context) } == [[.new], [.still], [.fixed]])
    let index = try #require(
      renderPages(contents, templates: TemplateLibrary()).first { $0.path == "index.html" })
    let text = String(decoding: index.contents, as: UTF8.self)
    #expect(text.contains("Fixed tests <span class=\"tally\">1</span>"))
    for query in ["new", "still", "fixed"] { #expect(text.contains("data-query=\"\(query)\"")) }
  }

  private func contents(_ tests: [TestResult]) -> ReportContents {
    ReportContents(
      report: Report(title: "T", runs: [], tests: tests, faults: [], notices: []), nonce: "n")
  }

  private func context(_ tests: [TestResult]) -> PageContext { PageContext(contents(tests)) }

  private func row(_ context: PageContext) throws -> String {
    let file = testDataFile(0, in: context)
    return try #require(read(file)["tests"] as? [[Any]])[0].map { "\($0)" }.joined(separator: " ")
  }

  /// The argument of the file's one call.
  private func read(_ file: ReportFile, _ name: String = "add") throws -> [String: Any] {
    let text = String(decoding: file.contents, as: UTF8.self)
    let call = try #require(text.wholeMatch(of: /(?s)exhibit\.(\w+)\(\d+,(\{.*\})\);\n/))
    #expect(call.1 == name)
    return try #require(JSONSerialization.jsonObject(with: Data(String(call.2).utf8)) as? [String: Any])
  }
}
