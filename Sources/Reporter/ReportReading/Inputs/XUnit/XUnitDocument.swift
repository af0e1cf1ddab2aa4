import ReportModel

/// What an xunit file says, in the terms of the file; its test cases are handed out one by one.
struct XUnitDocument: Sendable, Equatable {
  /// How many test cases were handed out, and how many of them count for the suites' `tests`.
  var caseCount = 0
  var countedCases = 0
  /// How many tests the heads of the suites promise; `nil` when none says.
  var promisedTests: Int?
  /// Who wrote the suites; `nil` stands for writers that are not SwiftPM's.
  var writers: Set<Writer?> = []
  /// Whether the root element was closed.
  var isComplete = false
  /// Whether the root is one that xunit files have.
  var isXUnit = false
  /// Where the document is not well-formed in a way that was not repaired.
  var error: String?
  /// What had to be changed to read it.
  var repairs: Set<XMLRepair> = []
  /// What was left out because it goes beyond a limit, each in one sentence.
  var exceeded: [String] = []

  struct Case: Sendable, Equatable {
    var className: String
    var name: String
    /// Seconds.
    var time: Double?
    var file: String?
    var line: Int?
    var failures: [Failure] = []
    /// The attempts that did not decide: `flakyFailure`, `rerunFailure` and so on, in the order of the file.
    var attempts: [Failure] = []
    /// The text or the `message` of `<skipped>`; empty when it gives none, `nil` when there is no such element.
    var skipped: String?
    /// Whether it is not really skipped: pytest writes expected failures so.
    var isExpectedFailure = false
    /// What it printed: `system-out` and `system-err`, one after the other.
    var output = ""
    var properties: [TestProperty] = []
    /// Whether the element was closed.
    var isComplete = false
    /// Which of SwiftPM's two writers wrote the suite around it, as far as that can be told.
    var writer: Writer?
  }

  /// A `<failure>` or `<error>`, or one of another attempt.
  struct Failure: Sendable, Equatable {
    var message: String
    var type: String?
    var text: String
    /// What another attempt printed.
    var output = ""
  }

  /// SwiftPM writes the results of its two test libraries differently.
  enum Writer: Sendable, Equatable {
    case xctest, swiftTesting
  }
}
