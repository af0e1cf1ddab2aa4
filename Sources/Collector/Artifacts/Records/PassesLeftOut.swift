/// Passing tests were not recorded; a process's last record has the total.
package struct PassesLeftOut: LogPayload, Equatable {
  package static let kind = "passesLeftOut"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case overBudget, tooLittleFree, io
  }

  package var tests: Int
  package var reason: Reason
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
