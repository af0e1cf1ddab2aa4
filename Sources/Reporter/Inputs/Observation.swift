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
  }

  init(
    id: TestCaseID, framework: TestFramework? = nil, outcome: Outcome, displayName: String? = nil,
    duration: Double? = nil, location: SourceReference? = nil, issues: [TestIssue] = [],
    evidence: [ObservedEvidence] = [], skipReason: String? = nil
  ) {
    self.id = id
    self.framework = framework
    self.outcome = outcome
    self.duration = duration
    let details = Details(
      displayName: displayName, location: location, issues: issues, evidence: evidence, skipReason: skipReason
    )
    if details != Details() { self.details = [details] }
  }

  private subscript<Value>(_ path: WritableKeyPath<Details, Value>, absent: Value) -> Value {
    get { details.first?[keyPath: path] ?? absent }
    set {
      if details.isEmpty { details = [Details()] }
      details[0][keyPath: path] = newValue
    }
  }

  var displayName: String? {
    get { self[\.displayName, nil] }
    set { self[\.displayName, nil] = newValue }
  }

  var location: SourceReference? {
    get { self[\.location, nil] }
    set { self[\.location, nil] = newValue }
  }

  var issues: [TestIssue] {
    get { self[\.issues, []] }
    set { self[\.issues, []] = newValue }
  }

  var evidence: [ObservedEvidence] {
    get { self[\.evidence, []] }
    set { self[\.evidence, []] = newValue }
  }

  var skipReason: String? {
    get { self[\.skipReason, nil] }
    set { self[\.skipReason, nil] = newValue }
  }

  /// The other attempts of the test, oldest first.
  var attempts: [TestAttempt] {
    get { self[\.attempts, []] }
    set { self[\.attempts, []] = newValue }
  }

  /// What the test printed, where the input tells.
  var output: String? {
    get { self[\.output, nil] }
    set { self[\.output, nil] = newValue }
  }

  /// The end of the process that died while it ran.
  var crash: CrashOutput? {
    get { self[\.crash, nil] }
    set { self[\.crash, nil] = newValue }
  }

  var properties: [TestProperty] {
    get { self[\.properties, []] }
    set { self[\.properties, []] = newValue }
  }
}
