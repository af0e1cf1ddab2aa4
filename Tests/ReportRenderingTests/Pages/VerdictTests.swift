import Collector
import Testing

@testable import ReportModel
@testable import ReportRendering

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

  private func verdict(_ outcomes: [Outcome], faults: Int = 0) -> Verdict {
    let tests = outcomes.enumerated().map {
      TestResult(id: TestCaseID(module: "M", suite: [], name: "t\($0)"), framework: .xctest, outcome: $1)
    }
    let remarks = Array(repeating: Remark(kind: "k", message: "m", input: nil), count: faults)
    return Verdict(
      Report(title: "T", runs: [], tests: tests, faults: remarks, notices: []), OutcomeCounts(tests))
  }
}
