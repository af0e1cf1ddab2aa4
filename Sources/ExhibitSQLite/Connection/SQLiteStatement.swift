import ExhibitCSQLite

/// A compiled statement of a connection; it owns its handle and keeps a connection of ours open.
package final class SQLiteStatement {
  package let pointer: OpaquePointer
  private let handle: SQLiteHandle
  private let sql: String

  /// Compiles the first statement of a text; `nil` when there is none in it.
  ///
  /// - Throws: `SQLiteError`.
  package init?(_ sql: String, on handle: SQLiteHandle) throws(SQLiteError) {
    var statement: OpaquePointer?
    try handle.check(sqlite3_prepare_v2(handle.pointer, sql, -1, &statement, nil), "run \(sql)")
    guard let statement else { return nil }
    pointer = statement
    self.handle = handle
    self.sql = sql
  }

  deinit {
    // Repeats the code of the last step, which `step` has thrown already.
    _ = sqlite3_finalize(pointer)
  }

  /// Goes to the next row.
  ///
  /// - Returns: `false` behind the last one.
  /// - Throws: `SQLiteError`.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw handle.error(code, "run \(sql)")
    }
  }
}

// MARK: - Parameters

extension SQLiteStatement {
  /// Gives the parameter at an index, from 1, a value.
  ///
  /// - Throws: `SQLiteError`.
  package func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(pointer, index, value))
  }

  package func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(pointer, index, value))
  }

  package func bind(_ text: String, at index: Int32) throws(SQLiteError) {
    try check(exhibit_bind_text(pointer, index, text, Int32(clamping: text.utf8.count)))
  }

  package func bind(_ blob: UnsafeRawBufferPointer, at index: Int32) throws(SQLiteError) {
    try check(exhibit_bind_blob(pointer, index, blob.baseAddress, Int32(clamping: blob.count)))
  }

  package func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(pointer, index))
  }

  private func check(_ code: Int32) throws(SQLiteError) { try handle.check(code, "run \(sql)") }
}

// MARK: - Columns

/// The values of the current row; memory that is handed out is valid until the next call.
extension SQLiteStatement {
  package var columnCount: Int32 { sqlite3_column_count(pointer) }

  /// `SQLITE_INTEGER` and the like; to be asked before the value.
  package func type(at column: Int32) -> Int32 { sqlite3_column_type(pointer, column) }

  package func integer(at column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  package func real(at column: Int32) -> Double { sqlite3_column_double(pointer, column) }

  /// The UTF-8 of a text, which SQLite does not check; `nil` for NULL.
  package func utf8(at column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard let start = sqlite3_column_text(pointer, column) else { return nil }
    // After column_text: the length is that of the UTF-8 it made.
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
  }

  /// The text up to its first zero; `nil` for NULL.
  package func text(at column: Int32) -> String? {
    sqlite3_column_text(pointer, column).map { String(cString: $0) }
  }

  /// The bytes of a blob, or of a text as they lie there; none for NULL.
  package func bytes(at column: Int32) -> UnsafeRawBufferPointer {
    // Before column_bytes; NULL for a blob without bytes.
    let start = sqlite3_column_blob(pointer, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(pointer, column))
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
