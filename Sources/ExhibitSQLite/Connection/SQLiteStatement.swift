import ExhibitCSQLite

/// A compiled statement, which keeps a connection of ours open.
package final class SQLiteStatement {
  package let pointer: OpaquePointer
  private let handle: SQLiteHandle
  private let sql: String

  /// `nil` when the text has no statement.
  package init?(_ sql: String, on handle: SQLiteHandle) throws(SQLiteError) {
    var statement: OpaquePointer?
    try handle.check(sqlite3_prepare_v2(handle.pointer, sql, -1, &statement, nil), "run \(sql)")
    guard let statement else { return nil }
    pointer = statement
    self.handle = handle
    self.sql = sql
  }

  deinit {
    // The last step's error again, which `step` has thrown.
    _ = sqlite3_finalize(pointer)
  }

  /// - Returns: False behind the last row.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw handle.error(code, "run \(sql)")
    }
  }

  package func reset() {
    _ = sqlite3_reset(pointer)
  }
}

// MARK: - Parameters

extension SQLiteStatement {
  /// - Parameter index: From 1.
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

/// The current row; returned memory is valid until the next call.
extension SQLiteStatement {
  package var columnCount: Int32 { sqlite3_column_count(pointer) }

  /// Valid only before the value is read.
  package func type(at column: Int32) -> Int32 { sqlite3_column_type(pointer, column) }

  package func integer(at column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  package func real(at column: Int32) -> Double { sqlite3_column_double(pointer, column) }

  /// Not validated; `nil` for NULL.
  package func utf8(at column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard let start = sqlite3_column_text(pointer, column) else { return nil }
    // After column_text, which converts to UTF-8.
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
  }

  /// Up to the first zero; `nil` for NULL.
  package func text(at column: Int32) -> String? {
    sqlite3_column_text(pointer, column).map { String(cString: $0) }
  }

  /// A blob, or a text as stored; empty for NULL.
  package func bytes(at column: Int32) -> UnsafeRawBufferPointer {
    // Before column_bytes; NULL for an empty blob.
    let start = sqlite3_column_blob(pointer, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(pointer, column))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// - Parameters:
  ///   - limit: Bytes of a text or a blob.
  ///   - blobLimit: Bytes of a blob, if less.
  package func value(at column: Int32, limit: Int = .max, blobLimit: Int = .max) -> DatabaseValue {
    switch type(at: column) {
    case SQLITE_INTEGER: return .integer(integer(at: column))
    case SQLITE_FLOAT: return .real(real(at: column))
    case SQLITE_TEXT:
      guard let utf8 = utf8(at: column) else { return .text("") }
      let whole = utf8.count > limit ? DatabaseValue.Whole(bytes: utf8.count) : nil
      return .text(String(decoding: utf8, limit: limit), whole: whole)
    case SQLITE_BLOB:
      let bytes = bytes(at: column)
      return .blob(Array(bytes.prefix(min(limit, blobLimit))), of: bytes.count)
    default: return .null
    }
  }
}
