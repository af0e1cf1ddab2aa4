import Collector
import ReportModel

/// The content of an xunit file without its test cases, which the reader passes on one by one.
struct XUnitDocument: Sendable, Equatable {
  /// The number of test cases passed on, and of those that count for the suites' `tests`.
  var caseCount = 0
  var countedCases = 0
  /// The number of tests in the heads of the suites; `nil` when none says.
  var promisedTests: Int?
  /// The test libraries for which SwiftPM wrote the suites; `nil` stands for other writers.
  var frameworks: Set<TestFramework?> = []
  /// True when the root element was closed.
  var isComplete = false
  /// True when the root is one that xunit files have.
  var isXUnit = false
  /// The error where the document is malformed beyond repair.
  var error: String?
  /// The changes that were needed to read it.
  var repairs: Set<XMLRepair> = []
  /// What was left out because of a limit, each in one sentence.
  var exceeded: [String] = []

  struct Case: Sendable, Equatable {
    var id: TestCaseID
    /// Seconds.
    var time: Double?
    var file: String?
    var line: Int?
    var failures: [Failure] = []
    /// The attempts that did not decide: `flakyFailure`, `rerunFailure` and so on, in the order of the file.
    var attempts: [Failure] = []
    /// The text or the `message` of `<skipped>`; empty when it has none, `nil` without such an element.
    var skipped: String?
    /// True when it is not really skipped; pytest writes expected failures this way.
    var isExpectedFailure = false
    /// The output: `system-out` and `system-err`, one after the other.
    var output = ""
    var properties: [TestProperty] = []
    /// True when the element was closed.
    var isComplete = false
    /// That of SwiftPM's writer of the suite around it, as far as that can be told.
    var framework: TestFramework?
  }

  /// A `<failure>` or `<error>`, or one of another attempt.
  struct Failure: Sendable, Equatable {
    var message: String
    var text = ""
    /// The output of another attempt.
    var output = ""
  }
}
