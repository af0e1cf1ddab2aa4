/// The content of a report before rendering: values only, without paths of this machine.
package struct Report: Sendable, Equatable {
  /// The page's heading, which is the package's name.
  package var title: String
  /// The runs, oldest first.
  package var runs: [Run]
  /// Tests sorted by identity.
  package var tests: [TestResult]
  package var faults: [Remark]
  package var notices: [Remark]

  /// - Parameters:
  ///   - tests: Tests sorted by identity. Control sequences of terminals are removed from their texts and from
  ///     remarks.
  package init(
    title: String, runs: [Run], tests: consuming [TestResult], faults: [Remark] = [], notices: [Remark] = []
  ) {
    self.title = title
    self.runs = runs.sorted { ($0.start ?? 0, $0.name) < ($1.start ?? 0, $1.name) }
    // In place, since there can be a million tests.
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

  /// True when something was lost, guessed or contradictory.
  package var isDegraded: Bool { !faults.isEmpty }

  /// The version of report.json's format, `major.minor`.
  package static let format = "1.0"

  /// One `swift test`, as the page shows it.
  package struct Run: Sendable, Equatable {
    /// The name on pages: its place, where another run has its name.
    package var name: String
    /// Its name in its manifest, wherever it lies.
    package let ownName: String
    /// Seconds since 1970.
    package var start: Double?
    package var toolchain: String?
    package var commit: String?
    /// True when files that git tracks had changed since that commit; `nil` where that is not known.
    package var isDirty: Bool?
    package var branch: String?
    /// The address of the CI job's page.
    package var link: String?
    /// The CI service's name for the job.
    package var job: String?
    /// The name of the machine.
    package var host: String?
    /// The user's name for the machines that run the tests.
    package var label: String?
    /// `nil` for a run that is not known to be one.
    package var shard: Shard?
    /// Its counts and times, where the report is on several runs.
    package var overview: RunOverview?

    /// Seconds that a run may begin ahead of the reader's clock; beyond them its machine's clock is wrong.
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
  /// Removes them from everything that a test or its framework printed.
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
