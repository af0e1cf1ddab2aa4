package import ExhibitSystem

/// One line of a log: everything it says is in it, so that any line can be read alone.
///
/// The wire format is artifacts format 1.0, described in `docs/artifacts-format.md`.
package struct LogRecord: Sendable, Equatable {
  /// Seconds since 1970, to the microsecond.
  package var time: Double
  /// The test the record speaks of; `nil` for the process itself and for what no test owns.
  package var test: TestCaseID?
  /// What happened.
  package var event: Event

  /// What a record can say; the coding key `kind` names the case.
  package enum Event: Sendable, Equatable {
    case process(ProcessHeader)
    case testStarted(TestStart)
    case issue(RecordedIssue)
    case databaseOpened(OpenedDatabase)
    case databaseAttached(OpenedDatabase)
    case fixtureUsed(UsedFixture)
    case databaseUsed(DatabaseConnection)
    case databaseClosed(DatabaseConnection)
    case tablesExcluded(ExcludedTables)
    case evidence(CapturedEvidence)
    case captureFailed(CaptureFailure)
    case testFinished(TestEnd)
    case processFinished(ProcessEnd)
  }

  package init(time: Double, test: TestCaseID? = nil, event: Event) {
    self.time = time
    self.test = test
    self.event = event
  }
}

/// The first line of a log: whose it is and which format it speaks.
package struct ProcessHeader: Sendable, Equatable, Codable {
  /// The artifacts format, `major.minor`.
  package var format: String
  package var pid: Int32
  /// Clock ticks after boot at which the process started (field 22 of `/proc/PID/stat`).
  package var startTicks: UInt64
  /// The file name of the test executable.
  package var executable: String
  /// The machine's boot id, by which its processes and files are known again.
  package var boot: String?

  package init(
    format: String = ArtifactsFormat.current, pid: Int32, startTicks: UInt64, executable: String,
    boot: String? = nil
  ) {
    self.format = format
    self.boot = boot
    self.pid = pid
    self.startTicks = startTicks
    self.executable = executable
  }
}

/// Which test library ran a test.
package enum TestFramework: String, Sendable, Codable, CaseIterable {
  case xctest
  case swiftTesting = "swift-testing"
}

/// A test case began.
package struct TestStart: Sendable, Equatable, Codable {
  package var framework: TestFramework
  /// The name given in `@Test("…")`.
  package var displayName: String?
  package var file: String?
  package var line: Int?

  package init(framework: TestFramework, displayName: String? = nil, file: String? = nil, line: Int? = nil) {
    self.framework = framework
    self.displayName = displayName
    self.file = file
    self.line = line
  }
}

/// A test recorded an issue.
package struct RecordedIssue: Sendable, Equatable, Codable {
  package enum Severity: String, Sendable, Codable, CaseIterable {
    case error, warning
  }

  package var severity: Severity
  /// Whether `withKnownIssue` expected it.
  package var known: Bool
  package var message: String
  /// The absolute path of the source file, when the framework told it.
  package var file: String?
  package var line: Int?

  package init(
    severity: Severity = .error, known: Bool = false, message: String, file: String? = nil, line: Int? = nil
  ) {
    self.severity = severity
    self.known = known
    self.message = message
    self.file = file
    self.line = line
  }
}

/// A connection to a database was opened, or has attached another database file.
package struct OpenedDatabase: Sendable, Equatable, Codable {
  /// The number of the connection in its process, from 1.
  package var connection: Int
  /// The absolute path of the file; `nil` for in-memory and temporary databases, of which a log has the first one that a
  /// test uses.
  package var path: String?
  /// Which file that was, so that another one in its place is not taken for it.
  package var device: UInt64?
  package var inode: UInt64?

  package init(connection: Int, path: String?, file: FileIdentity? = nil) {
    self.connection = connection
    self.path = path
    device = file?.device
    inode = file?.inode
  }

  /// The file that was opened, when that is known.
  package var file: FileIdentity? {
    guard let device, let inode else { return nil }
    return FileIdentity(device: device, inode: inode)
  }
}

/// A connection that was logged when it was opened.
package struct DatabaseConnection: Sendable, Equatable, Codable {
  /// Its number in its process, from 1.
  package var connection: Int

  package init(_ connection: Int) {
    self.connection = connection
  }
}

/// Tables whose rows no capture for this test may hold.
package struct ExcludedTables: Sendable, Equatable, Codable {
  package var tables: [String]

  package init(_ tables: [String]) {
    self.tables = tables
  }
}

/// A test took a copy of a migration fixture: the store of an old version.
package struct UsedFixture: Sendable, Equatable, Codable {
  /// The absolute path of the folder with the fixtures.
  package var folder: String
  /// The name of the one that was copied.
  package var file: String
  /// As its name says.
  package var version: String
  /// The names of all fixtures of the folder, in the order of their versions.
  package var listed: [String]
  /// Another fixture with the same bytes.
  package var sameAs: String?

  package init(folder: String, file: String, version: String, listed: [String], sameAs: String? = nil) {
    self.folder = folder
    self.file = file
    self.version = version
    self.listed = listed
    self.sameAs = sameAs
  }
}

/// A test case ended.
package struct TestEnd: Sendable, Equatable, Codable {
  package enum Outcome: String, Sendable, Codable, CaseIterable {
    case passed, failed, skipped
  }

  /// As far as the test process knew; what came after (a time limit) other inputs tell.
  package var outcome: Outcome
  /// Seconds.
  package var duration: Double

  package init(outcome: Outcome, duration: Double) {
    self.outcome = outcome
    self.duration = duration
  }
}

/// The process ended in order.
///
/// It is the last line of a log; a log without it is of a process that died.
package struct ProcessEnd: Sendable, Equatable, Codable {
  /// Test cases that were started and that failed in this process.
  package var tests: Int
  package var failed: Int

  package init(tests: Int, failed: Int) {
    self.tests = tests
    self.failed = failed
  }
}
