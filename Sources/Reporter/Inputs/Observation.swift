import Collector

/// What one input says about one test case; paths are as the input gave them.
///
/// What most tests do not have takes no room in those: a run can have a million of them.
struct Observation: Sendable, Equatable {
  var id: TestCaseID
  var framework: TestFramework?
  var outcome: Outcome
  /// Seconds.
  var duration: Double?
  /// Empty, or one.
  private var details: [Details] = []

  private struct Details: Sendable, Equatable {
    var displayName: String?
    var location: SourceReference?
    var issues: [TestIssue] = []
    var evidence: [ObservedEvidence] = []
    var skipReason: String?
    var attempts: [TestAttempt] = []
    var output: String?
    var crash: CrashOutput?
    var properties: [TestProperty] = []
    var tags: [String] = []
    var span: TestSpan?
  }

  init(
    id: TestCaseID, framework: TestFramework? = nil, outcome: Outcome, displayName: String? = nil,
    duration: Double? = nil, location: SourceReference? = nil, issues: [TestIssue] = [],
    evidence: [ObservedEvidence] = [], skipReason: String? = nil, tags: [String] = [], span: TestSpan? = nil
  ) {
    self.id = id
    self.framework = framework
    self.outcome = outcome
    self.duration = duration
    let isPlain =
      displayName == nil && location == nil && issues.isEmpty && evidence.isEmpty && skipReason == nil
      && tags.isEmpty && span == nil
    guard !isPlain else { return }
    details = [
      Details(
        displayName: displayName, location: location, issues: issues, evidence: evidence,
        skipReason: skipReason, tags: tags, span: span)
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

  var location: SourceReference? {
    get { details.first?.location }
    set { if newValue != nil || !details.isEmpty { changing.location = newValue } }
  }

  var issues: [TestIssue] {
    get { details.first?.issues ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.issues = newValue } }
  }

  var evidence: [ObservedEvidence] {
    get { details.first?.evidence ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.evidence = newValue } }
  }

  var skipReason: String? {
    get { details.first?.skipReason }
    set { if newValue != nil || !details.isEmpty { changing.skipReason = newValue } }
  }

  /// The other attempts of the test, oldest first.
  var attempts: [TestAttempt] {
    get { details.first?.attempts ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.attempts = newValue } }
  }

  /// What the test printed, where the input tells.
  var output: String? {
    get { details.first?.output }
    set { if newValue != nil || !details.isEmpty { changing.output = newValue } }
  }

  /// The end of the process that died while it ran.
  var crash: CrashOutput? {
    get { details.first?.crash }
    set { if newValue != nil || !details.isEmpty { changing.crash = newValue } }
  }

  var properties: [TestProperty] {
    get { details.first?.properties ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.properties = newValue } }
  }

  /// The tags of the test and its suites, without the leading dot.
  var tags: [String] {
    get { details.first?.tags ?? [] }
    set { if !newValue.isEmpty || !details.isEmpty { changing.tags = newValue } }
  }

  /// When it ran and where.
  var span: TestSpan? {
    get { details.first?.span }
    set { if newValue != nil || !details.isEmpty { changing.span = newValue } }
  }

  /// Whether it has no more than a name, an outcome and a duration.
  var isPlain: Bool { details.isEmpty }
}
