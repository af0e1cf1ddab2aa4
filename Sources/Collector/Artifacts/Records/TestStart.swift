package struct TestStart: LogPayload {
  package static let kind = "testStarted"

  package var framework: TestFramework
  package var displayName: String?
  package var file: String?
  package var line: Int?
  /// Its serial in the process, from 1, which identifies it in the trace.
  package var number: Int

  package init(
    framework: TestFramework, displayName: String? = nil, file: String? = nil, line: Int? = nil,
    number: Int = 0
  ) {
    self.framework = framework
    self.displayName = displayName
    self.file = file
    self.line = line
    self.number = number
  }

  package func write(to text: inout JSONText) {
    text.member("framework", framework.rawValue)
    text.member("displayName", displayName)
    text.member("file", file)
    text.member("line", line)
    text.member("number", number)
  }
}

package enum TestFramework: String, Sendable, Codable, CaseIterable {
  case xctest
  case swiftTesting = "swift-testing"
}
