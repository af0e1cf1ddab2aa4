/// A parameterised function began; its cases appear with their first statement or issue.
package struct FunctionStart: LogPayload {
  package static let kind = "functionStarted"

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

package struct FunctionEnd: LogPayload {
  package static let kind = "functionFinished"

  package init() {}

  package func write(to text: inout JSONText) {}
}
