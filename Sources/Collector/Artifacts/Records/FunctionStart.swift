/// A parameterised function of Swift Testing began; the log has its cases from their first statement or issue on.
package struct FunctionStart: LogPayload {
  package static let kind = "functionStarted"

  /// The name given in `@Test("…")`.
  package var displayName: String?
  package var file: String?
  package var line: Int?

  package init(displayName: String? = nil, file: String? = nil, line: Int? = nil) {
    self.displayName = displayName
    self.file = file
    self.line = line
  }

  package func write(to text: inout JSONText) {
    text.member("displayName", displayName)
    text.member("file", file)
    text.member("line", line)
  }
}

/// A parameterised function of Swift Testing ended, and all of its cases with it.
package struct FunctionEnd: LogPayload {
  package static let kind = "functionFinished"

  package init() {}

  package func write(to text: inout JSONText) {}
}
