package import Collector
import ExhibitSQLite

/// One test case joined from all inputs; paths below the source root are relative to it.
package typealias TestResult = TestRecord

extension TestResult {
  /// True when it failed in one attempt and not in the deciding one.
  package var isFlaky: Bool { !outcome.isFailure && hasFailedOnce }

  /// The label under which it ended as it did at last; `nil` where it ran under one.
  package var decidingLabel: String? {
    isPlain ? nil : self.labels.last { $0.outcome == outcome }?.label
  }

  /// Its issues; those of the last attempt that failed where it passed in the end.
  package var issuesOfFailure: [TestIssue] {
    outcome.isFailure ? self.issues : self.attempts.last { $0.outcome.isFailure }?.issues ?? self.issues
  }

  /// True when it failed in any attempt.
  package var hasFailedOnce: Bool { outcome.isFailure || self.attempts.contains { $0.outcome.isFailure } }
}

/// The start of a test, and its process.
package struct TestSpan: Sendable, Equatable {
  /// The process's name in the time line, such as `Process 4711`.
  package var process: String
  /// Seconds since 1970.
  package var start: Double

  package init(process: String, start: Double) {
    self.process = process
    self.start = start
  }
}

/// An attempt at a test that did not decide.
package struct TestAttempt: Sendable, Equatable {
  package var outcome: Outcome
  /// Seconds; `nil` when no input has it.
  package var duration: Double?
  package var issues: [TestIssue]
  /// The run, where the attempts are of several.
  package var run: RunID?
  /// The name of that run's machines, where the test ran on several.
  package var label: String?
  /// The output, if an input has it.
  package var output: String?

  /// What a test itself did.
  package init(_ test: TestRecord) {
    self.init(outcome: test.outcome, duration: test.duration, issues: test.issues, output: test.output)
  }

  package init(
    outcome: Outcome, duration: Double? = nil, issues: [TestIssue] = [], run: RunID? = nil,
    output: String? = nil
  ) {
    self.outcome = outcome
    self.duration = duration
    self.issues = issues
    self.run = run
    self.output = output
  }
}

/// A name and a value that a test or its framework recorded.
package struct TestProperty: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A place in the sources; below the source root its path is relative to that.
package struct SourceReference: Sendable, Hashable {
  package var file: String
  /// The line, from 1; `nil` when the input has none.
  package var line: Int?

  package init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}

extension SourceReference {
  /// `nil` for a text that names no file: `<EXPR>`, `<unknown>` and the like.
  package init?(file: String?, line: Int?) {
    guard let file, !file.isEmpty, !file.hasPrefix("<") else { return nil }
    self.init(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
  }
}

extension SourceRoot {
  package func relative(_ reference: SourceReference) -> SourceReference {
    SourceReference(file: relative(reference.file), line: reference.line)
  }
}

/// An issue that a test recorded.
package struct TestIssue: Sendable, Equatable {
  package var message: String
  package var location: SourceReference?
  /// The source of `location`.
  package var placeOrigin = PlaceOrigin.framework
  package var severity: RecordedIssue.Severity
  /// True when `withKnownIssue` expected it.
  package var isKnown: Bool

  package enum PlaceOrigin: String, Sendable {
    /// The test library told it.
    case framework
    /// The test library told none: it is the test's line on the stack of the step whose error was thrown.
    case step
  }

  package init(
    message: String, location: SourceReference? = nil, severity: RecordedIssue.Severity, isKnown: Bool
  ) {
    self.message = message.withoutUnknownContexts
    self.location = location
    self.severity = severity
    self.isKnown = isKnown
  }

  /// True when it makes its test fail.
  package var isFailure: Bool { severity == .error && !isKnown }
}

/// A file as it was on disk.
package struct RawFile: Sendable, Equatable {
  package var path: String
  package var bytes: Int

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}

/// One piece of a test's evidence, or the reason why there is none.
package struct TestEvidence: Sendable, Equatable {
  package var kind: EvidenceKind
  package var name: String
  /// The path relative to the report folder, not percent-encoded; `nil` when nothing could be captured or linked.
  package var path: String?
  package var bytes: Int?
  /// The original's path; below the source root it is relative to that.
  package var source: String?
  package var database: DatabaseCapture?
  package var archive: DirectoryArchive?
  /// The raw database and its WAL or journal, with paths relative to the report folder.
  package var rawFiles: [RawFile]
  /// One sentence that says why there is no file; `nil` when there is one.
  package var failure: String?
  /// The run, where the test has attempts in several.
  package var run: RunID?

  package init(
    kind: EvidenceKind, name: String, path: String? = nil, bytes: Int? = nil, source: String? = nil,
    database: DatabaseCapture? = nil, archive: DirectoryArchive? = nil, rawFiles: [RawFile] = [],
    failure: String? = nil, run: RunID? = nil
  ) {
    self.kind = kind
    self.name = name
    self.path = path
    self.bytes = bytes
    self.source = source
    self.database = database
    self.archive = archive
    self.rawFiles = rawFiles
    self.failure = failure
    self.run = run
  }

  /// The raw database and its WAL, if both were kept.
  package var rawWAL: (database: String, wal: String)? {
    for file in rawFiles where file.path.hasSuffix(SideFile.wal.suffix) {
      let database = String(file.path.dropLast(SideFile.wal.suffix.utf8.count))
      if rawFiles.contains(where: { $0.path == database }) { return (database, file.path) }
    }
    return nil
  }
}
