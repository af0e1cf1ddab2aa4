package struct CaptureFailure: LogPayload {
  package static let kind = "captureFailed"

  package enum Reason: String, Sendable, Codable, CaseIterable {
    case closed, busy, notADatabase, foreignHandle, foreignWAL, hotJournal, overBudget, outsideTest
    case notAllowed, missing, io, unsupported

    package var mayPass: Bool {
      switch self {
      case .overBudget, .busy, .io, .notAllowed: true
      case .closed, .notADatabase, .foreignHandle, .foreignWAL, .hotJournal, .outsideTest, .missing,
        .unsupported:
        false
      }
    }
  }

  package var kind: EvidenceKind
  package var name: String
  package var source: String?
  package var reason: Reason
  package var message: String
  package var bytes: Int?
  /// A dead process's files, so that a later attempt recognises them.
  package var files: [LeftFile]?

  package init(
    kind: EvidenceKind, name: String, source: String? = nil, reason: Reason, message: String,
    bytes: Int? = nil, files: [LeftFile]? = nil
  ) {
    self.kind = kind
    self.name = name
    self.source = source
    self.reason = reason
    self.message = message
    self.bytes = bytes
    self.files = files
  }

  package func write(to text: inout JSONText) {
    text.member("kind", kind.rawValue)
    text.member("name", name)
    text.member("source", source)
    text.member("reason", reason.rawValue)
    text.member("message", message)
    text.member("bytes", bytes)
    guard let files else { return }
    text.array("files", files) { text, file in text.object { file.write(to: &$0) } }
  }
}
