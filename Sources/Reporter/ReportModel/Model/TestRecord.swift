package import Collector

/// One test case according to one input, or to all of them joined.
///
/// Details that most tests lack take no room in those, since a run can have a million of them. With the details in
/// each record, a report of 100,000 tests took 1.4 times the processor time and a peak of 109 MB instead of 65 MB.
@dynamicMemberLookup
package struct TestRecord<Evidence: Sendable & Equatable>: Sendable, Equatable {
  package var id: TestCaseID
  /// `nil` when only an xunit file of unknown origin has the test.
  package var framework: TestFramework?
  package var outcome: Outcome
  /// Seconds; `nil` when no input has it.
  package var duration: Double?
  /// At most one element.
  @usableFromInline var details: [TestDetails<Evidence>] = []

  package init(
    id: TestCaseID, framework: TestFramework? = nil, displayName: String? = nil, outcome: Outcome,
    duration: Double? = nil, location: SourceReference? = nil, issues: [TestIssue] = [],
    evidence: [Evidence] = [], tags: [String] = [], skipReason: String? = nil,
    attempts: [TestAttempt] = [], output: String? = nil, crash: CrashOutput? = nil,
    properties: [TestProperty] = [], span: TestSpan? = nil
  ) {
    self.id = id
    self.framework = framework
    self.outcome = outcome
    self.duration = duration
    let details = TestDetails(
      displayName: displayName, location: location, issues: issues, evidence: evidence, tags: tags,
      skipReason: skipReason, attempts: attempts, output: output, crash: crash, properties: properties,
      span: span)
    if details != TestDetails() { self.details = [details] }
  }

  /// True when it has only a name, an outcome and a duration.
  @inlinable package var isPlain: Bool { details.isEmpty }

  /// Inlinable, because other libraries would look types up for each of a million tests otherwise.
  @inlinable
  package subscript<Value: Equatable>(
    dynamicMember field: WritableKeyPath<TestDetails<Evidence>, Value>
  ) -> Value {
    @inline(__always) get { details.isEmpty ? TestDetails.none[keyPath: field] : details[0][keyPath: field] }
    // Changed in place: a setter would copy an array for each element that is set.
    @inline(__always) _modify {
      let wasPlain = details.isEmpty
      if wasPlain { details = [.none] }
      defer { if wasPlain && details[0] == .none { details = [] } }
      yield &details[0][keyPath: field]
    }
  }
}

/// Details that few tests have.
package struct TestDetails<Evidence: Sendable & Equatable>: Sendable, Equatable {
  @usableFromInline static var none: Self { TestDetails() }

  package var displayName: String?
  /// The place of the test's declaration.
  package var location: SourceReference?
  package var issues: [TestIssue] = []
  package var evidence: [Evidence] = []
  /// The tags of the test and its suites as its source names them, without the leading dot.
  package var tags: [String] = []
  /// The reason why it was skipped.
  package var skipReason: String?
  /// The other attempts, oldest first; `outcome` is that of the deciding attempt.
  package var attempts: [TestAttempt] = []
  /// The output, if an input has it: standard output, then standard error.
  package var output: String?
  /// The end of the process that died while it ran, if `reporter test` kept the output.
  package var crash: CrashOutput?
  /// The properties that it recorded, in the order of the input.
  package var properties: [TestProperty] = []
  /// Its time and process in the newest run.
  package var span: TestSpan?
}
