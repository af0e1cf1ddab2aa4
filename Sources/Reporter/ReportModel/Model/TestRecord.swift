package import Collector

/// One test case in one input, or joined from all of them.
///
/// Details are apart, since a run can have a million tests without any.
package struct TestRecord: Sendable, Equatable {
  package var id: TestCaseID
  @usableFromInline var details: [TestDetails] = []
  /// Seconds.
  package var duration: Double?
  /// `nil` when only an xunit file of unknown origin has it.
  package var framework: TestFramework?
  package var outcome: Outcome
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

  package init(id: TestCaseID, framework: TestFramework?, outcome: Outcome, duration: Double?) {
    self.id = id
    self.framework = framework
    self.outcome = outcome
    self.duration = duration
  }

  /// Inlinable, because a call would copy the record.
  @inlinable package var isPlain: Bool { details.isEmpty }

  /// Changed in place, since a setter would copy arrays.
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

  package var location: SourceReference? {
    get { isPlain ? nil : details[0].location }
    _modify { yield &changed.location }
  }

  package var issues: [TestIssue] {
    get { isPlain ? [] : details[0].issues }
    _modify { yield &changed.issues }
  }

  /// Until its files are in the report folder.
  package var observed: [ObservedEvidence] {
    get { isPlain ? [] : details[0].observed }
    _modify { yield &changed.observed }
  }

  package var evidence: [TestEvidence] {
    get { isPlain ? [] : details[0].evidence }
    _modify { yield &changed.evidence }
  }

  /// Of the test and its suites, without the leading dot.
  package var tags: [String] {
    get { isPlain ? [] : details[0].tags }
    _modify { yield &changed.tags }
  }

  package var skipReason: String? {
    get { isPlain ? nil : details[0].skipReason }
    _modify { yield &changed.skipReason }
  }

  /// All but the deciding one, oldest first.
  package var attempts: [TestAttempt] {
    get { isPlain ? [] : details[0].attempts }
    _modify { yield &changed.attempts }
  }

  /// Standard output, then standard error.
  package var output: String? {
    get { isPlain ? nil : details[0].output }
    _modify { yield &changed.output }
  }

  package var crash: CrashOutput? {
    get { isPlain ? nil : details[0].crash }
    _modify { yield &changed.crash }
  }

  /// The test in which its process died, if it did not end for that.
  package var endedBy: TestCaseID? {
    get { isPlain ? nil : details[0].endedBy }
    _modify { yield &changed.endedBy }
  }

  package var properties: [TestProperty] {
    get { isPlain ? [] : details[0].properties }
    _modify { yield &changed.properties }
  }

  /// In the order of their runs; empty for one label.
  package var labels: [LabelledOutcome] {
    get { isPlain ? [] : details[0].labels }
    _modify { yield &changed.labels }
  }

  package var span: TestSpan? {
    get { isPlain ? nil : details[0].span }
    _modify { yield &changed.span }
  }

  package mutating func mapLocations(_ change: (SourceReference) -> SourceReference) {
    if let location { self.location = change(location) }
    changeIssues {
      $0.location = $0.location.map(change)
      $0.caller = $0.caller.map(change)
    }
    crash?.mapLocations(change)
  }

  mutating func changeIssues(_ change: (inout TestIssue) -> Void) {
    for index in issues.indices { change(&issues[index]) }
    for attempt in attempts.indices {
      for index in attempts[attempt].issues.indices { change(&attempts[attempt].issues[index]) }
    }
  }
}

/// These copy no test, as a loop over `indices` would.
extension [TestRecord] {
  package var sortedPlaces: [Int] {
    withUnsafeBufferPointer { tests in tests.indices.sorted { tests[$0].id < tests[$1].id } }
  }

  package var detailed: [Int] {
    withUnsafeBufferPointer { tests in tests.indices.filter { !tests[$0].isPlain } }
  }

  package var telling: [Int] {
    withUnsafeBufferPointer { tests in
      tests.indices.filter { !tests[$0].isPlain || tests[$0].outcome.isFailure }
    }
  }

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
  var endedBy: TestCaseID?
  var properties: [TestProperty] = []
  var labels: [LabelledOutcome] = []
  var span: TestSpan?
}
