/// Identifies a run, since several can have one name.
package struct RunID: Sendable, Hashable {
  package var name: String
  /// Absolute, and on no page.
  package var folder: String

  package init(name: String, folder: String = "") {
    self.name = name
    self.folder = folder
  }
}
