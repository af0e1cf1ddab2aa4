import Collector
import ExhibitCSQLite
import ExhibitSystem
import Foundation

extension SQLiteStore {
  /// An open connection to a store; any thread may use it.
  public final class Connection: Sendable {
    /// The address of the `sqlite3 *`; `nil` once it is closed.
    private let address: Locked<UInt?>
    private let name: String

    init(path: String, named name: String, identifiers: IdentifierSequence) throws(StoreError) {
      var opened: OpaquePointer?
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_URI
      let code = sqlite3_open_v2(path, &opened, flags, nil)
      self.name = name
      address = Locked(opened.map { UInt(bitPattern: $0) })
      guard code == SQLITE_OK, let opened else {
        let words = opened.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        _ = sqlite3_close_v2(opened)
        throw StoreError(
          .sqlite(code: code),
          "Could not open \(name): \(words.map { String(cString: $0) } ?? "unknown error").")
      }
      sqlite3_busy_timeout(opened, 5000)
      identifiers.register(on: opened)
    }

    deinit {
      try? close()
    }

    /// Lends the `sqlite3 *`, for the C API.
    ///
    /// - Parameter body: Uses it; it must neither close nor keep it.
    /// - Returns: What `body` returns.
    /// - Throws: `StoreError` when the connection is closed, and what `body` throws.
    public func withHandle<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
      guard let handle = address.withLock({ $0.flatMap { OpaquePointer(bitPattern: $0) } }) else {
        throw StoreError(.closed, "The connection to \(name) is closed.")
      }
      return try body(handle)
    }

    /// Runs statements without parameters, separated by semicolons.
    ///
    /// - Parameter sql: The statements; the rows that they return are dropped.
    /// - Throws: `StoreError` with SQLite's words.
    public func execute(_ sql: String) throws {
      try withHandle { db in
        sqlite3_mutex_enter(sqlite3_db_mutex(db))
        defer { sqlite3_mutex_leave(sqlite3_db_mutex(db)) }
        try check(sqlite3_exec(db, sql, nil, nil, nil), db, sql)
      }
    }

    /// Runs one statement with values for its parameters.
    ///
    /// ```swift
    /// let names = try db.rows("SELECT name FROM player WHERE score > ?", 10)
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - values: The values of its parameters, in their order; those left out are NULL.
    /// - Returns: Its rows, each with the values of its columns.
    /// - Throws: `StoreError` with SQLite's words.
    @discardableResult
    public func rows(_ sql: String, _ values: SQLiteValue...) throws -> [[SQLiteValue]] {
      try withHandle { db in
        sqlite3_mutex_enter(sqlite3_db_mutex(db))
        defer { sqlite3_mutex_leave(sqlite3_db_mutex(db)) }
        return try rows(sql, values, db)
      }
    }

    /// Closes it; done twice it does nothing.
    ///
    /// - Throws: `StoreError` while a statement of it is open.
    public func close() throws {
      try address.withLock { address in
        guard let db = address.flatMap({ OpaquePointer(bitPattern: $0) }) else { return }
        try check(sqlite3_close(db), db, "close")
        address = nil
      }
    }
  }
}

extension SQLiteStore.Connection {
  private func check(_ code: Int32, _ db: OpaquePointer, _ attempt: String) throws(StoreError) {
    guard code != SQLITE_OK else { return }
    let words = sqlite3_errmsg(db).map { String(cString: $0) } ?? "unknown error"
    throw StoreError(
      .sqlite(code: sqlite3_extended_errcode(db)), "SQLite: \(words), in \(attempt) (\(name)).")
  }

  private func rows(_ sql: String, _ values: [SQLiteValue], _ db: OpaquePointer) throws -> [[SQLiteValue]] {
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(db, sql, -1, &prepared, nil), db, sql)
    guard let statement = prepared else { return [] }
    defer { sqlite3_finalize(statement) }  // repeats the code of the step
    for (index, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(index + 1)), db, sql)
    }
    var rows: [[SQLiteValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(statement)).map { SQLiteValue(statement, column: $0) })
      case SQLITE_DONE: return rows
      case let code: try check(code, db, sql)
      }
    }
  }
}

extension SQLiteValue {
  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let text): exhibit_bind_text(statement, index, text, Int32(clamping: text.utf8.count))
    case .blob(let data):
      data.withUnsafeBytes {
        exhibit_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  fileprivate init(_ statement: OpaquePointer, column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column).map { String(cString: $0) }
      self = .text(text ?? "")
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .blob(bytes.map { Data(bytes: $0, count: count) } ?? Data())
    default: self = .null
    }
  }
}
