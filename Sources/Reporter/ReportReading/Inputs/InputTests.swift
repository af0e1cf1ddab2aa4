package import Collector
package import ReportModel

/// The tests that one input reports.
package struct InputTests: Sendable, Equatable {
  var kind: InputKind
  var name: String
  /// The absolute folder of its `swift test`; inputs of others are not compared with it.
  var invocation = ""
  var coverage: InputCoverage = []
  var endedProperly = true
  package var observations: [Observation] = []
  var issuesOutside: [IssueOutside] = []
  package var fixtures: [FixtureUse] = []
  var tracesInMemory: [LoggedTrace] = []
  var passesLeftOut: [PassesLeftOut] = []
  var deaths: [ProcessDeath] = []
  var inSeveralSuites: Set<TestCaseID> = []
  /// True where equal names may be one test.
  var tellsTestsTwice = false
  /// True where only tests of Swift Testing with the trait were recorded.
  var recordsTraitAlone = false
  /// True where each target had a runner, which overwrote the files of the one before.
  var hasTargetRunners = false
  package var remarks = Remarks()

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

/// The end of a process in the middle of its tests.
struct ProcessDeath: Sendable, Equatable {
  /// The log or event stream that stops.
  var input: String
  var running: Set<TestCaseID>
  /// Only an event stream can be cut off while its process goes on.
  var isLogged = true
}

struct LoggedTrace: Sendable, Equatable {
  var trace: TraceInMemory
  var isLost: Bool
}

package struct FixtureUse: Sendable, Equatable {
  package var test: TestCaseID?
  package var fixture: UsedFixture
}
