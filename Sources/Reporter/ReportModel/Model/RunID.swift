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

/// Identifies an invocation of `swift test`: a shard is one, and `$EXHIBIT_RUN` can join several into one run.
package struct InvocationID: Sendable, Hashable {
  /// The absolute path of the folder with its files.
  package var folder: String

  package init(folder: String) {
    self.folder = folder
  }
}
