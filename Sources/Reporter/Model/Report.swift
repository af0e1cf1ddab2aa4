import Collector

/// Everything a report says, before anything is rendered: values only, no paths of this machine.
struct Report: Sendable, Equatable {
  /// What the page is headed with: the package's name.
  var title: String
  /// The runs it speaks of, oldest first.
  var runs: [Run]
  /// Sorted by identity.
  var tests: [TestResult]
  var faults: [Finding]
  var notices: [Finding]

  /// Whether something was lost, guessed or contradictory.
  var isDegraded: Bool { !faults.isEmpty }

  /// The version of report.json's format, `major.minor`.
  static let format = "1.0"

  /// One `swift test` as the page tells of it.
  struct Run: Sendable, Equatable {
    var name: String
    /// Seconds since 1970.
    var start: Double?
    var toolchain: String?
    var commit: String?
    /// The CI job's page.
    var link: String?
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
