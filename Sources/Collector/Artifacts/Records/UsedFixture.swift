/// A test took a copy of a migration fixture: the store of an old version.
package struct UsedFixture: LogPayload {
  package static let kind = "fixtureUsed"

  /// The absolute path of the folder with the fixtures.
  package var folder: String
  /// The name of the copied fixture.
  package var file: String
  /// The version in its name.
  package var version: String
  /// The names of all fixtures of the folder, in the order of their versions.
  package var listed: [String]
  /// The name of another fixture with the same bytes.
  package var sameAs: String?

  package init(folder: String, file: String, version: String, listed: [String], sameAs: String? = nil) {
    self.folder = folder
    self.file = file
    self.version = version
    self.listed = listed
    self.sameAs = sameAs
  }

  package func write(to text: inout JSONText) {
    text.member("folder", folder)
    text.member("file", file)
    text.member("version", version)
    text.array("listed", listed) { $0.element($1) }
    text.member("sameAs", sameAs)
  }
}
