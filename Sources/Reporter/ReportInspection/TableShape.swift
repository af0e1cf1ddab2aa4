package import ExhibitSQLite

/// What a reader of all rows of a table has to know of it: columns, key, and where its rows refer to.
package struct TableShape: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    package var name: String
    /// As declared; empty for a column without.
    package var type: String
    /// Whether whole numbers in it are real ones too, so that none needs to be marked as such.
    package var isReal: Bool
    package var isGenerated: Bool
  }

  package struct ForeignKey: Sendable, Equatable {
    /// By index of the table's columns.
    package var columns: [Int]
    package var table: String
    /// The columns that are referred to; empty where the other table has no primary key.
    package var parents: [String]
  }

  package var name: String
  /// Those of `SELECT *`, in its order.
  package var columns: [Column]
  /// Which of them name a row, in the order of the key: the primary key, where the rowid is none of them.
  package var key: [Int]
  /// What the rowid is asked for by, where no column is it; `nil` for a table without one.
  package var rowid: String?
  var isWithoutRowid: Bool
  package var foreignKeys: [ForeignKey]

  package init(
    name: String, columns: [Column] = [], key: [Int] = [], rowid: String? = nil, isWithoutRowid: Bool = false,
    foreignKeys: [ForeignKey] = []
  ) {
    self.name = name
    self.columns = columns
    self.key = key
    self.rowid = rowid
    self.isWithoutRowid = isWithoutRowid
    self.foreignKeys = foreignKeys
  }

  /// All its rows in the table's own order, the rowid first where no column is it.
  ///
  /// - Parameter isVirtual: Whether a module finds them, in whatever order.
  package func query(isVirtual: Bool) -> String {
    let rowid = rowid.map { $0 + ", " } ?? ""
    return "SELECT \(rowid)* FROM \(SQLText.name(name))" + (isVirtual ? "" : " NOT INDEXED")
  }
}

extension InspectionConnection {
  /// Asks SQLite for the shape of a table or of a virtual table.
  ///
  /// - Throws: `SQLiteError`.
  package func shape(of table: String) throws(SQLiteError) -> TableShape {
    var shape = TableShape(name: table)
    let list = try prepare(
      "SELECT wr FROM pragma_table_list(\(SQLText.text(table))) WHERE schema = 'main'")
    shape.isWithoutRowid = try list.step() && list.integer(at: 0) != 0
    try readColumns(of: &shape)
    try readForeignKeys(of: &shape)
    return shape
  }

  private func readColumns(of shape: inout TableShape) throws(SQLiteError) {
    let statement = try prepare(
      "SELECT name, type, pk, hidden FROM pragma_table_xinfo(\(SQLText.text(shape.name)))")
    var key: [(position: Int, column: Int)] = []
    var names: Set<String> = []
    while try statement.step() {
      let (name, type) = (statement.text(at: 0) ?? "", statement.text(at: 1) ?? "")
      names.insert(name.lowercased())
      let hidden = statement.integer(at: 3)
      // Hidden columns of virtual tables are none of SELECT *.
      guard hidden != 1 else { continue }
      if statement.integer(at: 2) > 0 { key.append((statement.integer(at: 2), shape.columns.count)) }
      shape.columns.append(
        .init(
          name: name, type: type, isReal: ColumnAffinity(type) == .real, isGenerated: hidden > 1))
    }
    shape.key = key.sorted { $0.position < $1.position }.map(\.column)
    guard !shape.isWithoutRowid else { return }
    let rowid = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    // A key of one column declared INTEGER is the rowid, but for the rare `INTEGER PRIMARY KEY DESC`.
    if shape.key.count == 1, shape.columns[shape.key[0]].type.uppercased() == "INTEGER",
      try rowid.map({ name throws(SQLiteError) in try isRowid(shape.columns[shape.key[0]].name, name, shape) }
      )
        ?? true
    {
      return
    }
    shape.key = []
    shape.rowid = rowid
  }

  /// Whether a column is the rowid, as SQLite names the origin of what is selected.
  private func isRowid(
    _ column: String, _ rowid: String, _ shape: TableShape
  ) throws(SQLiteError) -> Bool {
    // An alias is told by its own name.
    try prepare("SELECT \(rowid) FROM \(SQLText.name(shape.name)) LIMIT 0").columnNames.first?.lowercased()
      == column.lowercased()
  }

  private func readForeignKeys(of shape: inout TableShape) throws(SQLiteError) {
    let statement = try prepare("PRAGMA foreign_key_list(\(SQLText.name(shape.name)))")
    var keys: [(id: Int, key: TableShape.ForeignKey)] = []
    while try statement.step() {
      let id = statement.integer(at: 0)
      let name = (statement.text(at: 3) ?? "").lowercased()
      guard let column = shape.columns.firstIndex(where: { $0.name.lowercased() == name }) else { continue }
      if keys.last?.id != id {
        keys.append((id, .init(columns: [], table: statement.text(at: 2) ?? "", parents: [])))
      }
      keys[keys.count - 1].key.columns.append(column)
      if let parent = statement.text(at: 4) { keys[keys.count - 1].key.parents.append(parent) }
    }
    for (_, var key) in keys.sorted(by: { $0.id < $1.id }) {
      if key.parents.isEmpty { key.parents = try primaryKey(of: key.table) }
      if key.parents.count == key.columns.count { shape.foreignKeys.append(key) }
    }
  }
}
