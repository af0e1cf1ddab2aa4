/// The passing tests that were to be recorded, and were not.
///
/// A later record of a process counts all that an earlier one does.
package struct PassesLeftOut: LogPayload, Equatable {
  package static let kind = "passesLeftOut"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case overBudget, tooLittleFree, io
  }

  /// The number of tests so far.
  package var tests: Int
  /// The first obstacle.
  package var reason: Reason
  /// The obstacle, in a sentence.
  package var message: String

  package init(tests: Int, reason: Reason, message: String) {
    (self.tests, self.reason, self.message) = (tests, reason, message)
  }

  package func write(to text: inout JSONText) {
    text.member("tests", tests)
    text.member("reason", reason.rawValue)
    text.member("message", message)
  }
}
