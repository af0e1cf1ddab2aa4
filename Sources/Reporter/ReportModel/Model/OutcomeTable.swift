package import Collector

/// The one place that decides how a test ended.
///
/// What each input can and cannot know was measured with Swift 6.3: xunit shows skipped XCTests, known issues,
/// warnings and cancelled tests as passed; a log ends before a time limit is noticed; an event stream tells
/// nothing but issues.
package enum OutcomeTable {
  // MARK: - One input

  /// A test that a log says ended, or that it only names (`end` is `nil`).
  package static func ofLoggedEnd(_ end: TestEnd.Outcome?, issues: [TestIssue]) -> Outcome {
    if end == .failed || issues.contains(where: \.isFailure) { return .failed }
    if end == .skipped { return .skipped }
    if issues.contains(where: \.isKnown) { return .knownIssue }
    return end == nil ? .unfinished : .passed
  }

  /// A test of an event stream that ended, was cancelled or was skipped.
  package static func ofStreamedEnd(isSkipped: Bool, issues: [TestIssue]) -> Outcome {
    if issues.contains(where: \.isFailure) { return .failed }
    if isSkipped { return .skipped }
    return issues.contains(where: \.isKnown) ? .knownIssue : .passed
  }

  /// A test that started and never ended.
  ///
  /// - Parameters:
  ///   - count: How many tests of the process were open when its record stops.
  ///   - hasEnded: Whether the process ended in order all the same.
  package static func ofOpenTest(among count: Int, hasEnded: Bool) -> Outcome {
    count == 1 && !hasEnded ? .crashed : .unfinished
  }

  /// What an outcome is once a backtrace names the test.
  package static func ofNamedInBacktrace(_ outcome: Outcome) -> Outcome {
    outcome == .unfinished ? .crashed : outcome
  }

  /// What an outcome is once it is known that a signal from outside ended `swift test`: nothing crashed then.
  package static func ofInterrupted(_ outcome: Outcome) -> Outcome {
    outcome == .crashed ? .unfinished : outcome
  }

  /// A `<testcase>` of an xunit file.
  ///
  /// - Parameters:
  ///   - isComplete: Whether the file does not stop in the middle of it.
  ///   - isExpectedFailure: Whether it is called skipped because it failed as it should.
  package static func ofXUnit(hasFailed: Bool, isComplete: Bool, isSkipped: Bool, isExpectedFailure: Bool)
    -> Outcome
  {
    if hasFailed { return .failed }
    if !isComplete { return .unfinished }
    guard isSkipped else { return .passed }
    return isExpectedFailure ? .knownIssue : .skipped
  }

  // MARK: - Several inputs

  /// What one input claims.
  package struct Claim: Sendable, Equatable {
    package var kind: InputKind
    package var outcome: Outcome

    package init(kind: InputKind, outcome: Outcome) {
      self.kind = kind
      self.outcome = outcome
    }
  }

  /// The decision, and whether the inputs contradict each other in a way that no ordinary run does.
  package struct Decision: Sendable, Equatable {
    package var outcome: Outcome
    package var isContradictory: Bool
  }

  /// Joins what several inputs claim of one test; `nil` for no claim.
  ///
  /// The most trusted input decides where the others may know less. Where they contradict each other the
  /// worse outcome stands.
  package static func join(_ claims: [Claim]) -> Decision? {
    // Inputs of one kind speak of different runs of the test: that is no contradiction.
    let kinds = Dictionary(claims.map { ($0.kind, $0.outcome) }, uniquingKeysWith: worse)
    let sorted = kinds.sorted { $0.key < $1.key }.map { Claim(kind: $0.key, outcome: $0.value) }
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

  /// Whether what an input says of a parameterised test as a whole contradicts what others say of its cases.
  ///
  /// A failed event stream is no contradiction: a time limit ends the test after its cases' logs say passed.
  package static func contradicts(whole: Claim, casesFail: Bool) -> Bool {
    if whole.outcome == .unfinished || whole.outcome.isFailure == casesFail { return false }
    return whole.kind != .eventStream || casesFail
  }

  /// The worse of two outcomes.
  package static func worse(_ left: Outcome, _ right: Outcome) -> Outcome {
    severity(left) <= severity(right) ? left : right
  }

  private enum Relation {
    /// The claim says the same, or less than it could know.
    case agrees
    /// The claim knows what the more trusted input could not.
    case knowsMore
    case contradicts
  }

  private static func relation(_ trusted: Claim, _ claim: Claim) -> Relation {
    if trusted.outcome == claim.outcome { return .agrees }
    return switch claim.kind {
    // The most trusted comes first and is compared with nothing.
    case .eventStream: .agrees
    case .log: relation(ofStream: trusted.outcome, log: claim.outcome)
    case .xunit: relation(of: trusted.outcome, xunit: claim.outcome)
    }
  }

  private static func relation(ofStream stream: Outcome, log: Outcome) -> Relation {
    switch (stream, log) {
    // Several tests were open in the stream, which lists all; the log lists those with the trait.
    case (.unfinished, .crashed), (.crashed, .unfinished): .agrees
    // The trait's scope had ended, the stream did not come to say so.
    case (.unfinished, .passed), (.unfinished, .failed), (.unfinished, .skipped), (.unfinished, .knownIssue),
      (.crashed, .failed):
      .knowsMore
    // Time limits and issues from detached tasks come after the trait's scope or outside it.
    case (.failed, .passed), (.failed, .knownIssue), (.failed, .skipped): .agrees
    case (.knownIssue, .passed), (.skipped, .passed), (.passed, .knownIssue): .agrees
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

  /// 0 is the worst.
  private static func severity(_ outcome: Outcome) -> Int {
    switch outcome {
    case .crashed: 0
    case .failed: 1
    case .unfinished: 2
    case .knownIssue: 3
    case .skipped: 4
    case .passed: 5
    }
  }
}
