import CSQLite

/// An error of SQLite's.
public struct DatabaseError: Error, CustomStringConvertible {
  /// What SQLite says.
  public var description: String
}

/// One connection to a database in memory.
public final class Database {
  private var handle: OpaquePointer?

  /// Opens a database of its own.
  public init() throws {
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK else { throw error() }
  }

  deinit { sqlite3_close(handle) }

  private func error() -> DatabaseError {
    DatabaseError(description: String(cString: sqlite3_errmsg(handle)))
  }

  /// Runs a statement with texts and numbers for its parameters.
  ///
  /// - Returns: The first column of each row.
  @discardableResult
  public func run(_ sql: String, _ values: Any...) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw error() }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      if let number = value as? Int {
        sqlite3_bind_int64(statement, place, Int64(number))
      } else {
        // SQLite makes a copy of its own.
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, place, "\(value)", -1, copy)
      }
    }
    var rows: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
      case SQLITE_DONE: return rows
      default: throw error()
      }
    }
  }
}
