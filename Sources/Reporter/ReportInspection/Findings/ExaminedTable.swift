import ExhibitSQLite

/// The layout of one ordinary table, as far as findings ask.
///
/// A class, because it is asked of for every value.
final class ExaminedTable {
  let name: String
  /// The columns that hold values and are not computed from others.
  let columns: [DatabaseSchema.Column]
  let hasRowid: Bool
  /// A name of the rowid; `nil` for a table without one.
  let rowid: String?
  /// The primary key's columns as indices into `columns`, in its order.
  let key: [Int]
  /// Indexes of columns alone, those of constraints too.
  let indexes: [DatabaseSchema.Index]

  init(_ table: DatabaseSchema.Table) {
    let plain = table.columns.indices.filter { !table.columns[$0].isGenerated }
    columns = plain.map { table.columns[$0] }
    (name, hasRowid, rowid, key) = (table.name, table.hasRowid, table.rowid, columns.primaryKey)
    indexes = table.indexes.compactMap { index in
      var index = index
      let places = index.columns.map { plain.firstIndex(of: $0) }
      index.columns = places.compactMap { $0 }
      return index.columns.isEmpty || places.contains(nil) ? nil : index
    }
  }

  /// True when a row can be named: by rowid, or by the key of a table without one.
  var isAddressable: Bool { hasRowid ? rowid != nil : !key.isEmpty }

  /// The values that name a row come first, then all columns.
  var query: String {
    let identity = hasRowid ? [rowid ?? "NULL"] : key.map { SQLText.name(columns[$0].name) }
    let all = columns.map { SQLText.name($0.name) }
    return "SELECT \((identity + all).joined(separator: ", ")) FROM \(SQLText.name(name)) NOT INDEXED"
  }

  /// The index of the first column in a row of `query`.
  var firstColumn: Int32 { hasRowid ? 1 : Int32(key.count) }

  /// The row that a statement of `query` stands on.
  func key(of statement: InspectionStatement) -> RowKey? {
    guard isAddressable else { return nil }
    if hasRowid { return .rowid(Int64(statement.integer(at: 0))) }
    return .values(key.indices.map { statement.cell(at: Int32($0)) })
  }

  /// A value of the row that a statement of `query` stands on.
  func value(of column: Int, in statement: InspectionStatement) -> Finding.Value {
    .init(column: columns[column].name, cell: statement.cell(at: firstColumn + Int32(column)))
  }
}
