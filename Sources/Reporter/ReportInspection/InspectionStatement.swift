import ExhibitCSQLite
package import ExhibitSQLite
import Glibc

/// A statement on an untrusted database, which checks the time limit before each row.
package struct InspectionStatement {
  private let statement: SQLiteStatement
  private let connection: InspectionConnection
  private let guesses: Bool

  init(_ statement: SQLiteStatement, on connection: InspectionConnection, guesses: Bool) {
    (self.statement, self.connection, self.guesses) = (statement, connection, guesses)
  }

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

  package var columnNames: [String] {
    (0..<statement.columnCount).map {
      sqlite3_column_name(statement.pointer, $0).map { String(cString: $0) } ?? ""
    }
  }

  package func integer(at column: Int32) -> Int { Int(statement.integer(at: column)) }

  func isNull(at column: Int32) -> Bool { statement.type(at: column) == SQLITE_NULL }

  /// A text, or `nil` for NULL; invalid UTF-8 becomes U+FFFD.
  package func text(at column: Int32, limit: Int = .max) -> String? {
    statement.utf8(at: column).map { String(decoding: $0, limit: limit) }
  }

  /// A type such as `SQLITE_INTEGER`, which must be read before the value.
  package func type(at column: Int32) -> Int32 { statement.type(at: column) }

  package func real(at column: Int32) -> Double { statement.real(at: column) }

  /// The UTF-8 of a text, valid until the next call; `nil` for NULL.
  package func utf8(at column: Int32) -> UnsafeBufferPointer<UInt8>? { statement.utf8(at: column) }

  /// A value for display.
  ///
  /// - Parameters:
  ///   - limit: Bytes of a text or blob.
  ///   - blobLimit: Bytes of a blob, if less.
  package func cell(
    at column: Int32, limit: Int = InspectionLimits.toldBytes, blobLimit: Int = InspectionLimits().blobBytes
  ) -> DatabaseValue {
    statement.value(at: column, limit: limit, blobLimit: blobLimit)
  }

  /// The bytes of a text that is invalid UTF-8.
  func undecoded(at column: Int32, limit: Int) -> [UInt8]? {
    guard statement.type(at: column) == SQLITE_TEXT, let utf8 = statement.utf8(at: column) else { return nil }
    return hasReplacements(String(decoding: utf8, limit: limit), of: utf8) ? Array(utf8.prefix(limit)) : nil
  }

  /// What a property list holds, a member a line; `nil` for any other value.
  func propertyList(at column: Int32, _ limits: InspectionLimits, most: Int, work: inout Int) -> [String]? {
    guard statement.type(at: column) == SQLITE_BLOB else { return nil }
    let bytes = statement.bytes(at: column)
    guard work > 0, bytes.count <= limits.propertyListBytes, bytes.starts(with: BinaryPropertyList.magic)
    else {
      return nil
    }
    return PropertyListText.lines(of: Array(bytes), most: most, work: &work)
  }

  func hash(at column: Int32, into hasher: inout Hasher) {
    let type = statement.type(at: column)
    hasher.combine(type)
    switch type {
    case SQLITE_INTEGER: hasher.combine(statement.integer(at: column))
    case SQLITE_FLOAT: hasher.combine(statement.real(at: column).bitPattern)
    case SQLITE_NULL: break
    default:
      let bytes = statement.bytes(at: column)
      hasher.combine(bytes: bytes)
      hasher.combine(bytes.count)
    }
  }
}

/// True when a decoded text replaced invalid UTF-8.
package func hasReplacements(_ text: String, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var text = text
  return text.withUTF8 { utf8 in
    guard let start = utf8.baseAddress, let original = bytes.baseAddress else { return !utf8.isEmpty }
    return utf8.count > bytes.count || memcmp(start, original, utf8.count) != 0
  }
}
