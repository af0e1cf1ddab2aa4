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
  /// Why there is no file, in one sentence; `nil` when there is one.
  var failure: String?
}
