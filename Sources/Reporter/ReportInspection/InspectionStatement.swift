import ExhibitCSQLite
package import ExhibitSQLite
import Glibc

/// A statement of a connection to a database nobody vouches for, which is asked for the time before every row.
package struct InspectionStatement {
  private let statement: SQLiteStatement
  private let connection: InspectionConnection
  private let guesses: Bool

  init(_ statement: SQLiteStatement, on connection: InspectionConnection, guesses: Bool) {
    (self.statement, self.connection, self.guesses) = (statement, connection, guesses)
  }

  /// Goes to the next row.
  ///
  /// - Returns: `false` behind the last one.
  package func step() throws(SQLiteError) -> Bool {
    try connection.checkTime()
    if guesses { return try statement.step() }
    connection.hasGuessed = false
    let hasRow = try statement.step()
    try connection.checkGuess()
    return hasRow
  }

  /// Goes back before the first row of those with another number as its only parameter.
  package func restart(with number: Int64) throws(SQLiteError) {
    statement.reset()
    try statement.bind(number, at: 1)
  }

  /// Runs it to its end.
  func run() throws(SQLiteError) {
    while try step() {}
  }

  /// The names of the result's columns.
  package var columnNames: [String] {
    (0..<statement.columnCount).map {
      sqlite3_column_name(statement.pointer, $0).map { String(cString: $0) } ?? ""
    }
  }

  /// A number of the current row.
  package func integer(at column: Int32) -> Int { Int(statement.integer(at: column)) }

  func isNull(at column: Int32) -> Bool { statement.type(at: column) == SQLITE_NULL }

  /// A text of the current row, or `nil` for NULL.
  ///
  /// Bytes that are not UTF-8 become U+FFFD.
  package func text(at column: Int32, limit: Int = .max) -> String? {
    statement.utf8(at: column).map { String(decoding: $0, limit: limit) }
  }

  /// The type of a value of the current row, `SQLITE_INTEGER` and the like; to be asked before the value.
  package func type(at column: Int32) -> Int32 { statement.type(at: column) }

  /// A real number of the current row.
  package func real(at column: Int32) -> Double { statement.real(at: column) }

  /// The UTF-8 of a text of the current row, valid until the next call; `nil` for NULL.
  package func utf8(at column: Int32) -> UnsafeBufferPointer<UInt8>? { statement.utf8(at: column) }

  /// A value of the current row, as it is shown.
  ///
  /// - Parameters:
  ///   - limit: Bytes of a text or a blob; unless said, as many as a story has.
  ///   - blobLimit: Bytes of a blob, if that is less.
  package func cell(
    at column: Int32, limit: Int = InspectionLimits.toldBytes, blobLimit: Int = InspectionLimits().blobBytes
  ) -> DatabaseValue {
    statement.value(at: column, limit: limit, blobLimit: blobLimit)
  }

  /// The bytes of a text that is no UTF-8, which `cell` shows with U+FFFD in it; `nil` for any other value.
  func undecoded(at column: Int32, limit: Int) -> [UInt8]? {
    guard statement.type(at: column) == SQLITE_TEXT, let utf8 = statement.utf8(at: column) else { return nil }
    return hasReplacements(String(decoding: utf8, limit: limit), of: utf8) ? Array(utf8.prefix(limit)) : nil
  }

  /// Feeds the whole value of the current row, with its type.
  func hash(at column: Int32, into hasher: inout Hasher) {
    let type = statement.type(at: column)
    hasher.combine(type)
    switch type {
    case SQLITE_INTEGER: hasher.combine(statement.integer(at: column))
    case SQLITE_FLOAT: hasher.combine(statement.real(at: column).bitPattern)
    case SQLITE_NULL: break
    default:
      // The bytes of a text as they lie there.
      let bytes = statement.bytes(at: column)
      hasher.combine(bytes: bytes)
      hasher.combine(bytes.count)
    }
  }
}

/// True when U+FFFD stands in a decoded text for bytes that are no UTF-8.
package func hasReplacements(_ text: String, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var text = text
  return text.withUTF8 { utf8 in
    guard let start = utf8.baseAddress, let original = bytes.baseAddress else { return !utf8.isEmpty }
    return utf8.count > bytes.count || memcmp(start, original, utf8.count) != 0
  }
}
