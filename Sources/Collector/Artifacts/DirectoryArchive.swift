package struct DirectoryArchive: Sendable, Equatable, Codable {
  package struct Skipped: Sendable, Equatable, Codable {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  package var format: String
  package var entries: Int
  package var skipped: [Skipped]

  package init(format: String = "zip", entries: Int, skipped: [Skipped] = []) {
    self.format = format
    self.entries = entries
    self.skipped = skipped
  }

  func write(to text: inout JSONText) {
    text.member("format", format)
    text.member("entries", entries)
    text.array("skipped", skipped) { text, item in
      text.object { text in
        text.member("path", item.path)
        text.member("reason", item.reason)
      }
    }
  }
}
