import Collector
package import ReportModel

/// A test joined from all inputs; its evidence is not in the report folder yet.
package struct JoinedTest: Sendable, Equatable {
  /// The result with paths as the inputs gave them.
  package var result: TestResult
  var evidence: [ObservedEvidence]
  /// True when only xunit files have it.
  let isOfXUnitAlone: Bool

  /// - Parameter observations: At least one, each with the kind of its input, the most trusted first.
  init?(_ id: TestCaseID, _ observations: [(kind: InputKind, observation: Observation)]) {
    let claims = observations.map { OutcomeTable.Claim(kind: $0.kind, outcome: $0.observation.outcome) }
    guard let verdict = OutcomeTable.join(claims) else { return nil }
    isOfXUnitAlone = claims.allSatisfy { $0.kind == .xunit }
    let all = observations.map(\.observation)
    result = TestResult(
      id: id, framework: all.firstValue(\.framework), displayName: all.firstValue(\.displayName),
      outcome: verdict.outcome, duration: all.firstValue(\.duration), location: all.firstValue(\.location))
    evidence = all.flatMap(\.evidence)
    if all.allSatisfy(\.isPlain) { return }
    result.issues = Self.issues(of: all, isContradictory: verdict.isContradictory)
    result.skipReason = verdict.outcome == .skipped ? all.firstValue(\.skipReason) : nil
    result.attempts = all.first { !$0.attempts.isEmpty }?.attempts ?? []
    result.output = all.firstValue(\.output)
    result.crash = verdict.outcome.isFailure ? all.firstValue(\.crash) : nil
    result.properties = all.first { !$0.properties.isEmpty }?.properties ?? []
    result.tags = all.first { !$0.tags.isEmpty }?.tags ?? []
    result.span = all.firstValue(\.span)
  }

  /// Makes a test from the only input that has it.
  init(_ observation: Observation, of kind: InputKind) {
    isOfXUnitAlone = kind == .xunit
    evidence = observation.evidence
    result = TestResult(
      id: observation.id, framework: observation.framework, outcome: observation.outcome,
      duration: observation.duration)
    guard !observation.isPlain else { return }
    result = TestResult(
      id: observation.id, framework: observation.framework, displayName: observation.displayName,
      outcome: observation.outcome, duration: observation.duration, location: observation.location,
      issues: observation.issues, tags: observation.tags,
      skipReason: observation.outcome == .skipped ? observation.skipReason : nil,
      attempts: observation.attempts, output: observation.output,
      crash: observation.outcome.isFailure ? observation.crash : nil, properties: observation.properties,
      span: observation.span)
  }

  /// The issues of the most trusted input that has any; of all where they contradict each other.
  private static func issues(of observations: [Observation], isContradictory: Bool) -> [TestIssue] {
    let telling = observations.filter { $0.issues.contains { !$0.isPlaceholder } }
    if isContradictory { return observations.flatMap(\.issues) }
    let best = telling.first ?? observations.first { !$0.issues.isEmpty }
    return best?.issues ?? []
  }
}

extension JoinedTest {
  /// The test as the report shows it.
  ///
  /// - Parameters:
  ///   - evidence: The evidence copied into the report folder.
  ///   - root: The folder that shown paths are relative to.
  package func result(evidence: [TestEvidence], root: SourceRoot) -> TestResult {
    if result.isPlain && evidence.isEmpty { return result }
    var shown = result
    shown.location = shown.location.map(root.relative)
    for index in shown.issues.indices {
      shown.issues[index].location = shown.issues[index].location.map(root.relative)
    }
    for attempt in shown.attempts.indices {
      for index in shown.attempts[attempt].issues.indices {
        let location = shown.attempts[attempt].issues[index].location
        shown.attempts[attempt].issues[index].location = location.map(root.relative)
      }
    }
    shown.evidence = evidence
    return shown
  }
}

extension TestIssue {
  /// True for SwiftPM's `<failure message="failure">`, which says nothing.
  package var isPlaceholder: Bool { message == "failure" }
}

extension [Observation] {
  fileprivate func firstValue<Value>(_ value: (Observation) -> Value?) -> Value? {
    lazy.compactMap(value).first
  }
}
