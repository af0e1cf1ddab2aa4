import Collector
package import ReportModel

/// A test joined from all inputs; what they observed is not in the report folder yet.
extension TestRecord {
  /// - Parameters:
  ///   - all: At least one observation, that of the most trusted input first.
  ///   - decision: The outcome that their outcomes give together.
  init(_ id: TestCaseID, joining all: [Observation], _ decision: OutcomeTable.Decision) {
    self.init(
      id: id, framework: all.firstValue(\.framework), displayName: all.firstValue(\.displayName),
      outcome: decision.outcome, duration: all.firstValue(\.duration), location: all.firstValue(\.location))
    isOfXUnitAlone = all.allSatisfy(\.isOfXUnitAlone)
    if all.allSatisfy(\.isPlain) { return }
    issues = Self.issues(of: all, isContradictory: decision.isContradictory)
    observed = all.flatMap(\.observed)
    skipReason = all.firstValue(\.skipReason)
    attempts = all.first { !$0.attempts.isEmpty }?.attempts ?? []
    output = all.firstValue(\.output)
    crash = all.firstValue(\.crash)
    properties = all.first { !$0.properties.isEmpty }?.properties ?? []
    tags = all.first { !$0.tags.isEmpty }?.tags ?? []
    span = all.firstValue(\.span)
    settle()
  }

  /// True when it has details of another outcome.
  var isUnsettled: Bool {
    !isPlain && (skipReason != nil && outcome != .skipped || crash != nil && !outcome.isFailure)
  }

  /// Leaves out details of another outcome.
  mutating func settle() {
    if outcome != .skipped { skipReason = nil }
    if !outcome.isFailure { crash = nil }
  }

  /// The issues of the most trusted input that has any; of all where they contradict each other.
  private static func issues(of observations: [Observation], isContradictory: Bool) -> [TestIssue] {
    let telling = observations.filter { $0.issues.contains { !$0.isPlaceholder } }
    if isContradictory { return observations.flatMap(\.issues) }
    let best = telling.first ?? observations.first { !$0.issues.isEmpty }
    return best?.issues ?? []
  }

  /// Makes it the test as the report shows it.
  ///
  /// - Parameters:
  ///   - evidence: The evidence copied into the report folder.
  ///   - root: The folder that shown paths are relative to.
  package mutating func finish(with evidence: [TestEvidence], root: SourceRoot) {
    if isPlain && evidence.isEmpty { return }
    mapLocations(root.relative)
    observed = []
    self.evidence = evidence
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
