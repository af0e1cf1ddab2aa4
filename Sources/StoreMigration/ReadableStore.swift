import ExhibitSQLite
import Glibc

/// A store that nobody can migrate until `deinit`, because it is being read.
final class ReadableStore {
  private let connection: SQLiteHandle

  /// Waits until no other connection keeps readers out.
  ///
  /// - Throws: `SQLiteError` or `SystemError`; after `deadline` `StoreMigrationError` with the reason `storeInUse`.
  init(_ path: String, until deadline: ContinuousClock.Instant) throws {
    let connection = try SQLiteHandle.open(store: path)
    // The rows of the WAL stay where they are until the store is migrated.
    try connection.keepWAL(of: path)
    try connection.execute("BEGIN")
    try wait(for: path, until: deadline) {
      try connection.execute("SELECT count(*) FROM sqlite_schema")
    }
    self.connection = connection
  }
}

/// Repeats an attempt until no other connection is in the way.
///
/// - Throws: The errors of the attempt, or after `deadline` `StoreMigrationError` with the reason `storeInUse`.
func wait<Result>(
  for store: String, until deadline: ContinuousClock.Instant,
  _ attempt: () throws -> Result
) throws -> Result {
  while true {
    do {
      return try attempt()
    } catch let error as SQLiteError where error.isBusy {
      guard ContinuousClock.now < deadline else { throw StoreMigrationError.inUse(store) }
    }
    usleep(5000)
  }
}
