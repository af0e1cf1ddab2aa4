/// A store that nobody can migrate until `deinit`: it is being read.
final class ReadableStore {
  private let connection: Connection

  /// Waits until no other connection keeps readers out.
  ///
  /// - Throws: `StoreMigrationError`, after `deadline` with the reason `storeInUse`.
  init(_ path: String, until deadline: ContinuousClock.Instant) throws(StoreMigrationError) {
    let connection = try Connection(path)
    // The rows of the WAL stay where they are until the store is migrated.
    try connection.keepsWAL(Files.size(path + "-wal") > 0)
    try connection.execute("BEGIN")
    try wait(for: path, until: deadline) { () throws(StoreMigrationError) in
      try connection.execute("SELECT count(*) FROM sqlite_schema")
    }
    self.connection = connection
  }
}

/// Tries something until no other connection is in the way.
///
/// - Throws: What the attempt throws, or after `deadline` `StoreMigrationError` with the reason `storeInUse`.
func wait<Result>(
  for store: String, until deadline: ContinuousClock.Instant,
  _ attempt: () throws(StoreMigrationError) -> Result
) throws(StoreMigrationError) -> Result {
  while true {
    do throws(StoreMigrationError) {
      return try attempt()
    } catch {
      guard error.isBusy else { throw error }
    }
    guard ContinuousClock.now < deadline else { throw .inUse(store) }
    Files.pause()
  }
}
