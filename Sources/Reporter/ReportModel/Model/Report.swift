/// A report before rendering, without paths of this machine.
package struct Report: Sendable, Equatable {
  package var title: String
  /// Oldest first.
  package var runs: [Run]
  /// By identity.
  package var tests: [TestResult]
  package var faults: [Remark]
  package var notices: [Remark]
  package var missingShards: [MissingShard] = []

  /// - Parameter tests: Sorted by identity.
  package init(
    title: String, runs: [Run], tests: consuming [TestResult], faults: [Remark] = [], notices: [Remark] = []
  ) {
    self.title = title
    self.runs = runs.sorted { ($0.start ?? 0, $0.name) < ($1.start ?? 0, $1.name) }
    // In place: there can be a million.
    self.tests = consume tests
    for index in self.tests.detailed {
      self.tests[index].removeTerminalSequences()
    }
    self.faults = faults.map(\.withoutTerminalSequences)
    self.notices = notices.map(\.withoutTerminalSequences)
  }

  package mutating func add(_ remarks: Remarks) {
    faults += remarks.faults
    notices += remarks.notices
  }

  package var isDegraded: Bool { !faults.isEmpty }

  /// Sentences on tests that did not run for a crash that is known.
  package var cutShort: [String] {
    notices.filter { $0.kind == Remark.Kind.unobservedTests.rawValue }.map(\.message)
  }

  package static let format = "1.0"

  package struct Run: Sendable, Equatable {
    /// Its name on pages: its path when another run has its name.
    package var name: String
    package let ownName: String
    /// Seconds since 1970.
    package var start: Double?
    package var toolchain: String?
    package var commit: String?
    /// Tracked files had changed since that commit.
    package var isDirty: Bool?
    package var branch: String?
    package var link: String?
    package var job: String?
    package var host: String?
    /// The user's name for the machines.
    package var label: String?
    package var shard: Shard?
    package var overview: RunOverview?

    package static let mostAhead = 86_400.0

    package init(
      name: String, start: Double? = nil, toolchain: String? = nil, commit: String? = nil,
      isDirty: Bool? = nil,
      branch: String? = nil, link: String? = nil, job: String? = nil, host: String? = nil,
      label: String? = nil, shard: Shard? = nil
    ) {
      self.name = name
      self.ownName = name
      self.start = start
      self.toolchain = toolchain
      self.commit = commit
      self.isDirty = isDirty
      self.branch = branch
      self.link = link
      self.job = job
      self.host = host
      self.label = label
      self.shard = shard
    }
  }
}

extension Remark {
  fileprivate var withoutTerminalSequences: Remark {
    Remark(kind: kind, message: ReportModel.withoutTerminalSequences(message), input: input)
  }
}

extension TestResult {
  fileprivate mutating func removeTerminalSequences() {
    changeIssues { $0.message = withoutTerminalSequences($0.message) }
    for index in self.attempts.indices {
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
