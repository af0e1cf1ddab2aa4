/// Which run something is of: runs of two shards or machines can have one name.
package struct RunID: Sendable, Hashable {
  /// What pages call it.
  package var name: String
  /// The absolute path of its folder, which no page shows.
  package var folder: String

  package init(name: String, folder: String = "") {
    self.name = name
    self.folder = folder
  }
}

/// Which invocation of `swift test` an input is of: a shard is one, and `$EXHIBIT_RUN` can join several into one run.
package struct InvocationID: Sendable, Hashable {
  /// The absolute path of the folder that holds what it left.
  package var folder: String

  package init(folder: String) {
    self.folder = folder
  }
}
