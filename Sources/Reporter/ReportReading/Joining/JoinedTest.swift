import Collector
package import ReportModel

extension TestRecord {
  /// - Parameters:
  ///   - all: Nonempty, the most trusted input first.
  ///   - decision: Their joint outcome.
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
    endedBy = all.firstValue(\.endedBy)
    properties = all.first { !$0.properties.isEmpty }?.properties ?? []
    tags = all.first { !$0.tags.isEmpty }?.tags ?? []
    span = all.firstValue(\.span)
    settle()
  }

  /// True when details contradict the outcome.
  var isUnsettled: Bool {
    !isPlain && (skipReason != nil && outcome != .skipped || crash != nil)
  }

  mutating func settle() {
    if outcome != .skipped { skipReason = nil }
    if !outcome.isFailure { crash = nil }
    addIssueOfCrash()
  }

  /// The most trusted input's, or all where inputs contradict each other.
  private static func issues(of observations: [Observation], isContradictory: Bool) -> [TestIssue] {
    let telling = observations.filter { $0.issues.contains { !$0.isPlaceholder } }
    if isContradictory { return observations.flatMap(\.issues) }
    let best = telling.first ?? observations.first { !$0.issues.isEmpty }
    return best?.issues ?? []
  }

  /// - Parameter root: The base of shown paths.
  package mutating func finish(with evidence: [TestEvidence], root: SourceRoot) {
    if isPlain && evidence.isEmpty { return }
    mapLocations(root.relative)
    keepCrashInPackage()
    observed = []
    self.evidence = evidence
  }
}

extension TestRecord {
  /// A crash outside of the package is told at the package's line that led there.
  fileprivate mutating func keepCrashInPackage() {
    guard let index = issues.firstIndex(where: \.isCrash), issues[index].location?.isInPackage == false else {
      return
    }
    issues[index].location = crash?.frames.first { $0.place.isInPackage }?.place
  }
}

extension SourceReference {
  /// Of a path that is relative to the package's folder where it is below it.
  fileprivate var isInPackage: Bool {
    !file.hasPrefix("/") && !file.split(separator: "/").contains("..")
  }
}

extension TestIssue {
  /// True for SwiftPM's `<failure message="failure">`.
  package var isPlaceholder: Bool { message == "failure" }
}

extension [Observation] {
  fileprivate func firstValue<Value>(_ value: (Observation) -> Value?) -> Value? {
    lazy.compactMap(value).first
  }
}
