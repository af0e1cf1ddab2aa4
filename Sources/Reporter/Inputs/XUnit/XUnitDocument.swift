/// What an xunit file says, in the terms of the file.
struct XUnitDocument: Sendable, Equatable {
  var cases: [Case] = []
  /// How many tests the heads of the suites promise; `nil` when one says nothing.
  var promisedTests: Int?
  /// Who wrote the suites; `nil` stands for writers that are not SwiftPM's.
  var writers: Set<Writer?> = []
  /// Whether the root element was closed.
  var isComplete = false
  /// Whether the root is one that xunit files have.
  var isXUnit = false

  struct Case: Sendable, Equatable {
    var className: String
    var name: String
    /// Seconds.
    var time: Double?
    var file: String?
    var line: Int?
    var failures: [Failure] = []
    /// The text or the `message` of `<skipped>`; empty when it gives none, `nil` when there is no such element.
    var skipped: String?
    /// Whether the element was closed.
    var isComplete = false
    /// Which of SwiftPM's two writers wrote the suite around it, as far as that can be told.
    var writer: Writer?
  }

  /// A `<failure>` or `<error>`.
  struct Failure: Sendable, Equatable {
    var message: String
    var type: String?
    var text: String
  }

  /// SwiftPM writes the results of its two test libraries differently.
  enum Writer: Sendable, Equatable {
    case xctest, swiftTesting
  }
}
