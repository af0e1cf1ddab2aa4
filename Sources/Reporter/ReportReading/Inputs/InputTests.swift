package import Collector
package import ReportModel

/// The tests of a run according to one input, before it is joined with the others.
package struct InputTests: Sendable, Equatable {
  var kind: InputKind
  /// The name in messages: as the user gave it, or relative to the artifacts folder.
  var name: String
  /// The absolute path of the folder with the files of its invocation of `swift test`.
  ///
  /// Inputs of the same one can be compared. A shard is one, and `$EXHIBIT_RUN` can join several into one run.
  var invocation = ""
  var coverage: InputCoverage = []
  /// True when the input says itself that nothing follows.
  var endedProperly = true
  package var observations: [Observation] = []
  /// Failures that belong to no test, each with its input.
  var issuesOutside: [IssueOutside] = []
  /// The copies of migration fixtures that tests made.
  package var fixtures: [FixtureUse] = []
  /// The processes whose steps were only in memory.
  var tracesInMemory: [LoggedTrace] = []
  /// The record of each process that did not record all passes that it was to.
  var passesLeftOut: [PassesLeftOut] = []
  /// The names that several suites of a file have tests of.
  var inSeveralSuites: Set<TestCaseID> = []
  /// True when equal names may be of one test, which counts once.
  var tellsTestsTwice = false
  /// True when only tests with the trait were recorded of Swift Testing.
  var recordsTraitAlone = false
  /// True when each test target had a runner of its own, which overwrites the event stream and xunit of the others.
  var hasTargetRunners = false
  package var remarks = Remarks()

  /// The number of failures of its tests, and of those that belong to no test.
  var failureCount: Int {
    observations.reduce(issuesOutside.count) { $0 + $1.issues.count(where: \.isFailure) }
  }
}

/// An issue that belongs to no test.
struct IssueOutside: Sendable, Equatable {
  var issue: TestIssue
  /// The name in messages of the file that has it.
  var input: String

  /// The same sentence for a log and for an event stream.
  var sentence: String {
    let place = issue.location.map { " (\($0.file):\($0.line ?? 0))" } ?? ""
    return "An issue belongs to no test: \(issue.message)\(place)"
  }
}

/// A process whose steps were only in memory.
struct LoggedTrace: Sendable, Equatable {
  var trace: TraceInMemory
  /// True when the process died, and the steps with it.
  var isLost: Bool
}

/// A test that made a copy of a migration fixture.
package struct FixtureUse: Sendable, Equatable {
  /// `nil` for a test that is not recorded.
  package var test: TestCaseID?
  package var fixture: UsedFixture
}
