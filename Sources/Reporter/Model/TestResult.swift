import Collector

/// One test case with what every input said about it, joined.
///
/// What most tests do not have takes no room in those: a run can have a million of them.
struct TestResult: Sendable, Equatable {
  var id: TestCaseID
  /// `nil` when only an xunit file of unknown origin named the test.
  var framework: TestFramework?
  var outcome: Outcome
  /// Seconds; `nil` when no input knew.
  var duration: Double?
  /// Empty, or one.
  private var details: [Details] = []

  private struct Details: Sendable, Equatable {
    var displayName: String?
    var location: SourceReference?
    var issues: [TestIssue] = []
    var evidence: [TestEvidence] = []
    var tags: [String] = []
    var skipReason: String?
    var attempts: [TestAttempt] = []
    var output: String?
    var crash: CrashOutput?
    var properties: [TestProperty] = []
    var span: TestSpan?
  }

  init(
    id: TestCaseID, framework: TestFramework? = nil, displayName: String? = nil, outcome: Outcome,
    duration: Double? = nil, location: SourceReference? = nil, issues: [TestIssue] = [],
    evidence: [TestEvidence] = [], tags: [String] = [], skipReason: String? = nil,
    attempts: [TestAttempt] = [], output: String? = nil, properties: [TestProperty] = [],
    span: TestSpan? = nil
  ) {
    self.id = id
    self.framework = framework
    self.outcome = outcome
    self.duration = duration
    let isPlain =
      displayName == nil && location == nil && issues.isEmpty && evidence.isEmpty && tags.isEmpty
      && skipReason == nil && attempts.isEmpty && output == nil && properties.isEmpty && span == nil
    guard !isPlain else { return }
    details = [
      Details(
        displayName: displayName, location: location, issues: issues, evidence: evidence, tags: tags,
        skipReason: skipReason, attempts: attempts, output: output, properties: properties, span: span)
    ]
  }

  /// The details to change, made if there are none.
  private var changing: Details {
    get { details.first ?? Details() }
    _modify {
      if details.isEmpty { details = [Details()] }
      yield &details[0]
    }
  }

  var displayName: String? {
    get { details.first?.displayName }
    set { if newValue != nil || !details.isEmpty { changing.displayName = newValue } }
  }

  /// Where the test is declared, relative to the source root where it lies below it.
  var location: SourceReference? {
    get { details.first?.location }
    set { if newValue != nil || !details.isEmpty { changing.location = newValue } }
  }

  var issues: [TestIssue] {
    get { details.first?.issues ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.issues = newValue } }
  }

  var evidence: [TestEvidence] {
    get { details.first?.evidence ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.evidence = newValue } }
  }

  /// The tags of the test and its suites as its source names them, without the leading dot.
  var tags: [String] {
    get { details.first?.tags ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.tags = newValue } }
  }

  /// Why it was skipped.
  var skipReason: String? {
    get { details.first?.skipReason }
    set { if newValue != nil || !details.isEmpty { changing.skipReason = newValue } }
  }

  /// The other attempts at it, oldest first; `outcome` is that of the attempt that decided.
  var attempts: [TestAttempt] {
    get { details.first?.attempts ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.attempts = newValue } }
  }

  /// What it printed, where an input tells: standard output, then standard error.
  var output: String? {
    get { details.first?.output }
    set { if newValue != nil || !details.isEmpty { changing.output = newValue } }
  }

  /// The end of the process that died while it ran, where `reporter test` kept the output.
  var crash: CrashOutput? {
    get { details.first?.crash }
    set { if newValue != nil || !details.isEmpty { changing.crash = newValue } }
  }

  /// What it recorded of itself, in the order of the input.
  var properties: [TestProperty] {
    get { details.first?.properties ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.properties = newValue } }
  }

  /// When it ran and where, in the newest run.
  var span: TestSpan? {
    get { details.first?.span }
    set { if newValue != nil || !details.isEmpty { changing.span = newValue } }
  }

  /// Whether it has no more than a name, an outcome and a duration.
  var isPlain: Bool { details.isEmpty }

  /// Whether it failed in one attempt and not in the one that decided.
  var isFlaky: Bool { !outcome.isFailure && hasFailedOnce }

  /// Whether it failed in any attempt.
  var hasFailedOnce: Bool { outcome.isFailure || attempts.contains { $0.outcome.isFailure } }
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
  /// The name of its run, where the attempts are of several runs.
  var run: String?
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
