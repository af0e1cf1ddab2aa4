package import Collector

/// One test case according to one input, or to all of them joined.
///
/// Details that most tests lack take no room in those, since a run can have a million of them. With the details in
/// each record, a report of 100,000 tests took 1.4 times the processor time and a peak of 109 MB instead of 65 MB. It is
/// one type for both, since records of two would be copied from one to the other.
package struct TestRecord: Sendable, Equatable {
  package var id: TestCaseID
  /// At most one element.
  @usableFromInline var details: [TestDetails] = []
  /// Seconds; `nil` when no input has it.
  package var duration: Double?
  /// `nil` when only an xunit file of unknown origin has the test.
  package var framework: TestFramework?
  package var outcome: Outcome
  /// True when only xunit files have it.
  package var isOfXUnitAlone = false

  package init(
    id: TestCaseID, framework: TestFramework? = nil, displayName: String? = nil, outcome: Outcome,
    duration: Double? = nil, location: SourceReference? = nil, issues: [TestIssue] = [],
    observed: [ObservedEvidence] = [], evidence: [TestEvidence] = [], tags: [String] = [],
    skipReason: String? = nil, attempts: [TestAttempt] = [], output: String? = nil, crash: CrashOutput? = nil,
    properties: [TestProperty] = [], span: TestSpan? = nil
  ) {
    self.init(id: id, framework: framework, outcome: outcome, duration: duration)
    let details = TestDetails(
      displayName: displayName, location: location, issues: issues, observed: observed, evidence: evidence,
      tags: tags, skipReason: skipReason, attempts: attempts, output: output, crash: crash,
      properties: properties, span: span)
    if details != .none { self.details = [details] }
  }

  /// Makes one without details.
  package init(id: TestCaseID, framework: TestFramework?, outcome: Outcome, duration: Double?) {
    self.id = id
    self.framework = framework
    self.outcome = outcome
    self.duration = duration
  }

  /// True when it has only a name, an outcome and a duration.
  ///
  /// Inlinable, because a call copies all of the record, and this is asked often of each of a million.
  @inlinable package var isPlain: Bool { details.isEmpty }

  /// Changes the details in place: a setter would copy an array for each element that is set.
  private var changed: TestDetails {
    get { details.first ?? .none }
    _modify {
      let wasPlain = details.isEmpty
      if wasPlain { details = [.none] }
      defer { if wasPlain && details[0] == .none { details = [] } }
      yield &details[0]
    }
  }

  package var displayName: String? {
    get { isPlain ? nil : details[0].displayName }
    _modify { yield &changed.displayName }
  }

  /// The place of the test's declaration.
  package var location: SourceReference? {
    get { isPlain ? nil : details[0].location }
    _modify { yield &changed.location }
  }

  package var issues: [TestIssue] {
    get { isPlain ? [] : details[0].issues }
    _modify { yield &changed.issues }
  }

  /// The evidence that inputs name, until its files are in the report folder.
  package var observed: [ObservedEvidence] {
    get { isPlain ? [] : details[0].observed }
    _modify { yield &changed.observed }
  }

  package var evidence: [TestEvidence] {
    get { isPlain ? [] : details[0].evidence }
    _modify { yield &changed.evidence }
  }

  /// The tags of the test and its suites as its source names them, without the leading dot.
  package var tags: [String] {
    get { isPlain ? [] : details[0].tags }
    _modify { yield &changed.tags }
  }

  /// The reason why it was skipped.
  package var skipReason: String? {
    get { isPlain ? nil : details[0].skipReason }
    _modify { yield &changed.skipReason }
  }

  /// The other attempts, oldest first; `outcome` is that of the deciding attempt.
  package var attempts: [TestAttempt] {
    get { isPlain ? [] : details[0].attempts }
    _modify { yield &changed.attempts }
  }

  /// The output, if an input has it: standard output, then standard error.
  package var output: String? {
    get { isPlain ? nil : details[0].output }
    _modify { yield &changed.output }
  }

  /// The end of the process that died while it ran, if `reporter test` kept the output.
  package var crash: CrashOutput? {
    get { isPlain ? nil : details[0].crash }
    _modify { yield &changed.crash }
  }

  /// The properties that it recorded, in the order of the input.
  package var properties: [TestProperty] {
    get { isPlain ? [] : details[0].properties }
    _modify { yield &changed.properties }
  }

  /// Its outcome under each label, in the order of their runs; empty where it ran under one.
  package var labels: [LabelledOutcome] {
    get { isPlain ? [] : details[0].labels }
    _modify { yield &changed.labels }
  }

  /// Its time and process in the newest run.
  package var span: TestSpan? {
    get { isPlain ? nil : details[0].span }
    _modify { yield &changed.span }
  }

  /// Changes the places that it and its issues name.
  package mutating func mapLocations(_ change: (SourceReference) -> SourceReference) {
    if let location { self.location = change(location) }
    changeIssues { $0.location = $0.location.map(change) }
  }

  /// Changes the issues of all attempts where they stand.
  mutating func changeIssues(_ change: (inout TestIssue) -> Void) {
    for index in issues.indices { change(&issues[index]) }
    for attempt in attempts.indices {
      for index in attempts[attempt].issues.indices { change(&attempts[attempt].issues[index]) }
    }
  }
}

/// Questions to all tests of a run. A loop over `indices` copies each test that it looks at, and these copy none.
extension [TestRecord] {
  /// The places by identity.
  ///
  /// The first of two with the same identity stays first. Places are moved faster than tests.
  package var sortedPlaces: [Int] {
    withUnsafeBufferPointer { tests in tests.indices.sorted { tests[$0].id < tests[$1].id } }
  }

  /// The places of tests with more than a name, an outcome and a duration.
  package var detailed: [Int] {
    withUnsafeBufferPointer { tests in tests.indices.filter { !tests[$0].isPlain } }
  }

  /// The places of tests that failed or have more than a name, an outcome and a duration.
  package var telling: [Int] {
    withUnsafeBufferPointer { tests in
      tests.indices.filter { !tests[$0].isPlain || tests[$0].outcome.isFailure }
    }
  }

  /// The places of the tests that took longest, the slowest first; none that took no time.
  package func slowest(_ most: Int) -> [Int] {
    withUnsafeBufferPointer { tests in
      var slowest: [(place: Int, seconds: Double)] = []
      for place in tests.indices {
        let seconds = tests[place].duration ?? 0
        guard seconds > 0, slowest.count < most || seconds > slowest[most - 1].seconds else { continue }
        slowest.insert((place, seconds), at: slowest.firstIndex { $0.seconds < seconds } ?? slowest.endIndex)
        if slowest.count > most { slowest.removeLast() }
      }
      return slowest.map(\.place)
    }
  }
}

/// Details that few tests have.
@usableFromInline struct TestDetails: Sendable, Equatable {
  static let none = TestDetails()

  var displayName: String?
  var location: SourceReference?
  var issues: [TestIssue] = []
  var observed: [ObservedEvidence] = []
  var evidence: [TestEvidence] = []
  var tags: [String] = []
  var skipReason: String?
  var attempts: [TestAttempt] = []
  var output: String?
  var crash: CrashOutput?
  var properties: [TestProperty] = []
  var labels: [LabelledOutcome] = []
  var span: TestSpan?
}
