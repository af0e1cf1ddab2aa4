import Collector

/// Everything a report says, before anything is rendered: values only, no paths of this machine.
struct Report: Sendable, Equatable {
  /// What the page is headed with: the package's name.
  var title: String
  /// The runs it speaks of, oldest first.
  var runs: [Run]
  /// Sorted by identity.
  var tests: [TestResult]
  var faults: [Remark]
  var notices: [Remark]

  /// - Parameters:
  ///   - tests: Sorted by identity; a terminal's control sequences in their texts and in those of remarks go.
  init(title: String, runs: [Run], tests: consuming [TestResult], faults: [Remark], notices: [Remark]) {
    self.title = title
    self.runs = runs
    // In place: there can be a million tests.
    self.tests = tests
    for index in self.tests.indices where !self.tests[index].isPlain {
      self.tests[index].removeTerminalSequences()
    }
    self.faults = faults.map(\.withoutTerminalSequences)
    self.notices = notices.map(\.withoutTerminalSequences)
  }

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
  init(title: String, runs: [Run], tests: consuming [TestResult], remarks: Remarks) {
    self.init(
      title: title, runs: runs.sorted { ($0.start ?? 0, $0.name) < ($1.start ?? 0, $1.name) }, tests: tests,
      faults: remarks.faults, notices: remarks.notices)
  }
}

extension Remark {
  fileprivate var withoutTerminalSequences: Remark {
    Remark(kind: kind, message: Reporter.withoutTerminalSequences(message), input: input)
  }
}

extension TestResult {
  /// From all that a test or its framework printed.
  fileprivate mutating func removeTerminalSequences() {
    if !self.issues.isEmpty { self.issues.removeTerminalSequences() }
    for index in self.attempts.indices {
      self.attempts[index].issues.removeTerminalSequences()
      self.attempts[index].output = self.attempts[index].output.map(withoutTerminalSequences)
    }
    for index in self.properties.indices {
      self.properties[index].value = withoutTerminalSequences(self.properties[index].value)
    }
    if let reason = self.skipReason { self.skipReason = withoutTerminalSequences(reason) }
    if let output = self.output { self.output = withoutTerminalSequences(output) }
    if let crash = self.crash {
      self.crash?.lastLines = crash.lastLines.map(withoutTerminalSequences)
      self.crash?.backtrace = crash.backtrace.map(withoutTerminalSequences)
    }
  }
}

extension [TestIssue] {
  fileprivate mutating func removeTerminalSequences() {
    for index in indices { self[index].message = withoutTerminalSequences(self[index].message) }
  }
}
