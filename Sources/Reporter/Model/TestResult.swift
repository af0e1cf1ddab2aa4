import Collector
import ExhibitSQLite

/// One test case with what every input said about it, joined; paths are relative to the source root where they lie
/// below it.
typealias TestResult = TestRecord<TestEvidence>

extension TestResult {
  /// Whether it failed in one attempt and not in the one that decided.
  var isFlaky: Bool { !outcome.isFailure && hasFailedOnce }

  /// Whether it failed in any attempt.
  var hasFailedOnce: Bool { outcome.isFailure || self.attempts.contains { $0.outcome.isFailure } }
}

/// When a test began, and in which process.
struct TestSpan: Sendable, Equatable {
  /// What the time line calls it, such as `Process 4711`.
  var process: String
  /// Seconds since 1970.
  var start: Double
}

/// One attempt at a test beside the one that decided.
struct TestAttempt: Sendable, Equatable {
  var outcome: Outcome
  /// Seconds; `nil` when no input knew.
  var duration: Double?
  var issues: [TestIssue] = []
  /// Its run, where the attempts are of several.
  var run: RunID?
  /// What it printed, where an input tells.
  var output: String?
}

/// A name and a value that a test or its framework recorded.
struct TestProperty: Sendable, Equatable {
  var name: String
  var value: String
}

/// A place in the sources: relative to the source root where it lies below it.
struct SourceReference: Sendable, Hashable {
  var file: String
  /// From 1; `nil` when the input told none.
  var line: Int?
}

extension SourceReference {
  /// `nil` for what names no file: `<EXPR>`, `<unknown>` and the like.
  init?(file: String?, line: Int?) {
    guard let file, !file.isEmpty, !file.hasPrefix("<") else { return nil }
    self.init(file: file, line: line.flatMap { $0 > 0 ? $0 : nil })
  }
}

extension SourceRoot {
  func relative(_ reference: SourceReference) -> SourceReference {
    SourceReference(file: relative(reference.file), line: reference.line)
  }
}

/// Something a test recorded.
struct TestIssue: Sendable, Equatable {
  var message: String
  var location: SourceReference?
  var severity: RecordedIssue.Severity
  /// Whether `withKnownIssue` expected it.
  var isKnown: Bool

  /// Whether it makes its test fail.
  var isFailure: Bool { severity == .error && !isKnown }
}

/// A file as it lay on disk.
struct RawFile: Sendable, Equatable {
  var path: String
  var bytes: Int
}

/// One piece of evidence of a test, or the reason why there is none.
struct TestEvidence: Sendable, Equatable {
  var kind: EvidenceKind
  var name: String
  /// Relative to the report folder, percent-encoding not applied; `nil` when nothing could be captured or linked.
  var path: String?
  var bytes: Int?
  /// The original's path, relative to the source root where it lies below it.
  var source: String?
  var database: DatabaseCapture?
  var archive: DirectoryArchive?
  /// The raw database and its WAL or journal that were kept beside it, relative to the report folder.
  var rawFiles: [RawFile] = []
  /// Why there is no file, in one sentence; `nil` when there is one.
  var failure: String?
  /// The run that it is of, where the test has attempts in several.
  var run: RunID?

  /// The raw database and the WAL beside it, where both were kept.
  var rawWAL: (database: String, wal: String)? {
    for file in rawFiles where file.path.hasSuffix(SideFile.wal.suffix) {
      let database = String(file.path.dropLast(SideFile.wal.suffix.utf8.count))
      if rawFiles.contains(where: { $0.path == database }) { return (database, file.path) }
    }
    return nil
  }
}
