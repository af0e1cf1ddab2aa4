import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

extension SQLiteHandle {
  /// Opens a store, or a copy of one, to read and write it.
  ///
  /// - Parameter creates: Whether to make it if there is none.
  /// - Throws: `SQLiteError`.
  static func open(store path: String, creates: Bool = false) throws(SQLiteError) -> SQLiteHandle {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | (creates ? SQLITE_OPEN_CREATE : 0)
    return try SQLiteConnection(path: path, flags: flags, image: .linked).handle
  }

  /// Opens what nobody changes, without its WAL.
  ///
  /// - Throws: `SQLiteError`.
  static func open(immutable path: String) throws(SQLiteError) -> SQLiteHandle {
    try SQLiteConnection(immutable: path, named: path, vfs: nil, image: .linked).handle
  }

  /// Has closing it leave a WAL as it is, or empty it into the database as usual.
  func keepWAL(_ keeps: Bool) throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on: keeps)
  }

  /// Has closing it leave a WAL with something in it as it is; without one, what SQLite makes beside the store goes
  /// again.
  func keepWAL(of store: String) throws {
    let status = try FileStatus(path: SideFile.wal.path(beside: store), followingLinks: false)
    try keepWAL(status?.bytes ?? 0 > 0)
  }

  /// Replaces everything in it by what another database holds, in one transaction.
  ///
  /// - Throws: `SQLiteError` that names what is written to.
  func fill(from source: SQLiteHandle) throws(SQLiteError) {
    do throws(SQLiteError) {
      try SQLiteBackup.step(-1, from: "main", on: source, into: self)
    } catch {
      throw SQLiteError(error.extendedCode, "write to", path: path)
    }
  }

  /// Whether it is in no transaction and has no statement that was not run to its end.
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

/// Whether this process has a file open more than once, and so through another connection than ours.
///
/// In rollback mode a connection that does nothing has no lock by which it could be found. Always `false` where the
/// open files cannot be listed.
func isOpenTwice(_ path: String) -> Bool {
  FileIdentity(path: path).map { OpenDescriptors.count(of: $0) > 1 } ?? false
}

extension StoreMigrationError {
  /// What the closures throw stays as it is, and so do our own errors.
  static func converted(_ error: any Error) -> any Error {
    switch error {
    case let error as SQLiteError: StoreMigrationError(error)
    case let error as SystemError: StoreMigrationError(error)
    default: error
    }
  }

  init(_ error: SQLiteError) {
    // Of a statement the attempt is a whole phrase.
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
