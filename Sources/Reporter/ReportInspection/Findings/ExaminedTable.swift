import ExhibitSQLite

/// How one ordinary table is laid out, as far as findings ask.
///
/// A class, because it is asked of for every value.
final class ExaminedTable {
  struct Column {
    var name: String
    var affinity: Affinity
    /// As the schema declares it; empty for none.
    var type: String
    /// Whether it is of the primary key.
    var isKey: Bool
    /// Whether it refers to another table.
    var refers = false
  }

  struct Index {
    var name: String
    var isUnique: Bool
    /// Whether it is about some rows alone.
    var isPartial: Bool
    /// By index of the table's columns.
    var columns: [Int]
  }

  let name: String
  /// Those that hold values and are not computed from others.
  private(set) var columns: [Column] = []
  /// A name of the rowid that no column hides; `nil` for a table without one.
  private(set) var rowid: String?
  /// Which of `columns` make the primary key, in its order.
  private(set) var key: [Int] = []
  private(set) var hasRowid = true
  /// Indexes of columns alone, those of constraints too.
  private(set) var indexes: [Index] = []

  /// - Throws: `SQLiteError`.
  init(_ name: String, in connection: InspectionConnection) throws(SQLiteError) {
    self.name = name
    try readColumns(connection)
    try readForeignKeys(connection)
    try readIndexes(connection)
  }

  /// Whether a row can be named: by rowid, or by the key of a table without one.
  var isAddressable: Bool { hasRowid ? rowid != nil : !key.isEmpty }

  /// The values that name a row come first, then all columns.
  var query: String {
    let identity = hasRowid ? [rowid ?? "NULL"] : key.map { SQLText.name(columns[$0].name) }
    let all = columns.map { SQLText.name($0.name) }
    return "SELECT \((identity + all).joined(separator: ", ")) FROM \(SQLText.name(name)) NOT INDEXED"
  }

  /// Where the columns begin in a row of `query`.
  var firstColumn: Int32 { hasRowid ? 1 : Int32(key.count) }

  /// The row that a statement of `query` stands on.
  func key(of statement: InspectionStatement) -> RowKey? {
    guard isAddressable else { return nil }
    if hasRowid { return .rowid(statement.integer64(at: 0)) }
    return .values(
      key.indices.map { statement.cell(at: Int32($0), limit: InspectionLimits().keyBytes) })
  }

  /// What a column prefers to hold, by its declared type.
  ///
  /// Source: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
  enum Affinity {
    case integer, text, blob, real, numeric

    init(_ type: String) {
      let type = type.uppercased()
      func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
      if has("INT") {
        self = .integer
      } else if has("CHAR", "CLOB", "TEXT") {
        self = .text
      } else if type.isEmpty || has("BLOB") {
        self = .blob
      } else {
        self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
      }
    }

    var isNumber: Bool { self == .integer || self == .real || self == .numeric }
  }
}

// MARK: - Reading

extension ExaminedTable {
  private func readColumns(_ connection: InspectionConnection) throws(SQLiteError) {
    let list = try connection.prepare(
      "SELECT wr FROM pragma_table_list(\(SQLText.text(name))) WHERE schema = 'main'")
    hasRowid = try !list.step() || list.integer(at: 0) == 0
    let statement = try connection.prepare(
      "SELECT name, type, pk, hidden FROM pragma_table_xinfo(\(SQLText.text(name)))")
    var key: [(position: Int, column: Int)] = []
    var names: Set<String> = []
    while try statement.step() {
      let column = statement.text(at: 0) ?? ""
      names.insert(column.lowercased())
      guard statement.integer(at: 3) == 0 else { continue }
      let (type, position) = (statement.text(at: 1) ?? "", statement.integer(at: 2))
      if position > 0 { key.append((position, columns.count)) }
      columns.append(.init(name: column, affinity: Affinity(type), type: type, isKey: position > 0))
    }
    self.key = key.sorted { $0.position < $1.position }.map(\.column)
    if hasRowid { rowid = ["rowid", "_rowid_", "oid"].first { !names.contains($0) } }
    // The only key that is the rowid itself can be asked for under its own name.
    if rowid == nil, hasRowid, let only = self.key.first, self.key.count == 1,
      columns[only].type.uppercased() == "INTEGER"
    {
      rowid = SQLText.name(columns[only].name)
    }
  }

  private func readForeignKeys(_ connection: InspectionConnection) throws(SQLiteError) {
    let statement = try connection.prepare("PRAGMA foreign_key_list(\(SQLText.name(name)))")
    while try statement.step() {
      guard let column = column(named: statement.text(at: 3)) else { continue }
      columns[column].refers = true
    }
  }

  private func readIndexes(_ connection: InspectionConnection) throws(SQLiteError) {
    let statement = try connection.prepare(
      "SELECT name, \"unique\", partial FROM pragma_index_list(\(SQLText.text(name))) ORDER BY seq DESC")
    while try statement.step() {
      let index = statement.text(at: 0) ?? ""
      let info = try connection.prepare(
        "SELECT name, cid FROM pragma_index_info(\(SQLText.text(index))) ORDER BY seqno")
      var found: [Int] = []
      var isOfColumns = true
      while try info.step() {
        guard let column = column(named: info.text(at: 0)) else {
          isOfColumns = false
          continue
        }
        found.append(column)
      }
      guard isOfColumns, !found.isEmpty else { continue }
      indexes.append(
        .init(
          name: index, isUnique: statement.integer(at: 1) == 1, isPartial: statement.integer(at: 2) == 1,
          columns: found))
    }
  }

  private func column(named name: String?) -> Int? {
    name.flatMap { name in columns.firstIndex { $0.name.lowercased() == name.lowercased() } }
  }
}
