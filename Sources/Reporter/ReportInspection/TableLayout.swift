import ExhibitSQLite

/// The layout of a table's columns in its records, so that its rows can be read in any state of a database, without
/// SQLite and from pages.
///
/// SQLite itself says it, of the CREATE statement alone: see `DeclaredTable`.
struct TableLayout: Sendable, Equatable {
  struct Column: Sendable, Equatable {
    var name: String
    /// As declared; empty for a column without.
    var type: String
    /// The index of its value in the record; `nil` where it is the rowid.
    var position: Int?
    /// The value that a record without it stands for, because the column was added later.
    var missing: DatabaseValue = .null
    /// True when integers are reals that are stored shorter.
    var isReal = false
    /// True when the value was computed from others when the row was written.
    var isGenerated = false
  }

  /// The reason a table's rows cannot be told.
  enum Unknown: Error, Sendable, Equatable {
    /// It has no rows of its own: its module finds them.
    case virtual
    /// No table at all.
    case noTable
    /// SQLite does not know what it declares, in SQLite's words.
    case notDeclared(String)
  }

  let name: String
  /// The stored columns, in the order of a SELECT.
  let columns: [Column]
  /// The generated columns that are not stored: a row has no value of them.
  let virtualColumns: [String]
  let isWithoutRowid: Bool
  /// The columns of the primary key, in its order; empty for a table that declares none.
  let primaryKey: [Int]
  var keyNames: [String] { primaryKey.map { columns[$0].name } }
  /// The number of a record's first values that are the key of a table WITHOUT ROWID; `nil` for others.
  let keyValues: Int?
  let encoding: DatabaseState.Encoding

  /// The column that is the rowid, if one is.
  var rowidColumn: Int? { columns.firstIndex { $0.position == nil } }

  /// The value of each column, as a SELECT gives it.
  ///
  /// - Parameter record: the row's stored values; those of older rows may be fewer than there are columns now.
  func values(_ record: [DatabaseValue], rowid: Int64) -> [DatabaseValue] {
    columns.map { column in
      guard let position = column.position else { return .integer(rowid) }
      guard position < record.count else { return column.missing }
      if column.isReal, case .integer(let value) = record[position] { return .real(Double(value)) }
      return record[position]
    }
  }

  /// The same of a row, with long values cut.
  ///
  /// - Parameter bytes: the bytes of a text or blob that are kept.
  /// - Throws: `DamagedPage`, `SystemError`.
  func values(of row: StoredRow, keeping bytes: Int = Int.max) throws -> [DatabaseValue] {
    // A damaged record may claim more values than any table has columns.
    let count = columns.reduce(0) { max($0, ($1.position ?? -1) + 1) }
    return values(try row.values(keeping: bytes, columns: count), rowid: row.rowid)
  }

  /// The cells of a row as they are shown.
  ///
  /// - Parameters:
  ///   - limit: bytes shown of one text or blob.
  ///   - blobLimit: bytes shown of a blob, if that is less.
  /// - Throws: `DamagedPage`, `SystemError`.
  func cells(
    of row: StoredRow, limit: Int, blobLimit: Int = InspectionLimits().blobBytes
  ) throws -> [DatabaseValue] {
    try values(of: row, keeping: storedBytes(of: limit)).map { $0.shown(limit: limit, blobLimit: blobLimit) }
  }

  /// The number of bytes to read for so many bytes of UTF-8.
  func storedBytes(of limit: Int) -> Int {
    // For a text in UTF-16, enough to tell its length in UTF-8 too, if it is not very long.
    encoding == .utf8 ? limit : max(limit * 2, 1 << 16)
  }
}
