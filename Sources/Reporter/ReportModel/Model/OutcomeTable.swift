package import Collector

/// Decides the outcome of tests; no other place does.
///
/// The limits of each input were measured with Swift 6.3. Xunit shows skipped XCTests, known issues, warnings and
/// cancelled tests as passed. A log ends before a time limit is noticed. An event stream has nothing but issues.
package enum OutcomeTable {
  // MARK: - One input

  /// The outcome of a test that ended according to a log, or is only named there (`end` is `nil`).
  package static func ofLoggedEnd(_ end: TestEnd.Outcome?, issues: [TestIssue]) -> Outcome {
    if end == .failed || issues.contains(where: \.isFailure) { return .failed }
    if end == .skipped { return .skipped }
    if issues.contains(where: \.isKnown) { return .knownIssue }
    return end == nil ? .unfinished : .passed
  }

  /// The outcome of a test in an event stream that ended, was cancelled or was skipped.
  package static func ofStreamedEnd(isSkipped: Bool, issues: [TestIssue]) -> Outcome {
    if issues.contains(where: \.isFailure) { return .failed }
    if isSkipped { return .skipped }
    return issues.contains(where: \.isKnown) ? .knownIssue : .passed
  }

  /// The outcome of tests that started and never ended.
  ///
  /// - Parameters:
  ///   - count: The number of the process's tests that were open at the end of its record.
  ///   - hasEnded: True when the process ended in order all the same.
  package static func ofOpenTest(among count: Int, hasEnded: Bool) -> Outcome {
    count == 1 && !hasEnded ? .crashed : .unfinished
  }

  /// The outcome of one of these tests: what it had recorded counts, whoever ended its process.
  ///
  /// - Parameter outcome: That of all of them.
  package static func ofOpenTest(_ outcome: Outcome, issues: [TestIssue]) -> Outcome {
    outcome == .unfinished && issues.contains(where: \.isFailure) ? .failed : outcome
  }

  /// The outcome of an open test that a backtrace names.
  package static func ofNamedInBacktrace(_ outcome: Outcome) -> Outcome {
    outcome.isFailure ? .crashed : outcome
  }

  /// The outcome when a signal from outside ended `swift test`, so that nothing crashed.
  package static func ofInterrupted(_ outcome: Outcome, issues: [TestIssue]) -> Outcome {
    ofOpenTest(outcome == .crashed ? .unfinished : outcome, issues: issues)
  }

  /// The outcome of a `<testcase>` in an xunit file.
  ///
  /// - Parameters:
  ///   - isComplete: False when the file stops in the middle of it.
  ///   - isExpectedFailure: True when it is reported as skipped because it failed as it should.
  package static func ofXUnit(hasFailed: Bool, isComplete: Bool, isSkipped: Bool, isExpectedFailure: Bool)
    -> Outcome
  {
    if hasFailed { return .failed }
    if !isComplete { return .unfinished }
    guard isSkipped else { return .passed }
    return isExpectedFailure ? .knownIssue : .skipped
  }

  // MARK: - Several inputs

  /// The outcome according to one input.
  package typealias Claim = (kind: InputKind, outcome: Outcome)

  /// The joined outcome; `isContradictory` is true when the inputs differ in a way that no ordinary run explains.
  package struct Decision: Sendable, Equatable {
    package var outcome: Outcome
    package var isContradictory: Bool
  }

  /// Joins the outcomes of one test in several inputs; `nil` without any.
  ///
  /// The most trusted input decides where the others may know less. Where they contradict each other, the worse
  /// outcome counts.
  package static func join(_ claims: [Claim]) -> Decision? {
    // Inputs of one kind describe different runs of the test, so they do not contradict each other.
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

  /// True when an input's outcome of a whole parameterised test contradicts other inputs' outcomes of its cases.
  ///
  /// A failure in an event stream does not: a time limit ends the test after the logs of its cases say passed.
  package static func contradicts(whole: Claim, casesFail: Bool) -> Bool {
    if whole.outcome == .unfinished || whole.outcome.isFailure == casesFail { return false }
    return whole.kind != .eventStream || casesFail
  }

  /// The worse of two outcomes.
  package static func worse(_ left: Outcome, _ right: Outcome) -> Outcome {
    left.severity <= right.severity ? left : right
  }

  private enum Relation {
    /// The claim says the same, or less than it could know.
    case agrees
    /// The claim knows something that the more trusted input could not know.
    case knowsMore
    case contradicts
  }

  private static func relation(_ trusted: Claim, _ claim: Claim) -> Relation {
    if trusted.outcome == claim.outcome { return .agrees }
    return switch claim.kind {
    // The most trusted one comes first and is compared with nothing.
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
    // Time limits and issues from detached tasks come after the trait's scope or outside of it.
    case (.failed, .passed), (.failed, .knownIssue), (.failed, .skipped): .agrees
    case (.knownIssue, .passed), (.skipped, .passed), (.passed, .knownIssue): .agrees
    default: .contradicts
    }
  }

  /// A console tells what was printed until it was cut off; with `--parallel` it does not tell who was skipped.
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
    // The file stops in the middle of the test.
    case (_, .unfinished): .agrees
    default: .contradicts
    }
  }
}
