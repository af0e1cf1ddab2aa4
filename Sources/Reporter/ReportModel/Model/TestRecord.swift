package import Collector

/// One test case with what is said of it: by one input, or by all of them joined.
///
/// What most tests do not have takes no room in those: a run can have a million of them. Measured with a report of 100,000
/// tests, with the details in each record: 1.4 times the processor time, and a peak of 109 MB instead of 65 MB.
@dynamicMemberLookup
package struct TestRecord<Evidence: Sendable & Equatable>: Sendable, Equatable {
  package var id: TestCaseID
  /// `nil` when only an xunit file of unknown origin named the test.
  package var framework: TestFramework?
  package var outcome: Outcome
  /// Seconds; `nil` when no input knew.
  package var duration: Double?
  /// Empty, or one.
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

  /// Whether it has no more than a name, an outcome and a duration.
  @inlinable package var isPlain: Bool { details.isEmpty }

  /// Inlinable: else other libraries look types up for each of a million tests.
  @inlinable
  package subscript<Value: Equatable>(
    dynamicMember field: WritableKeyPath<TestDetails<Evidence>, Value>
  ) -> Value {
    @inline(__always) get { details.isEmpty ? TestDetails.none[keyPath: field] : details[0][keyPath: field] }
    // Changed where it stands: a setter would copy an array for each of its elements that is set.
    @inline(__always) _modify {
      let wasPlain = details.isEmpty
      if wasPlain { details = [.none] }
      defer { if wasPlain && details[0] == .none { details = [] } }
      yield &details[0][keyPath: field]
    }
  }
}

/// What few tests have.
package struct TestDetails<Evidence: Sendable & Equatable>: Sendable, Equatable {
  @usableFromInline static var none: Self { TestDetails() }

  package var displayName: String?
  /// Where the test is declared.
  package var location: SourceReference?
  package var issues: [TestIssue] = []
  package var evidence: [Evidence] = []
  /// The tags of the test and its suites as its source names them, without the leading dot.
  package var tags: [String] = []
  /// Why it was skipped.
  package var skipReason: String?
  /// The other attempts at it, oldest first; `outcome` is that of the attempt that decided.
  package var attempts: [TestAttempt] = []
  /// What it printed, where an input tells: standard output, then standard error.
  package var output: String?
  /// The end of the process that died while it ran, where `reporter test` kept the output.
  package var crash: CrashOutput?
  /// What it recorded of itself, in the order of the input.
  package var properties: [TestProperty] = []
  /// When it ran and where, in the newest run.
  package var span: TestSpan?
}
