import ExhibitCSQLite
import ExhibitSQLite
import ExhibitStart
import ExhibitSystem
import Foundation

extension SQLiteStore {
  /// An open connection to a store; any thread may use it.
  public final class Connection: Sendable {
    private let connection: Locked<SQLiteConnection?>
    private let name: String

    init(path: String, named name: String, identifiers: IdentifierSequence) throws(StoreError) {
      self.name = name
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_URI
      do throws(SQLiteError) {
        // Visible to the recorder, as a connection of the test.
        let opened = try SQLiteConnection(path: path, named: name, flags: flags, image: .linked)
        connection = Locked(opened)
        sqlite3_busy_timeout(opened.handle.pointer, 5000)
        identifiers.register(on: opened.handle.pointer)
      } catch {
        throw StoreError(.sqlite(code: error.code), "Could not open \(name): \(error.message).")
      }
    }

    /// Lends the `sqlite3 *` for use with the C API.
    ///
    /// - Parameter body: Uses the handle; it must neither close nor keep it.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` when the connection is closed, and the errors of `body`.
    public func withHandle<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
      try use { try body($0.pointer) }
    }

    /// Runs statements without parameters, separated by semicolons.
    ///
    /// - Parameter sql: The statements; rows that they return are dropped.
    /// - Throws: `StoreError` with SQLite's message.
    public func execute(_ sql: String) throws {
      try alone(sql) { handle throws(SQLiteError) in try handle.execute(sql) }
    }

    /// Runs one statement with values for its parameters.
    ///
    /// ```swift
    /// let names = try db.rows("SELECT name FROM player WHERE score > ?", 10)
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - values: The values of its parameters, in order; missing ones are NULL.
    /// - Returns: The rows, each with the values of its columns.
    /// - Throws: `StoreError` with SQLite's message.
    @discardableResult
    public func rows(_ sql: String, _ values: SQLiteValue...) throws -> [[SQLiteValue]] {
      try alone(sql) { handle throws(SQLiteError) in try Self.rows(sql, values, handle) }
    }

    /// Closes the connection; a second call does nothing.
    ///
    /// - Throws: `StoreError` while one of its statements is open.
    public func close() throws {
      try connection.withLock { connection in
        do throws(SQLiteError) {
          try connection?.close()
        } catch {
          throw storeError(error, "close")
        }
        connection = nil
      }
    }
  }
}

extension SQLiteStore.Connection {
  private func use<Result>(_ body: (SQLiteHandle) throws -> Result) throws -> Result {
    guard let handle = connection.withLock({ $0?.handle }) else {
      throw StoreError(.closed, "The connection to \(name) is closed.")
    }
    return try body(handle)
  }

  /// Locks the connection, so that an error's message belongs to it.
  private func alone<Result>(
    _ sql: String, _ body: (SQLiteHandle) throws(SQLiteError) -> Result
  ) throws -> Result {
    try use { handle in
      let mutex = sqlite3_db_mutex(handle.pointer)
      sqlite3_mutex_enter(mutex)
      defer { sqlite3_mutex_leave(mutex) }
      do throws(SQLiteError) {
        return try body(handle)
      } catch {
        // SQLite's message may quote the key of an encrypted database.
        guard exhibit_may_tell_key(sql, error.message) == 0 else {
          throw StoreError(
            .sqlite(code: error.extendedCode),
            "SQLite: \(String(cString: sqlite3_errstr(error.extendedCode))), in a statement with a key (\(name))."
          )
        }
        throw storeError(error, sql)
      }
    }
  }

  private func storeError(_ error: SQLiteError, _ attempt: String) -> StoreError {
    StoreError(.sqlite(code: error.extendedCode), "SQLite: \(error.message), in \(attempt) (\(name)).")
  }

  private static func rows(
    _ sql: String, _ values: [SQLiteValue], _ handle: SQLiteHandle
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    guard let statement = try SQLiteStatement(sql, on: handle) else { return [] }
    for (index, value) in values.enumerated() { try value.bind(to: statement, at: Int32(index + 1)) }
    var rows: [[SQLiteValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { SQLiteValue(statement, column: $0) })
    }
    return rows
  }
}

extension SQLiteValue {
  fileprivate func bind(to statement: SQLiteStatement, at index: Int32) throws(SQLiteError) {
    switch self {
    case .null: try statement.bindNull(at: index)
    case .integer(let value): try statement.bind(value, at: index)
    case .real(let value): try statement.bind(value, at: index)
    case .text(let text): try statement.bind(text, at: index)
    case .blob(let data):
      try data.withUnsafeBytes { bytes in
        Result { () throws(SQLiteError) in try statement.bind(bytes, at: index) }
      }.get()
    }
  }

  fileprivate init(_ statement: SQLiteStatement, column: Int32) {
    switch statement.type(at: column) {
    case SQLITE_INTEGER: self = .integer(statement.integer(at: column))
    case SQLITE_FLOAT: self = .real(statement.real(at: column))
    case SQLITE_TEXT: self = .text(statement.text(at: column) ?? "")
    case SQLITE_BLOB: self = .blob(Data(statement.bytes(at: column)))
    default: self = .null
    }
  }
}
