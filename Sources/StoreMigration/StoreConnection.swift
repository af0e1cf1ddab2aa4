import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

extension SQLiteHandle {
  /// Opens a store or a copy to read and write it.
  static func open(store path: String, creates: Bool = false) throws(SQLiteError) -> SQLiteHandle {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | (creates ? SQLITE_OPEN_CREATE : 0)
    return try SQLiteConnection(path: path, flags: flags, image: .linked).handle
  }

  /// Opens a database that nobody changes, ignoring its WAL.
  static func open(immutable path: String) throws(SQLiteError) -> SQLiteHandle {
    try SQLiteConnection(immutable: path, named: path, vfs: nil, image: .linked).handle
  }

  /// Sets whether closing the connection leaves the WAL as it is instead of checkpointing it.
  func keepWAL(_ keeps: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on: keeps)
  }

  /// Leaves a WAL with content at the close; SQLite removes an empty one.
  func keepWAL(of store: String) throws {
    let status = try FileStatus(path: SideFile.wal.path(beside: store), followingLinks: false)
    try keepWAL(status?.bytes ?? 0 > 0)
  }

  /// Replaces the whole content by another database's, in one transaction.
  ///
  /// - Throws: `SQLiteError` that names the database written to.
  func fill(from source: SQLiteHandle) throws(SQLiteError) {
    do throws(SQLiteError) {
      try SQLiteBackup.step(-1, from: "main", on: source, into: self)
    } catch {
      throw SQLiteError(error.extendedCode, "write to", path: path)
    }
  }

  /// True when no transaction is open and no statement is unfinished.
  var isIdle: Bool {
    guard sqlite3_get_autocommit(pointer) != 0 else { return false }
    var statement = sqlite3_next_stmt(pointer, nil)
    while let next = statement {
      if sqlite3_stmt_busy(next) != 0 { return false }
      statement = sqlite3_next_stmt(pointer, next)
    }
    return true
  }
}

/// True when this process has a file open through more than one descriptor, so through another connection too.
///
/// In rollback mode an idle connection has no lock that would show it. False where descriptors cannot be listed.
func isOpenTwice(_ path: String) -> Bool {
  FileIdentity(path: path).map { OpenDescriptors.count(of: $0) > 1 } ?? false
}

extension StoreMigrationError {
  /// Converts errors of SQLite and the system.
  static func converted(_ error: any Error) -> any Error {
    switch error {
    case let error as SQLiteError: StoreMigrationError(error)
    case let error as SystemError: StoreMigrationError(error)
    default: error
    }
  }

  init(_ error: SQLiteError) {
    let attempt = error.attempt.hasPrefix("run ") ? error.attempt : error.attempt + " it"
    self.init(
      .sqlite(error.extendedCode), error.path,
      "SQLite could not \(attempt): \(error.message) (code \(error.extendedCode)).")
  }

  private init(_ error: SystemError) {
    self.init(.system(error.code), error.path, "Could not \(error.attempt) it: \(error.reason).")
  }

  static func inUse(_ store: String) -> StoreMigrationError {
    StoreMigrationError(
      .storeInUse, store,
      "Another connection has the store open. Migrate before the app opens it, and close what has it open.")
  }
}
