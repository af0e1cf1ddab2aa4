/// Something that should have been captured was not.
package struct CaptureFailure: LogPayload {
  package static let kind = "captureFailed"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case closed, busy, notADatabase, foreignHandle, foreignWAL, hotJournal, overBudget, outsideTest
    case notAllowed, missing, io, unsupported
  }

  package var kind: EvidenceKind
  package var name: String
  package var source: String?
  package var reason: Reason
  /// One sentence for the reader: what is missing, why, and what can be done.
  package var message: String
  /// The size of what was left out, when known.
  package var bytes: Int?

  package init(
    kind: EvidenceKind, name: String, source: String? = nil, reason: Reason, message: String,
    bytes: Int? = nil
  ) {
    self.kind = kind
    self.name = name
    self.source = source
    self.reason = reason
    self.message = message
    self.bytes = bytes
  }

  package func write(to text: inout JSONText) {
    text.member("kind", kind.rawValue)
    text.member("name", name)
    text.member("source", source)
    text.member("reason", reason.rawValue)
    text.member("message", message)
    text.member("bytes", bytes)
  }
}
