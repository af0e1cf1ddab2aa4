/// Which run something is of: runs of two shards or machines can have one name.
struct RunID: Sendable, Hashable {
  /// What pages call it.
  var name: String
  /// The absolute path of its folder, which no page shows.
  var folder = ""
}

/// Which invocation of `swift test` an input is of: a shard is one, and `$EXHIBIT_RUN` can join several into one run.
struct InvocationID: Sendable, Hashable {
  /// The absolute path of the folder that holds what it left.
  var folder: String
}
