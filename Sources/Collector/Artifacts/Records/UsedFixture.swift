/// A test copied a migration fixture, the store of an old version.
package struct UsedFixture: LogPayload {
  package static let kind = "fixtureUsed"

  package var folder: String
  package var file: String
  package var version: String
  package var listed: [String]
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
