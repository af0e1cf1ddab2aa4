import Collector
import Testing

@testable import ReportModel

@Suite struct OutcomeTableTests {
  private func verdict(
    stream: Outcome? = nil, log: Outcome? = nil, xunit: Outcome? = nil
  ) -> OutcomeTable.Decision? {
    let claims = [(InputKind.eventStream, stream), (.log, log), (.xunit, xunit)]
    return OutcomeTable.join(claims.compactMap { kind, outcome in outcome.map { (kind, $0) } })
  }

  @Test func noClaimGivesNoVerdict() {
    #expect(verdict() == nil)
  }

  @Test(arguments: Outcome.allCases) func oneInputDecidesAlone(outcome: Outcome) {
    #expect(verdict(stream: outcome) == .init(outcome: outcome, isContradictory: false))
    #expect(verdict(log: outcome) == .init(outcome: outcome, isContradictory: false))
    #expect(verdict(xunit: outcome) == .init(outcome: outcome, isContradictory: false))
  }

  @Test(arguments: [Outcome.skipped, .knownIssue, .passed])
  func xunitShowsWhatDidNotFailAsPassed(outcome: Outcome) {
    #expect(verdict(log: outcome, xunit: .passed) == .init(outcome: outcome, isContradictory: false))
    #expect(verdict(stream: outcome, xunit: .passed) == .init(outcome: outcome, isContradictory: false))
  }

  @Test(arguments: [Outcome.crashed, .unfinished, .failed])
  func xunitShowsACrashAsAFailure(outcome: Outcome) {
    #expect(verdict(log: outcome, xunit: .failed) == .init(outcome: outcome, isContradictory: false))
  }

  @Test func aTimeLimitOverrulesTheLog() {
    #expect(verdict(stream: .failed, log: .passed) == .init(outcome: .failed, isContradictory: false))
  }

  @Test func aLogKnowsHowATestEndedThatTheStreamDidNotComeToTell() {
    #expect(verdict(stream: .unfinished, log: .passed) == .init(outcome: .passed, isContradictory: false))
    #expect(verdict(stream: .unfinished, log: .failed) == .init(outcome: .failed, isContradictory: false))
  }

  @Test func aStreamWithSeveralOpenTestsDoubtsTheLogsCrash() {
    #expect(
      verdict(stream: .unfinished, log: .crashed) == .init(outcome: .unfinished, isContradictory: false))
    #expect(verdict(stream: .failed, log: .crashed) == .init(outcome: .failed, isContradictory: false))
    #expect(verdict(stream: .failed, log: .crashed) == .init(outcome: .failed, isContradictory: false))
  }

  @Test(arguments: [
    (Outcome.passed, Outcome.failed), (.failed, .passed), (.crashed, .passed), (.skipped, .failed),
  ])
  func aContradictionShowsTheWorseOutcome(log: Outcome, xunit: Outcome) {
    let verdict = verdict(log: log, xunit: xunit)
    #expect(verdict?.isContradictory == true)
    #expect(verdict?.outcome == OutcomeTable.worse(log, xunit))
    #expect(verdict?.outcome.isFailure == true)
  }

  @Test func aStreamThatPassesContradictsALogThatFails() {
    #expect(verdict(stream: .passed, log: .failed) == .init(outcome: .failed, isContradictory: true))
  }

  @Test func theSameTestTwiceInOneKindOfInputIsNoContradiction() {
    let claims = [Outcome.passed, .failed].map { (InputKind.xunit, $0) }
    #expect(OutcomeTable.join(claims) == .init(outcome: .failed, isContradictory: false))
  }

  @Test func anInterruptedTestDidNotCrash() {
    #expect(OutcomeTable.ofInterrupted(.crashed, issues: []) == .unfinished)
    #expect(OutcomeTable.ofInterrupted(.failed, issues: []) == .failed)
    let issue = TestIssue(message: "m", severity: .error, isKnown: false)
    #expect(OutcomeTable.ofInterrupted(.crashed, issues: [issue]) == .failed)
  }
}
