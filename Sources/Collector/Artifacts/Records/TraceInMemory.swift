/// The process kept its steps in memory only, so a crash loses them.
package struct TraceInMemory: LogPayload, Equatable {
  package static let kind = "traceInMemory"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case copiesOnWrite, tooLittleFree, io
  }

  package var reason: Reason
  package var message: String

  package init(reason: Reason, message: String) {
    self.reason = reason
    self.message = message
  }

  package func write(to text: inout JSONText) {
    text.member("reason", reason.rawValue)
    text.member("message", message)
  }
}
