import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

/// A test that failed and passed when it was repeated is told on every page and in every file.
@Suite struct FlakyTests {
  private let contents: ReportContents = {
    let failed = TestAttempt(
      outcome: .failed,
      issues: [TestIssue(message: "locked", location: nil, severity: .error, isKnown: false)])
    let test = TestResult(
      id: TestCaseID(module: "M", suite: ["S"], name: "reopens"), outcome: .passed, attempts: [failed])
    let other = TestResult(id: TestCaseID(module: "M", suite: ["S"], name: "stays"), outcome: .passed)
    return ReportContents(
      report: Report(title: "T", runs: [], tests: [test, other], faults: [], notices: []), nonce: "n")
  }()

  @Test func theFirstScreenCountsAndNamesIt() throws {
    let files = try renderPages(contents, templates: TemplateLibrary())
    let index = String(
      decoding: try #require(files.first { $0.path == "index.html" }).contents, as: UTF8.self)
    #expect(index.contains("<h2>All 2 tests passed, 1 only when repeated</h2>"))
    #expect(index.contains("data-query=\"flaky\""))
    #expect(index.contains("Flaky tests <span class=\"tally\">1</span>"))
    #expect(index.contains("Failed before: locked"))
    let page = try #require(files.first { $0.path.hasPrefix("tests/") })
    #expect(String(decoding: page.contents, as: UTF8.self).contains("2 attempts"))
  }

  @Test func theSummaryAndTheDocumentCountIt() throws {
    let summary = String(decoding: renderSummary(contents).contents, as: UTF8.self)
    #expect(summary.contains(" · ✓ 2 passed · ↻ 1 flaky"))
    #expect(summary.contains("<summary>Flaky: 1, failed and passed when repeated</summary>"))
    let json = String(decoding: ReportDocument(contents).file().contents, as: UTF8.self)
    #expect(json.contains("\"flaky\":1,\"format\""))
  }

  @Test(arguments: [(["locked", "locked"], true), (["locked", "gone"], false)])
  func attemptsThatFailAlikeAreSaidToBe(messages: [String], areAlike: Bool) throws {
    func issues(_ message: String) -> [TestIssue] {
      [TestIssue(message: message, location: nil, severity: .error, isKnown: false)]
    }
    let test = TestResult(
      id: TestCaseID(module: "M", suite: ["S"], name: "stays"), outcome: .failed, issues: issues("locked"),
      attempts: messages.map { TestAttempt(outcome: .failed, issues: issues($0)) })
    let contents = ReportContents(
      report: Report(title: "T", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    let files = try renderPages(contents, templates: TemplateLibrary())
    let page = String(
      decoding: try #require(files.first { $0.path.hasPrefix("tests/") }).contents, as: UTF8.self)
    #expect(page.contains("It failed in all 3 attempts, alike.") == areAlike)
    #expect(page.contains("Last attempt, which counts"))
  }
}
