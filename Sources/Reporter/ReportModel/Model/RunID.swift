/// Identifies a run; runs of two shards or machines can have the same name.
package struct RunID: Sendable, Hashable {
  /// The name on pages.
  package var name: String
  /// The absolute path of its folder, which no page shows.
  package var folder: String

  package init(name: String, folder: String = "") {
    self.name = name
    self.folder = folder
  }
}
