import Collector

/// One test case with what every input said about it, joined.
struct TestResult: Sendable, Equatable {
  var id: TestCaseID
  /// `nil` when only an xunit file of unknown origin named the test.
  var framework: TestFramework?
  var displayName: String?
  var outcome: Outcome
  /// Seconds; `nil` when no input knew.
  var duration: Double?
  /// Where the test is declared, relative to the source root where it lies below it.
  var location: SourceReference?
  var issues: [TestIssue] = []
  var evidence: [TestEvidence] = []
  /// The tags of the test and its suites as its source names them, without the leading dot.
  var tags: [String] = []
  /// Why it was skipped.
  var skipReason: String?
  /// The other attempts at it, oldest first; `outcome` is that of the attempt that decided.
  var attempts: [TestAttempt] = []
  /// What it printed, where an input tells: standard output, then standard error.
  var output: String?
  /// The end of the process that died while it ran, where `reporter test` kept the output.
  var crash: CrashOutput?
  /// What it recorded of itself, in the order of the input.
  var properties: [TestProperty] = []

  /// Whether it failed in one attempt and not in the one that decided.
  var isFlaky: Bool { !outcome.isFailure && hasFailedOnce }

  /// Whether it failed in any attempt.
  var hasFailedOnce: Bool { outcome.isFailure || attempts.contains { $0.outcome.isFailure } }
}

/// One attempt at a test beside the one that decided.
struct TestAttempt: Sendable, Equatable {
  var outcome: Outcome
  /// Seconds; `nil` when no input knew.
  var duration: Double?
  var issues: [TestIssue] = []
  /// The name of its run, where the attempts are of several runs.
  var run: String?
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
}
