import InventorySQLite

/// An error that SQLite reports.
package struct DatabaseError: Error, CustomStringConvertible {
  package var code: Int32
  package var description: String
}

/// A SQLite connection through the C API; its owner calls it from one thread at a time.
final class Database {
  private let handle: OpaquePointer

  init(at path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw DatabaseError(code: code, description: "\(path) cannot be opened")
    }
    handle = opened
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Runs one statement and returns the first column of its rows.
  @discardableResult func integers(_ sql: String, _ arguments: [Int64] = []) throws -> [Int64] {
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
    defer { sqlite3_finalize(prepared) }
    for (index, argument) in arguments.enumerated() {
      try check(sqlite3_bind_int64(prepared, Int32(index + 1), argument))
    }
    var rows: [Int64] = []
    while true {
      let code = sqlite3_step(prepared)
      if code == SQLITE_DONE { return rows }
      guard code == SQLITE_ROW else { throw error(code) }
      rows.append(sqlite3_column_int64(prepared, 0))
    }
  }

  func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      try execute("ROLLBACK")
      throw error
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> DatabaseError {
    DatabaseError(code: code, description: String(cString: sqlite3_errmsg(handle)))
  }
}
