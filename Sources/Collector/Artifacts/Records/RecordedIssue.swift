package struct RecordedIssue: LogPayload {
  package static let kind = "issue"

  package enum Severity: String, Sendable, Codable, CaseIterable {
    case error, warning
  }

  package var severity: Severity
  /// True when `withKnownIssue` expected it.
  package var known: Bool
  package var message: String
  package var file: String?
  package var line: Int?

  package init(
    severity: Severity = .error, known: Bool = false, message: String, file: String? = nil, line: Int? = nil
  ) {
    self.severity = severity
    self.known = known
    self.message = message
    self.file = file
    self.line = line
  }

  package func write(to text: inout JSONText) {
    text.member("severity", severity.rawValue)
    text.member("known", known)
    text.member("message", message)
    text.member("file", file)
    text.member("line", line)
  }
}
