/// The content of a directory's archive, and what it lacks.
package struct DirectoryArchive: Sendable, Equatable, Codable {
  /// Something in the directory that is not in the archive.
  package struct Skipped: Sendable, Equatable, Codable {
    /// The path relative to the directory.
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// `zip` or `tar.zst`; later formats will have other names.
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
