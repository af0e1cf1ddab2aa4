/// The steps of a process could only be kept in its memory, so that a crash leaves none of them.
package struct TraceInMemory: LogPayload, Equatable {
  package static let kind = "traceInMemory"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case copiesOnWrite, tooLittleFree, io
  }

  package var reason: Reason
  /// What stood in the way, in a sentence.
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
