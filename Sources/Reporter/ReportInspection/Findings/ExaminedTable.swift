import ExhibitSQLite

/// The layout of an ordinary table, as findings need it.
///
/// It is a class because it is used for every value.
final class ExaminedTable {
  let name: String
  /// Without generated columns.
  let columns: [DatabaseSchema.Column]
  let hasRowid: Bool
  let rowid: String?
  /// The primary key, as indices into `columns`.
  let key: [Int]
  /// Indexes without expressions.
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

  /// True when rows can be identified.
  var isAddressable: Bool { hasRowid ? rowid != nil : !key.isEmpty }

  /// Selects the identity of each row, then all columns.
  var query: String {
    let identity = hasRowid ? [rowid ?? "NULL"] : key.map { SQLText.name(columns[$0].name) }
    let all = columns.map { SQLText.name($0.name) }
    return "SELECT \((identity + all).joined(separator: ", ")) FROM \(SQLText.name(name)) NOT INDEXED"
  }

  var firstColumn: Int32 { hasRowid ? 1 : Int32(key.count) }

  func key(of statement: InspectionStatement) -> RowKey? {
    guard isAddressable else { return nil }
    if hasRowid { return .rowid(Int64(statement.integer(at: 0))) }
    return .values(key.indices.map { statement.cell(at: Int32($0)) })
  }

  func value(of column: Int, in statement: InspectionStatement) -> Finding.Value {
    .init(column: columns[column].name, cell: statement.cell(at: firstColumn + Int32(column)))
  }
}
