import ExhibitSQLite

/// How a table stores its columns, to read rows from pages without SQLite.
///
/// SQLite derives it from the CREATE statement; see `DeclaredTable`.
struct TableLayout: Sendable, Equatable {
  struct Column: Sendable, Equatable {
    var name: String
    var type: String
    /// Its index in the record; `nil` for the rowid.
    var position: Int?
    /// The default in older records, from before it was added.
    var missing: DatabaseValue = .null
    /// True when reals may be stored as integers.
    var isReal = false
    /// True for a stored generated column.
    var isGenerated = false
  }

  /// Why rows cannot be read.
  enum Unknown: Error, Sendable, Equatable {
    case virtual
    case noTable
    /// SQLite rejects the declaration, with its message.
    case notDeclared(String)
  }

  let name: String
  let columns: [Column]
  /// Virtual generated columns, which are not stored.
  let virtualColumns: [String]
  let isWithoutRowid: Bool
  let primaryKey: [Int]
  var keyNames: [String] { primaryKey.map { columns[$0].name } }
  /// The number of key values that begin a record of a table `WITHOUT ROWID`.
  let keyValues: Int?
  let encoding: DatabaseState.Encoding

  var rowidColumn: Int? { columns.firstIndex { $0.position == nil } }

  /// The values as SELECT gives them.
  ///
  /// - Parameter record: Stored values; old rows may have fewer.
  func values(_ record: [DatabaseValue], rowid: Int64) -> [DatabaseValue] {
    columns.map { column in
      guard let position = column.position else { return .integer(rowid) }
      guard position < record.count else { return column.missing }
      if column.isReal, case .integer(let value) = record[position] { return .real(Double(value)) }
      return record[position]
    }
  }

  /// The same for a row, with long values truncated.
  ///
  /// - Throws: `DamagedPage`, `SystemError`.
  func values(of row: StoredRow, keeping bytes: Int = Int.max) throws -> [DatabaseValue] {
    // A damaged record may claim any number of values.
    let count = columns.reduce(0) { max($0, ($1.position ?? -1) + 1) }
    return values(try row.values(keeping: bytes, columns: count), rowid: row.rowid)
  }

  /// The values of a row for display.
  ///
  /// - Parameters:
  ///   - limit: Bytes of a text or blob.
  ///   - blobLimit: Bytes of a blob, if less.
  /// - Throws: `DamagedPage`, `SystemError`.
  func cells(
    of row: StoredRow, limit: Int, blobLimit: Int = InspectionLimits().blobBytes
  ) throws -> [DatabaseValue] {
    try values(of: row, keeping: storedBytes(of: limit)).map { $0.shown(limit: limit, blobLimit: blobLimit) }
  }

  /// The stored bytes needed for so much UTF-8.
  func storedBytes(of limit: Int) -> Int {
    // Of UTF-16, enough to tell the length in UTF-8.
    encoding == .utf8 ? limit : max(limit * 2, 1 << 16)
  }
}
