package import Collector
package import ReportModel

/// The tests that one input reports.
package struct InputTests: Sendable, Equatable {
  var kind: InputKind
  /// The name for messages.
  var name: String
  /// The absolute folder of its `swift test` invocation; only inputs of one invocation are compared.
  var invocation = ""
  var coverage: InputCoverage = []
  /// True when the input marks its end.
  var endedProperly = true
  package var observations: [Observation] = []
  var issuesOutside: [IssueOutside] = []
  package var fixtures: [FixtureUse] = []
  var tracesInMemory: [LoggedTrace] = []
  var passesLeftOut: [PassesLeftOut] = []
  /// Names that occur in several suites of a file.
  var inSeveralSuites: Set<TestCaseID> = []
  /// True when equal names may be one test.
  var tellsTestsTwice = false
  /// True when only Swift Testing tests with the trait were recorded.
  var recordsTraitAlone = false
  /// True when each test target had its own runner, which overwrites the files of the previous one.
  var hasTargetRunners = false
  package var remarks = Remarks()

  /// The number of failures, including those outside of tests.
  var failureCount: Int {
    observations.reduce(issuesOutside.count) { $0 + $1.issues.count(where: \.isFailure) }
  }
}

struct IssueOutside: Sendable, Equatable {
  var issue: TestIssue
  var input: String

  /// A text that is equal in a log and an event stream.
  var sentence: String {
    let place = issue.location.map { " (\($0.file):\($0.line ?? 0))" } ?? ""
    return "An issue belongs to no test: \(issue.message)\(place)"
  }
}

struct LoggedTrace: Sendable, Equatable {
  var trace: TraceInMemory
  var isLost: Bool
}

package struct FixtureUse: Sendable, Equatable {
  package var test: TestCaseID?
  package var fixture: UsedFixture
}
