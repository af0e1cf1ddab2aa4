import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct VerdictTests {
  @Test func aReportThatReadNothingIsNotGreen() {
    #expect(verdict([]).text == "No test was read")
    #expect(verdict([]).style == .failed)
  }

  @Test func aDegradedReportIsNotGreen() {
    #expect(verdict([.passed], faults: 1).style == .degraded)
  }

  @Test func onlySkippedTestsAreNotGreen() {
    #expect(verdict([.skipped, .skipped]).style == .neutral)
  }

  @Test(arguments: [
    ([Outcome.passed, .passed], "All 2 tests passed"), ([.passed], "The one test passed"),
    ([.passed, .skipped], "No test failed"), ([.failed, .passed], "1 of 2 tests failed"),
    ([.crashed, .passed], "1 of 2 tests crashed"), ([.unfinished], "1 of 1 test did not finish"),
    ([.failed, .crashed, .passed], "2 of 3 tests did not pass"),
  ])
  func theVerdictInWords(outcomes: [Outcome], text: String) {
    #expect(verdict(outcomes).text == text)
  }

  @Test func whatACrashKeptFromRunningIsToldOnTheFirstScreen() throws {
    let sentence = "2 tests did not run, as the process died in M.Store/a: M.Store/b, M.Store/<c>."
    let test = TestResult(id: .store("a"), outcome: .crashed)
    let contents = ReportContents(
      report: Report(
        title: "T", runs: [], tests: [test],
        notices: [
          Remark(kind: "unobservedTests", message: sentence), Remark(kind: "repairedXML", message: "other"),
        ]),
      nonce: "n")
    let files = try renderPages(contents, templates: TemplateLibrary())
    let index = String(
      decoding: try #require(files.first { $0.path == "index.html" }).contents, as: UTF8.self)
    let told = "2 tests did not run, as the process died in M.Store/a: M.Store/b, M.Store/&lt;c&gt;."
    #expect(
      index.contains("<p class=\"problem\">\(told)</p>") && !index.contains("<p class=\"problem\">other"))
    for file in [renderSummary(contents), renderComment(PageContext(contents))] {
      let text = String(decoding: file.contents, as: UTF8.self)
      #expect(text.contains("**2 tests did not run, as the process died in "), "\(text)")
    }
  }

  private func verdict(_ outcomes: [Outcome], faults: Int = 0) -> Verdict {
    let tests = outcomes.enumerated().map {
      TestResult(id: TestCaseID(module: "M", suite: [], name: "t\($0)"), framework: .xctest, outcome: $1)
    }
    let remarks = Array(repeating: Remark(kind: "k", message: "m", input: nil), count: faults)
    return Verdict(
      Report(title: "T", runs: [], tests: tests, faults: remarks, notices: []), OutcomeCounts(tests))
  }
}
