package import Collector

/// Decides all tests' outcomes.
///
/// In Swift 6.3, xunit shows skipped XCTests, known issues, warnings and cancelled tests as passed; a log
/// ends before a time limit is noticed; an event stream has nothing but issues.
package enum OutcomeTable {
  // MARK: - One input

  /// - Parameter end: `nil` for a test that is only named in the log.
  package static func ofLoggedEnd(_ end: TestEnd.Outcome?, issues: [TestIssue]) -> Outcome {
    if end == .failed || issues.contains(where: \.isFailure) { return .failed }
    if end == .skipped { return .skipped }
    if issues.contains(where: \.isKnown) { return .knownIssue }
    return end == nil ? .unfinished : .passed
  }

  /// Of a test that an event stream says ended, was cancelled or was skipped.
  package static func ofStreamedEnd(isSkipped: Bool, issues: [TestIssue]) -> Outcome {
    if issues.contains(where: \.isFailure) { return .failed }
    if isSkipped { return .skipped }
    return issues.contains(where: \.isKnown) ? .knownIssue : .passed
  }

  /// Of tests that started and never ended.
  ///
  /// - Parameters:
  ///   - count: The process's tests that still ran.
  ///   - hasEnded: True when the process ended in order.
  package static func ofOpenTest(among count: Int, hasEnded: Bool) -> Outcome {
    count == 1 && !hasEnded ? .crashed : .unfinished
  }

  /// A recorded failure of one such test counts.
  package static func ofOpenTest(_ outcome: Outcome, issues: [TestIssue]) -> Outcome {
    outcome == .unfinished && issues.contains(where: \.isFailure) ? .failed : outcome
  }

  package static func ofNamedInBacktrace(_ outcome: Outcome) -> Outcome {
    outcome.isFailure ? .crashed : outcome
  }

  /// Of tests whose `swift test` a signal from outside ended.
  package static func ofInterrupted(_ outcome: Outcome, issues: [TestIssue]) -> Outcome {
    ofOpenTest(outcome == .crashed ? .unfinished : outcome, issues: issues)
  }

  /// - Parameters:
  ///   - isComplete: False when the file stops in it.
  ///   - isExpectedFailure: True when it is skipped because it failed as expected.
  package static func ofXUnit(hasFailed: Bool, isComplete: Bool, isSkipped: Bool, isExpectedFailure: Bool)
    -> Outcome
  {
    if hasFailed { return .failed }
    if !isComplete { return .unfinished }
    guard isSkipped else { return .passed }
    return isExpectedFailure ? .knownIssue : .skipped
  }

  // MARK: - Several inputs

  package typealias Claim = (kind: InputKind, outcome: Outcome)

  /// `isContradictory` is true when no ordinary run explains the inputs.
  package struct Decision: Sendable, Equatable {
    package var outcome: Outcome
    package var isContradictory: Bool
  }

  /// Joins one test's outcomes in several inputs.
  ///
  /// The most trusted input decides where others may know less; in a contradiction the worse outcome counts.
  package static func join(_ claims: [Claim]) -> Decision? {
    // Inputs of one kind are of different runs, which cannot contradict each other.
    let kinds = Dictionary(claims.map { ($0.kind, $0.outcome) }, uniquingKeysWith: worse)
    let sorted: [Claim] = kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    guard let first = sorted.first else { return nil }
    var decision = Decision(outcome: first.outcome, isContradictory: false)
    var trusted = first
    for claim in sorted.dropFirst() {
      switch relation(trusted, claim) {
      case .agrees: continue
      case .knowsMore:
        decision.outcome = claim.outcome
        trusted = claim
      case .contradicts:
        decision.isContradictory = true
        decision.outcome = worse(decision.outcome, claim.outcome)
      }
    }
    return decision
  }

  /// An event stream's failure contradicts no case: a time limit comes after the cases' logs.
  package static func contradicts(whole: Claim, casesFail: Bool) -> Bool {
    if whole.outcome == .unfinished || whole.outcome.isFailure == casesFail { return false }
    return whole.kind != .eventStream || casesFail
  }

  package static func worse(_ left: Outcome, _ right: Outcome) -> Outcome {
    left.severity <= right.severity ? left : right
  }

  private enum Relation {
    /// The same, or less than it could know.
    case agrees
    /// Something that the more trusted input could not know.
    case knowsMore
    case contradicts
  }

  private static func relation(_ trusted: Claim, _ claim: Claim) -> Relation {
    if trusted.outcome == claim.outcome { return .agrees }
    return switch claim.kind {
    case .eventStream: .agrees
    case .log: relation(ofStream: trusted.outcome, log: claim.outcome)
    case .xunit: relation(of: trusted.outcome, xunit: claim.outcome)
    case .console: relation(of: trusted.outcome, console: claim.outcome)
    }
  }

  private static func relation(ofStream stream: Outcome, log: Outcome) -> Relation {
    switch (stream, log) {
    // The stream lists all open tests, the log only those with the trait.
    case (.unfinished, .crashed), (.crashed, .unfinished), (.failed, .crashed), (.failed, .unfinished):
      .agrees
    // The trait's scope had ended, but the stream stopped before saying so.
    case (.unfinished, .passed), (.unfinished, .failed), (.unfinished, .skipped), (.unfinished, .knownIssue),
      (.crashed, .failed):
      .knowsMore
    // Time limits and issues of detached tasks come after the trait's scope.
    case (.failed, .passed), (.failed, .knownIssue), (.failed, .skipped): .agrees
    case (.knownIssue, .passed), (.skipped, .passed), (.passed, .knownIssue): .agrees
    default: .contradicts
    }
  }

  /// A console may be cut off; with `--parallel` it does not tell who was skipped.
  private static func relation(of trusted: Outcome, console: Outcome) -> Relation {
    switch (trusted, console) {
    case (.unfinished, _), (.passed, .skipped), (.passed, .knownIssue): .knowsMore
    case (.skipped, .passed), (.knownIssue, .passed): .agrees
    case (.crashed, .failed), (.failed, .crashed), (_, .unfinished): .agrees
    default: .contradicts
    }
  }

  private static func relation(of trusted: Outcome, xunit: Outcome) -> Relation {
    switch (trusted, xunit) {
    case (.skipped, .passed), (.knownIssue, .passed): .agrees
    case (.crashed, .failed), (.unfinished, .failed): .agrees
    case (_, .unfinished): .agrees
    default: .contradicts
    }
  }
}
