import Collector

extension JoinedTest {
  /// The test as the report shows it.
  ///
  /// - Parameters:
  ///   - evidence: What was brought into the report folder.
  ///   - root: What shown paths are relative to.
  func result(evidence: [TestEvidence], root: SourceRoot) -> TestResult {
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

extension Report {
  /// - Parameter tests: Sorted by identity.
  init(title: String, runs: [Run], tests: [TestResult], findings: Findings) {
    self.init(
      title: title, runs: runs.sorted { ($0.start ?? 0, $0.name) < ($1.start ?? 0, $1.name) }, tests: tests,
      faults: findings.faults, notices: findings.notices)
  }
}
