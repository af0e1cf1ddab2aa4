package import Collector
package import ReportModel

/// What one input says about the tests of a run, before it is joined with the others.
package struct InputTests: Sendable, Equatable {
  var kind: InputKind
  /// What messages call it: as the user named it, or relative to the artifacts folder.
  var name: String
  /// Which invocation of `swift test` it is of: inputs of the same one can be compared.
  var invocation = InvocationID(folder: "")
  var coverage: InputCoverage = []
  /// Whether it says itself that nothing follows.
  var endedProperly = true
  package var observations: [Observation] = []
  /// Failures that no test owns, each with the input that tells of it.
  var issuesOutside: [IssueOutside] = []
  /// The copies of migration fixtures that tests took.
  package var fixtures: [FixtureUse] = []
  /// Of each process whose steps were in memory only.
  var tracesInMemory: [LoggedTrace] = []
  /// Whether Swift Testing was recorded by the trait alone.
  var recordsTraitAlone = false
  /// Whether each test target had a runner of its own, which writes its event stream and xunit over those of the others.
  var hasTargetRunners = false
  package var remarks = Remarks()
}

/// An issue that no test owns.
struct IssueOutside: Sendable, Equatable {
  var issue: TestIssue
  /// What messages call the file that tells of it.
  var input: String

  /// The same from a log and from an event stream.
  var sentence: String {
    let place = issue.location.map { " (\($0.file):\($0.line ?? 0))" } ?? ""
    return "An issue belongs to no test: \(issue.message)\(place)"
  }
}

/// A process that could keep its steps in memory only.
struct LoggedTrace: Sendable, Equatable {
  var trace: TraceInMemory
  /// Whether the process died, and the steps with it.
  var isLost: Bool
}

/// A test that took a copy of a migration fixture.
package struct FixtureUse: Sendable, Equatable {
  /// `nil` for a test that is not recorded.
  package var test: TestCaseID?
  package var fixture: UsedFixture
}
