import ExhibitCSQLite
import Glibc

/// An open connection: ours, which stays open with it, or one that was lent to us.
package struct SQLiteHandle {
  package let pointer: OpaquePointer
  /// The database's name in errors.
  package let path: String
  private let owner: SQLiteConnection?

  package init(pointer: OpaquePointer, path: String, owner: SQLiteConnection? = nil) {
    self.pointer = pointer
    self.path = path
    self.owner = owner
  }

  /// Runs statements and ignores their rows.
  ///
  /// - Throws: `SQLiteError`.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(pointer, sql, nil, nil, nil), "run \(sql)")
  }

  /// Returns the first column of the first row; `nil` without a row or for NULL.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    guard let statement = try SQLiteStatement(sql, on: self), try statement.step() else { return nil }
    return statement.text(at: 0)
  }

  /// Returns the same as an integer.
  package func integer(_ sql: String) throws(SQLiteError) -> Int? {
    try text(sql).flatMap { Int($0) }
  }

  /// Returns the first column of every row; an empty text for NULL.
  package func texts(_ sql: String) throws(SQLiteError) -> [String] {
    guard let statement = try SQLiteStatement(sql, on: self) else { return [] }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(at: 0) ?? "") }
    return texts
  }

  /// Runs `body` and interrupts its statements when they take longer in all.
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

  /// Switches an option of `sqlite3_db_config`.
  package func configure(_ option: Int32, on: Bool) throws(SQLiteError) {
    try check(exhibit_db_config(pointer, option, on ? 1 : 0), "configure")
  }

  /// Lets SQLite read what an app's own collations order: each that it lacks compares bytes instead.
  ///
  /// Rows and pages can be read then; an answer that such a comparison decides may be another than the app's.
  ///
  /// - Parameter guessed: Set at each such comparison; it has to outlive the connection's statements.
  package func standInForCollations(
    noting guessed: UnsafeMutablePointer<Bool>? = nil
  ) throws(SQLiteError) {
    try check(
      sqlite3_collation_needed(pointer, guessed) { guessed, connection, _, name in
        // A failure is one of the statement, which then lacks the collation.
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

  /// Starts a read transaction on `main` that lasts until `COMMIT` or the connection's end.
  ///
  /// `BEGIN` alone takes no lock. The schema is not parsed, so a damaged one does not matter.
  package func beginReading() throws(SQLiteError) {
    try execute("BEGIN")
    _ = try integer("PRAGMA main.user_version")
    guard sqlite3_txn_state(pointer, "main") >= SQLITE_TXN_READ else {
      throw SQLiteError(SQLITE_PROTOCOL, "start a read transaction on", path: path)
    }
  }

  /// True while a write transaction of this connection is open on `schema`.
  package func isWriting(_ schema: String) -> Bool {
    sqlite3_txn_state(pointer, schema) == SQLITE_TXN_WRITE
  }

  /// True when a transaction was begun that has not read `schema` yet.
  package func isAboutToRead(_ schema: String) -> Bool {
    sqlite3_get_autocommit(pointer) == 0 && sqlite3_txn_state(pointer, schema) == SQLITE_TXN_NONE
  }

  /// True when the path of `main` leads to another file, or to none, by now.
  package func hasMoved() throws(SQLiteError) -> Bool {
    var moved: Int32 = 0
    try check(sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &moved), "find the path of")
    return moved != 0
  }

  /// True when this connection keeps all others from reading, with a PENDING or EXCLUSIVE lock.
  ///
  /// Always false for a VFS that has no locks.
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

  /// The error for a code; a statement reports a page that the system could not read as malformed.
  ///
  /// Source: https://sqlite.org/src/file/src/vdbe.c, at `abort_due_to_error`.
  package func error(_ code: Int32, _ attempt: String) -> SQLiteError {
    guard code & 0xff == SQLITE_CORRUPT, readFailure("main") != nil else {
      return SQLiteError(extended(code), attempt, path: path, handle: pointer)
    }
    return SQLiteError(SQLiteError.unreadable, attempt, path: path)
  }

  /// The `errno` of the last failed read of a database, its WAL or its journal.
  ///
  /// `nil` when none failed, or when SQLite's VFS does not tell.
  package func readFailure(_ schema: String) -> Int32? {
    // SQLite reports these as a damaged file system; others concern locks.
    files(of: schema).map(\.lastErrno).first { [EIO, ERANGE, ENXIO].contains($0) }
  }

  /// Clears the errors of earlier reads.
  package func forgetReadFailures(_ schema: String) {
    for file in files(of: schema) { file.forgetErrno() }
  }

  private func files(of schema: String) -> [SQLiteFile] {
    [SQLiteFile.databaseIfAny(of: self, schema: schema), SQLiteFile.journal(of: self, schema: schema)]
      .compactMap { $0 }
  }

  /// The extended code, where the connection knows one for a primary code.
  private func extended(_ code: Int32) -> Int32 {
    let extended = sqlite3_extended_errcode(pointer)
    return extended & 0xff == code & 0xff ? extended : code
  }
}
