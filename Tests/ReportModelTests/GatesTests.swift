import Collector
import Testing

@testable import ReportModel
@testable import ReportTestSupport

@Suite struct GatesTests {
  private func test(_ name: String, _ outcome: Outcome, duration: Double? = nil) -> TestResult {
    TestResult(id: .store(name), outcome: outcome, duration: duration)
  }

  private func broken(_ gates: Gates, _ tests: [TestResult], isDegraded: Bool = false) -> [String] {
    let faults = isDegraded ? [Remark(kind: "k", message: "m", input: nil)] : []
    return gates.broken(by: Report(title: "", runs: [], tests: tests, faults: faults, notices: []))
  }

  @Test func noRuleIsNeverBroken() {
    #expect(broken(Gates(), [test("a", .crashed)], isDegraded: true).isEmpty)
  }

  @Test(arguments: [Outcome.failed, .crashed, .unfinished]) func anOutcomeCanBreakARule(outcome: Outcome)
    throws
  {
    let condition = try #require(Gates.Condition(rawValue: outcome.rawValue))
    let gates = Gates(failOn: [condition])
    #expect(
      broken(gates, [test("a", outcome)]) == [
        "--fail-on \(outcome.rawValue): \(outcome.rawValue) is M.Store/a."
      ])
    #expect(broken(gates, [test("a", .passed), test("b", .knownIssue)]).isEmpty)
  }

  @Test func aDegradedReportAndAFlakyTestCanBreakARule() {
    var flaky = test("a", .passed)
    flaky.attempts = [TestAttempt(outcome: .failed)]
    let rules = broken(Gates(failOn: [.flaky, .degraded, .failed]), [flaky], isDegraded: true)
    #expect(rules == ["--fail-on flaky: flaky is M.Store/a.", "--fail-on degraded: the report is degraded."])
  }

  @Test func countsHaveLimits() {
    let tests = [test("a", .failed), test("b", .crashed), test("c", .skipped)]
    #expect(broken(Gates(maximumFailures: 2, minimumTests: 2), tests).isEmpty)
    #expect(
      broken(Gates(maximumFailures: 1, minimumTests: 3), tests) == [
        "--max-failures 1: 2 tests failed.", "--min-tests 3: 2 tests ran.",
      ])
    #expect(broken(Gates(maximumFailures: 0), [test("a", .passed)]).isEmpty)
  }

  @Test func theSlowestTestIsNamed() {
    let tests = [test("a", .passed, duration: 1), test("b", .passed, duration: 3), test("c", .passed)]
    #expect(broken(Gates(maximumDuration: 3), tests).isEmpty)
    #expect(
      broken(Gates(maximumDuration: 2), tests).first?.hasPrefix("--max-duration 2.0: M.Store/b took 3")
        == true)
  }
}
