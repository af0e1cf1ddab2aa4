package import Collector
import ExhibitSQLite

/// One test case with what every input said about it, joined; paths are relative to the source root where they lie
/// below it.
package typealias TestResult = TestRecord<TestEvidence>

extension TestResult {
  /// Whether it failed in one attempt and not in the one that decided.
  package var isFlaky: Bool { !outcome.isFailure && hasFailedOnce }

  /// Whether it failed in any attempt.
  package var hasFailedOnce: Bool { outcome.isFailure || self.attempts.contains { $0.outcome.isFailure } }
}

/// When a test began, and in which process.
package struct TestSpan: Sendable, Equatable {
  /// What the time line calls it, such as `Process 4711`.
  package var process: String
  /// Seconds since 1970.
  package var start: Double

  package init(process: String, start: Double) {
    self.process = process
    self.start = start
  }
}

/// One attempt at a test beside the one that decided.
package struct TestAttempt: Sendable, Equatable {
  package var outcome: Outcome
  /// Seconds; `nil` when no input knew.
  package var duration: Double?
  package var issues: [TestIssue]
  /// Its run, where the attempts are of several.
  package var run: RunID?
  /// What it printed, where an input tells.
  package var output: String?

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

/// A place in the sources: relative to the source root where it lies below it.
package struct SourceReference: Sendable, Hashable {
  package var file: String
  /// From 1; `nil` when the input told none.
  package var line: Int?

  package init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }
}

extension SourceReference {
  /// `nil` for what names no file: `<EXPR>`, `<unknown>` and the like.
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

/// Something a test recorded.
package struct TestIssue: Sendable, Equatable {
  package var message: String
  package var location: SourceReference?
  package var severity: RecordedIssue.Severity
  /// Whether `withKnownIssue` expected it.
  package var isKnown: Bool

  package init(
    message: String, location: SourceReference? = nil, severity: RecordedIssue.Severity, isKnown: Bool
  ) {
    self.message = message
    self.location = location
    self.severity = severity
    self.isKnown = isKnown
  }

  /// Whether it makes its test fail.
  package var isFailure: Bool { severity == .error && !isKnown }
}

/// A file as it lay on disk.
package struct RawFile: Sendable, Equatable {
  package var path: String
  package var bytes: Int

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}

/// One piece of evidence of a test, or the reason why there is none.
package struct TestEvidence: Sendable, Equatable {
  package var kind: EvidenceKind
  package var name: String
  /// Relative to the report folder, percent-encoding not applied; `nil` when nothing could be captured or linked.
  package var path: String?
  package var bytes: Int?
  /// The original's path, relative to the source root where it lies below it.
  package var source: String?
  package var database: DatabaseCapture?
  package var archive: DirectoryArchive?
  /// The raw database and its WAL or journal that were kept beside it, relative to the report folder.
  package var rawFiles: [RawFile]
  /// Why there is no file, in one sentence; `nil` when there is one.
  package var failure: String?
  /// The run that it is of, where the test has attempts in several.
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

  /// The raw database and the WAL beside it, where both were kept.
  package var rawWAL: (database: String, wal: String)? {
    for file in rawFiles where file.path.hasSuffix(SideFile.wal.suffix) {
      let database = String(file.path.dropLast(SideFile.wal.suffix.utf8.count))
      if rawFiles.contains(where: { $0.path == database }) { return (database, file.path) }
    }
    return nil
  }
}
