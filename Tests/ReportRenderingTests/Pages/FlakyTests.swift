import Collector
import Testing

@testable import ReportInspection
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

  /// As a failed test's page does, with what became of it.
  @Test func thePageBeginsWithWhatFailed() throws {
    var contents = contents
    let place = SourceReference(file: "Tests/StoreTests.swift", line: 12)
    let issues = ["is open", "locked"].map {
      TestIssue(message: $0, location: place, severity: .error, isKnown: false)
    }
    contents.report.tests[0].setIssuesOfFailure(Array(issues.suffix(1)))
    contents.report.tests[0].attempts.insert(
      TestAttempt(outcome: .failed, issues: Array(issues.prefix(1))), at: 0)
    contents.sources[place] = SourceExcerpt(
      firstLine: 11, lines: ["let store = reopened()", "#expect(store.isOpen)"], markedLine: 12)
    let files = try renderPages(contents, templates: TemplateLibrary())
    let page = String(
      decoding: try #require(files.first { $0.path.hasPrefix("tests/") }).contents, as: UTF8.self)
    let section = try #require(page.firstMatch(of: #/(?s)<section class="failed-with".*?</section>/#)).0
    #expect(section.contains("What failed</h2>") && section.contains("<pre class=\"message\""))
    #expect(section.contains("In attempt 2 of 3. The last one passed, and counts."))
    #expect(section.contains("href=\"#attempts\"") && page.contains("id=\"attempts\""))
    #expect(section.contains("locked") && !section.contains("is open"))
    #expect(section.contains("StoreTests.swift:12") && section.contains("store.isOpen"))
    let shown = ShownTest(contents.report.tests[0], contents).terminalText(isColoured: false)
    #expect(shown.contains("What failed\nIn attempt 2 of 3. The last one passed, and counts.\n"))
    #expect(shown.contains("locked") && shown.contains(">   12  #expect(store.isOpen)"))
    // The attempt that counts has nothing to tell but in its section.
    #expect(page.contains("Last attempt, which counts"))
    #expect(contents.report.tests[0].issues.isEmpty)
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
