/// What tests did that passed was to be recorded, and was not.
///
/// A later record of a process counts all that an earlier one does.
package struct PassesLeftOut: LogPayload, Equatable {
  package static let kind = "passesLeftOut"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case overBudget, tooLittleFree, io
  }

  /// How many tests, so far.
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
