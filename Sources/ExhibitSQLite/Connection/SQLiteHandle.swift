import ExhibitCSQLite
import Glibc

/// An open connection: ours, which it keeps open, or one that was lent.
package struct SQLiteHandle {
  package let pointer: OpaquePointer
  package let path: String
  private let owner: SQLiteConnection?

  package init(pointer: OpaquePointer, path: String, owner: SQLiteConnection? = nil) {
    self.pointer = pointer
    self.path = path
    self.owner = owner
  }

  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(pointer, sql, nil, nil, nil), "run \(sql)")
  }

  /// The first column of the first row; `nil` without a row or for NULL.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    guard let statement = try SQLiteStatement(sql, on: self), try statement.step() else { return nil }
    return statement.text(at: 0)
  }

  package func integer(_ sql: String) throws(SQLiteError) -> Int? {
    try text(sql).flatMap { Int($0) }
  }

  /// The first column of every row; empty for NULL.
  package func texts(_ sql: String) throws(SQLiteError) -> [String] {
    guard let statement = try SQLiteStatement(sql, on: self) else { return [] }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(at: 0) ?? "") }
    return texts
  }

  /// Interrupts the statements of `body` after that time.
  package func limited<T>(to patience: Duration, _ body: (SQLiteHandle) throws -> T) rethrows -> T {
    var deadline = ContinuousClock.now + patience
    return try withUnsafeMutablePointer(to: &deadline) { deadline in
      sqlite3_progress_handler(
        pointer, 1000,
        { ContinuousClock.now < $0.map { $0.load(as: ContinuousClock.Instant.self) } ?? .now ? 0 : 1 },
        deadline)
      defer { sqlite3_progress_handler(pointer, 0, nil, nil) }
      return try body(self)
    }
  }

  package func configure(_ option: Int32, on: Bool) throws(SQLiteError) {
    try check(exhibit_db_config(pointer, option, on ? 1 : 0), "configure")
  }

  /// Compares bytes for each collation that the connection lacks, so that rows can be read.
  ///
  /// - Parameter guessed: Set at each comparison; it must outlive the statements.
  package func standInForCollations(
    noting guessed: UnsafeMutablePointer<Bool>? = nil
  ) throws(SQLiteError) {
    try check(
      sqlite3_collation_needed(pointer, guessed) { guessed, connection, _, name in
        _ = sqlite3_create_collation_v2(
          connection, name, SQLITE_UTF8, guessed,
          { guessed, leftCount, left, rightCount, right in
            guessed?.storeBytes(of: true, as: Bool.self)
            let common = Int(min(leftCount, rightCount))
            let order = left.flatMap { left in right.map { memcmp(left, $0, common) } } ?? 0
            return order == 0 ? leftCount - rightCount : order
          }, nil)
      }, "prepare")
  }

  /// Starts a read transaction; `BEGIN` alone takes no lock, and the pragma parses no schema.
  package func beginReading() throws(SQLiteError) {
    try execute("BEGIN")
    _ = try integer("PRAGMA main.user_version")
    guard sqlite3_txn_state(pointer, "main") >= SQLITE_TXN_READ else {
      throw SQLiteError(SQLITE_PROTOCOL, "start a read transaction on", path: path)
    }
  }

  /// True while this connection has a write transaction on `schema`.
  package func isWriting(_ schema: String) -> Bool {
    sqlite3_txn_state(pointer, schema) == SQLITE_TXN_WRITE
  }

  /// True inside a transaction that has not read `schema` yet.
  package func isAboutToRead(_ schema: String) -> Bool {
    sqlite3_get_autocommit(pointer) == 0 && sqlite3_txn_state(pointer, schema) == SQLITE_TXN_NONE
  }

  /// True when the path of `main` now names another file or none.
  package func hasMoved() throws(SQLiteError) -> Bool {
    var moved: Int32 = 0
    try check(sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &moved), "find the path of")
    return moved != 0
  }

  /// True when this connection's PENDING or EXCLUSIVE lock keeps readers out; false for a VFS without locks.
  package func keepsOthersOut(_ schema: String) -> Bool {
    let pending: Int32 = 3
    var state: Int32 = 0
    guard sqlite3_file_control(pointer, schema, SQLITE_FCNTL_LOCKSTATE, &state) == SQLITE_OK else {
      return false
    }
    return state >= pending
  }

  package func check(_ code: Int32, _ attempt: String) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code, attempt) }
  }

  /// A failed read, which SQLite reports as a malformed page, stays one.
  ///
  /// Source: https://sqlite.org/src/file/src/vdbe.c, at `abort_due_to_error`.
  package func error(_ code: Int32, _ attempt: String) -> SQLiteError {
    guard code & 0xff == SQLITE_CORRUPT, readFailure("main") != nil else {
      return SQLiteError(extended(code), attempt, path: path, handle: pointer)
    }
    return SQLiteError(SQLiteError.unreadable, attempt, path: path)
  }

  /// The `errno` of the last failed read of a database or its journal.
  package func readFailure(_ schema: String) -> Int32? {
    // SQLite reports these as a damaged file system; others concern locks.
    files(of: schema).map(\.lastErrno).first { [EIO, ERANGE, ENXIO].contains($0) }
  }

  package func forgetReadFailures(_ schema: String) {
    for file in files(of: schema) { file.forgetErrno() }
  }

  private func files(of schema: String) -> [SQLiteFile] {
    [SQLiteFile.databaseIfAny(of: self, schema: schema), SQLiteFile.journal(of: self, schema: schema)]
      .compactMap { $0 }
  }

  private func extended(_ code: Int32) -> Int32 {
    let extended = sqlite3_extended_errcode(pointer)
    return extended & 0xff == code & 0xff ? extended : code
  }
}
