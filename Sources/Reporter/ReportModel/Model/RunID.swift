/// Identifies a run; shards or machines can have the same name.
package struct RunID: Sendable, Hashable {
  package var name: String
  /// Absolute, and on no page.
  package var folder: String

  package init(name: String, folder: String = "") {
    self.name = name
    self.folder = folder
  }
}
