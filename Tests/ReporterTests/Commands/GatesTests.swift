import ArgumentParser
import Collector
import Testing

@testable import ReportModel
@testable import ReportTestSupport
@testable import Reporter

@Suite struct GatesTests {
  private func test(_ name: String, _ outcome: Outcome, duration: Double? = nil) -> TestResult {
    TestResult(id: .store(name), outcome: outcome, duration: duration)
  }

  /// - Parameter options: Those of `reporter report`.
  private func broken(
    _ options: String..., by tests: [TestResult], isDegraded: Bool = false
  ) throws -> [String] {
    let faults = isDegraded ? [Remark(kind: "k", message: "m", input: nil)] : []
    return try CIOptions.parse(options).rulesBroken(
      by: Report(title: "", runs: [], tests: tests, faults: faults))
  }

  @Test func noRuleIsNeverBroken() throws {
    #expect(try broken(by: [test("a", .crashed)], isDegraded: true).isEmpty)
  }

  @Test(arguments: [Outcome.failed, .crashed, .unfinished]) func anOutcomeCanBreakARule(outcome: Outcome)
    throws
  {
    #expect(
      try broken("--fail-on", outcome.rawValue, by: [test("a", outcome)]) == [
        "--fail-on \(outcome.rawValue): \(outcome.rawValue) is M.Store/a."
      ])
    let others = [test("a", .passed), test("b", .knownIssue)]
    #expect(try broken("--fail-on", outcome.rawValue, by: others).isEmpty)
  }

  @Test func aDegradedReportAndAFlakyTestCanBreakARule() throws {
    var flaky = test("a", .passed)
    flaky.attempts = [TestAttempt(outcome: .failed)]
    let rules = try broken("--fail-on", "flaky,degraded,failed", by: [flaky], isDegraded: true)
    #expect(rules == ["--fail-on flaky: flaky is M.Store/a.", "--fail-on degraded: the report is degraded."])
  }

  @Test func aCrashBreaksTheRuleOnDegradedReports() throws {
    #expect(
      try broken("--fail-on", "degraded", by: [test("a", .passed), test("b", .crashed)]) == [
        "--fail-on degraded: a process died in M.Store/b, and what came after it did not run."
      ])
    #expect(try broken("--fail-on", "degraded", by: [test("a", .failed)]).isEmpty)
  }

  @Test func countsHaveLimits() throws {
    let tests = [test("a", .failed), test("b", .crashed), test("c", .skipped)]
    #expect(try broken("--max-failures", "2", "--min-tests", "2", by: tests).isEmpty)
    #expect(
      try broken("--max-failures", "1", "--min-tests", "3", by: tests) == [
        "--max-failures 1: 2 tests failed.", "--min-tests 3: 2 tests ran.",
      ])
    #expect(try broken("--max-failures", "0", by: [test("a", .passed)]).isEmpty)
  }

  @Test func theSlowestTestIsNamed() throws {
    let tests = [test("a", .passed, duration: 1), test("b", .passed, duration: 3), test("c", .passed)]
    #expect(try broken("--max-duration", "3", by: tests).isEmpty)
    #expect(
      try broken("--max-duration", "2", by: tests).first?
        .hasPrefix("--max-duration 2.0: M.Store/b took 3") == true)
  }
}
