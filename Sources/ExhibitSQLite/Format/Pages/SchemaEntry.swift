/// One row of `sqlite_schema`.
///
/// Source: https://www.sqlite.org/fileformat2.html, section 2.6.
package struct SchemaEntry: Sendable, Hashable {
  /// `table`, `index`, `view` or `trigger`.
  package var type: String
  package var name: String
  /// An index's or trigger's table; else its own name.
  package var tableName: String
  /// 0 for views, triggers and virtual tables.
  package var rootPage: UInt32
  /// `nil` for indexes of constraints.
  package var sql: String?

  package var isTable: Bool { type == "table" }

  package init(type: String, name: String, tableName: String, rootPage: UInt32, sql: String?) {
    self.type = type
    self.name = name
    self.tableName = tableName
    self.rootPage = rootPage
    self.sql = sql
  }
}

extension DatabaseState {
  private static let statementBytes = 1 << 20

  package func schema() throws -> [SchemaEntry] {
    guard pageCount > 0 else { return [] }
    var entries: [SchemaEntry] = []
    try forEachRow(of: 1) { row in
      let values = try row.values(keeping: Self.statementBytes, columns: 5)
      guard values.count == 5, case .text(let type, _) = values[0], case .text(let name, _) = values[1],
        case .text(let table, _) = values[2]
      else { throw DamagedPage(row.page.number, .record) }
      var root: UInt32 = 0
      if case .integer(let number) = values[3] {
        guard let page = UInt32(exactly: number) else { throw DamagedPage(row.page.number, .record) }
        root = page
      }
      var sql: String?
      if case .text(let text, _) = values[4] { sql = text }
      entries.append(SchemaEntry(type: type, name: name, tableName: table, rootPage: root, sql: sql))
      return true
    }
    return entries
  }
}
