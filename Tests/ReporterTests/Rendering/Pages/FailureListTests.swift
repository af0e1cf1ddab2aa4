import Collector
import Testing

@testable import Reporter

@Suite struct FailureListTests {
  @Test func alikeFailuresAreOneGroupThatNamesThemAll() throws {
    let index = try page("index.html", failures: 12)
    #expect(index.contains("<span class=\"count\">12 failures</span> that are alike"))
    #expect(index.matches(of: /<article class="failure"/).count == 1)
    #expect(index.contains("6 more failures"))
    for number in 0..<12 { #expect(index.contains("<bdi>test\(number)</bdi>")) }
  }

  @Test func theFirstOfAlikeFailuresIsOpen() throws {
    let index = String(
      decoding: try #require(
        renderPages(ordersReport(), templates: TemplateLibrary()).first { $0.path == "index.html" }
      ).contents, as: UTF8.self)
    let failure = try #require(index.firstMatch(of: /(?s)XCTAssertEqual failed<.*?<\/article>/))
    #expect(failure.0.contains("<del>129</del>.<del>90</del> EUR"))
    #expect(failure.0.contains("<ins>116</ins>.<ins>91</ins> EUR"))
    #expect(failure.0.contains("try store.apply(.discount(percent: 10), to: 1)"))
    #expect(failure.0.contains("href=\"evidence/OrderStoreTests-testTotal/orders.sqlite\""))
    #expect(index.contains("<details class=\"summary\" open>"))
  }

  @Test func manyFailuresArePaged() throws {
    let files = try files(failures: 1201)
    #expect(
      files.map(\.path).filter { !$0.contains("/") && $0.hasSuffix(".html") }.sorted()
        == ["failures-2.html", "failures-3.html", "index.html"])
    let texts = files.reduce(into: [:]) { $0[$1.path] = String(decoding: $1.contents, as: UTF8.self) }
    #expect(texts["index.html"]?.contains("href=\"failures-2.html\"") == true)
    #expect(texts["failures-2.html"]?.contains("Failures 501 to 1,000 of 1,201") == true)
    #expect(texts["failures-2.html"]?.contains("href=\"index.html\"") == true)
    #expect(texts["failures-3.html"]?.contains("<bdi>test1200</bdi>") == true)
  }

  private func page(_ path: String, failures: Int) throws -> String {
    let file = try #require(files(failures: failures).first { $0.path == path })
    return String(decoding: file.contents, as: UTF8.self)
  }

  private func files(failures: Int) throws -> [ReportFile] {
    let tests = (0..<failures).map { number in
      TestResult(
        id: TestCaseID(module: "M", suite: [], name: "test\(number)"), framework: .xctest, outcome: .failed,
        issues: [TestIssue(message: "row \(number)", location: nil, severity: .error, isKnown: false)])
    }
    let report = Report(title: "T", runs: [], tests: tests, faults: [], notices: [])
    let contents = ReportContents(
      report: report, databases: [:], archives: [:], texts: [:], sources: [:], nonce: "n")
    return try renderPages(contents, templates: TemplateLibrary())
  }
}
