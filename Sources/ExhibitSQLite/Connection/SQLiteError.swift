import ExhibitCSQLite

package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  package var code: Int32
  package var extendedCode: Int32
  package var message: String
  /// A verb phrase: `open`, `run BEGIN`.
  package var attempt: String
  package var path: String

  package init(_ extendedCode: Int32, _ attempt: String, path: String, handle: OpaquePointer? = nil) {
    self.code = extendedCode & 0xff
    self.extendedCode = extendedCode
    self.attempt = attempt
    self.path = path
    let words = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(extendedCode)
    message = words.map { String(cString: $0) } ?? "unknown error"
  }

  /// SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_READONLY_ROLLBACK: macros that Swift does not import.
  package static let unreadable = SQLITE_IOERR | 1 << 8
  static let shortRead = SQLITE_IOERR | 2 << 8
  package static let hotJournal = SQLITE_READONLY | 3 << 8

  /// True when a journal must be rolled back first, which our connections must not do.
  package var isHotJournal: Bool { extendedCode == Self.hotJournal }
  /// True when the system could not read the file; another attempt may succeed.
  package var isUnreadable: Bool { code == SQLITE_IOERR }
  package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// True when one of our limits stopped the statement.
  package var isInterruption: Bool { code == SQLITE_INTERRUPT }
  package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

  package var description: String {
    "Could not \(attempt) \(path.isEmpty ? "the in-memory database" : path): \(message) (SQLite code \(extendedCode))."
  }
}
