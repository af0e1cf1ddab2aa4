import ExhibitSQLite
import Glibc

/// A store under a read lock, which keeps migrations away until `deinit`.
final class ReadableStore {
  private let connection: SQLiteHandle

  /// - Throws: `SQLiteError` or `SystemError`; after `deadline` `StoreMigrationError` with the reason `storeInUse`.
  init(_ path: String, until deadline: ContinuousClock.Instant) throws {
    let connection = try SQLiteHandle.open(store: path)
    // Closing must not checkpoint the WAL before the migration.
    try connection.keepWAL(of: path)
    try connection.execute("BEGIN")
    try wait(for: path, until: deadline) {
      try connection.execute("SELECT count(*) FROM sqlite_schema")
    }
    self.connection = connection
  }
}

/// Repeats an attempt for as long as SQLite answers "busy".
///
/// - Throws: The errors of the attempt; after `deadline` `StoreMigrationError` with the reason `storeInUse`.
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
