internal import ExhibitCSQLite

/// A compiled statement; it owns its handle and keeps its connection open.
final class InspectionStatement {
  private let handle: OpaquePointer
  private let connection: InspectionConnection

  /// Takes over a handle that belongs to the connection.
  init(_ handle: OpaquePointer, connection: InspectionConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit {
    // Repeats the code of the last step, which step() has thrown already.
    sqlite3_finalize(handle)
  }

  /// Goes to the next row.
  ///
  /// - Returns: `false` behind the last one.
  func step() throws(InspectionConnection.Failure) -> Bool {
    try connection.checkTime()
    return switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw connection.failure(code)
    }
  }

  /// Runs it to its end.
  func run() throws(InspectionConnection.Failure) {
    while try step() {}
  }

  /// The names of the result's columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
    }
  }

  /// The types of the result's columns as the schema declares them; empty for one without.
  var declaredTypes: [String] {
    (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_decltype(handle, $0).map { String(cString: $0) } ?? ""
    }
  }

  /// A number of the current row.
  func integer(at column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  /// Whether a value of the current row is NULL.
  func isNull(at column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// A text of the current row, or `nil` for NULL.
  ///
  /// Bytes that are not UTF-8 become U+FFFD.
  func text(at column: Int32, limit: Int = .max) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    // After column_text: the length is that of the UTF-8 it made.
    let count = Int(sqlite3_column_bytes(handle, column))
    return decoded(UnsafeBufferPointer(start: start, count: count), limit: limit)
  }

  /// A value of the current row, as it is shown.
  func cell(at column: Int32, limit: Int) -> DatabaseInspection.Cell {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: textCell(at: column, limit: limit)
    case SQLITE_BLOB: blobCell(at: column, limit: limit)
    default: .null
    }
  }

  /// Feeds the whole value of the current row, with its type.
  func hash(at column: Int32, into hasher: inout Hasher) {
    let type = sqlite3_column_type(handle, column)
    hasher.combine(type)
    switch type {
    case SQLITE_INTEGER: hasher.combine(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: hasher.combine(sqlite3_column_double(handle, column).bitPattern)
    case SQLITE_NULL: break
    default:
      // Of a text its bytes as they lie there.
      let start = sqlite3_column_blob(handle, column)
      let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
      hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
      hasher.combine(count)
    }
  }

  private func textCell(at column: Int32, limit: Int) -> DatabaseInspection.Cell {
    let text = text(at: column, limit: limit) ?? ""
    let count = Int(sqlite3_column_bytes(handle, column))
    return .text(text, cutFrom: count > limit ? count : nil)
  }

  private func blobCell(at column: Int32, limit: Int) -> DatabaseInspection.Cell {
    // Before column_bytes; NULL for a blob without bytes.
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return .blob(Array(bytes.prefix(min(limit, shownBlobBytes))), bytes: count)
  }
}

/// Bytes shown of a blob: enough for the name of a file that Core Data keeps a value in.
private let shownBlobBytes = 38

/// At most so many bytes as text; a character that would be cut in two is left out.
func decoded(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> String {
  guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
  var end = limit
  // Continuation bytes begin with 10; a character has three at most.
  while end > max(0, limit - 4), bytes[end] & 0xC0 == 0x80 { end -= 1 }
  return String(decoding: bytes[..<end], as: UTF8.self)
}
