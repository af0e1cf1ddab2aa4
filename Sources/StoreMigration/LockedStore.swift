import ExhibitSQLite

/// A store that nobody else can open: checkpointed, in rollback mode, with an exclusive lock until `deinit`.
///
/// A connection that waits for the lock finds the old file when a new one is in its place. Because the old one has
/// left WAL mode, SQLite refuses to write it (`SQLITE_READONLY_DBMOVED`); in WAL mode it would write into the new
/// one's WAL.
final class LockedStore {
  let path: String
  private let connection: Connection
  private let wasWAL: Bool

  /// - Returns: `nil` when the path leads to another file by the time the lock is there.
  /// - Throws: `StoreMigrationError`, after `patience` with the reason `storeInUse`.
  init?(_ path: String, patience: Duration) throws(StoreMigrationError) {
    self.path = path
    connection = try Connection(path)
    let deadline = ContinuousClock.now + patience
    var wasWAL = false
    do throws(StoreMigrationError) {
      while try !Self.lock(connection, &wasWAL) {
        guard ContinuousClock.now < deadline else { throw Self.inUse(path) }
        Files.pause()
      }
      if try connection.hasMoved() { return nil }
      guard !Files.isOpenTwice(path) else { throw Self.inUse(path) }
    } catch {
      Self.reinstate(connection, wasWAL)
      throw error
    }
    self.wasWAL = wasWAL
  }

  /// - Returns: whether the lock is there, and the store in rollback mode.
  private static func lock(
    _ connection: Connection, _ wasWAL: inout Bool
  ) throws(StoreMigrationError) -> Bool {
    do throws(StoreMigrationError) {
      wasWAL = try connection.rows("PRAGMA journal_mode").first == "wal" || wasWAL
      // Leaving WAL mode checkpoints, deletes -wal and -shm, and fails while any other connection is open.
      guard try connection.rows("PRAGMA journal_mode = DELETE").first == "delete" else { return false }
      try connection.execute("BEGIN EXCLUSIVE")
      if try connection.rows("PRAGMA journal_mode").first == "delete" { return true }
      try connection.execute("ROLLBACK")
      return false
    } catch {
      guard error.isBusy else { throw error }
      return false
    }
  }

  private static func inUse(_ path: String) -> StoreMigrationError {
    StoreMigrationError(
      .storeInUse, path,
      "Another connection has the store open. Migrate before the app opens it, and close what has it open.")
  }

  /// Copies the file as it is, with its permissions.
  func copy(to destination: String) throws(StoreMigrationError) {
    let file = try NewFile(destination)
    var offset = 0
    while true {
      let bytes = try connection.read(1 << 20, at: offset)
      if bytes.isEmpty { break }
      try file.write(bytes)
      offset += bytes.count
    }
    try file.takePermissions(of: path)
  }

  /// Sees to it that no file is left that a new database in this place would take for its own.
  func clear() throws(StoreMigrationError) {
    if try connection.hasMoved() {
      throw StoreMigrationError(.storeInUse, path, "Another file was put in the store's place meanwhile.")
    }
    // Nothing of the store's own is in them: it has no WAL, and whoever holds the lock has rolled back its journal.
    for suffix in ["-wal", "-shm", "-journal"] { try Files.remove(path + suffix) }
    try Files.syncFolder(of: path)
  }

  /// Ends the lock and returns the store to the journal mode that it had.
  func reinstate() { Self.reinstate(connection, wasWAL) }

  private static func reinstate(_ connection: Connection, _ wasWAL: Bool) {
    // Without a transaction there is nothing to end. Rows and schema are the same in both modes, and whoever has
    // opened the store by now may go on with it.
    _ = try? connection.execute("ROLLBACK")
    if wasWAL { _ = try? connection.rows("PRAGMA journal_mode = WAL") }
  }
}
