import ExhibitSQLite

/// How the rows of one table are read and told apart.
struct ComparedTable {
  struct Row {
    var key: [DatabaseInspection.Cell]
    /// Of the whole values; equal only for equal rows.
    var digest: Int
    /// As they are shown.
    var cells: [DatabaseInspection.Cell]
    /// By column, of values that are not shown whole.
    var cutDigests: [Int: Int] = [:]
    /// Where in the table it stood.
    var position: Int
  }

  let columns: [String]
  /// Selects what makes the key, then the columns, in the table's order.
  let query: String
  private let keyCount: Int

  /// - Throws: `SQLiteError`.
  init(_ name: String, in connection: InspectionConnection) throws(SQLiteError) {
    var columns: [String] = []
    var key: [(position: Int, name: String)] = []
    let statement = try connection.prepare(
      "SELECT name, pk FROM pragma_table_info(\(SQLText.text(name)))")
    while try statement.step() {
      let column = statement.text(at: 0) ?? ""
      columns.append(column)
      let position = statement.integer(at: 1)
      if position > 0 { key.append((position, column)) }
    }
    let names = key.sorted { $0.position < $1.position }.map { SQLText.name($0.name) }
    // A declared column can hide each of the three.
    let rowid = ["rowid", "_rowid_", "oid"].first { alias in !columns.contains { $0.lowercased() == alias } }
    let identity = names.isEmpty ? [rowid ?? "rowid"] : names
    let all = columns.map(SQLText.name)
    self.columns = columns
    keyCount = identity.count
    query = "SELECT \((identity + all).joined(separator: ", ")) FROM \(SQLText.name(name)) NOT INDEXED"
  }

  /// Every row by its key.
  ///
  /// - Throws: `SQLiteError`.
  func rows(
    in connection: InspectionConnection, _ limits: InspectionLimits
  ) throws(SQLiteError) -> [[DatabaseInspection.Cell]: Row] {
    var rows: [[DatabaseInspection.Cell]: Row] = [:]
    let statement = try connection.prepare(query)
    while try statement.step() {
      var row = row(of: statement, limits)
      row.position = rows.count
      rows[row.key] = row
    }
    return rows
  }

  /// Where two rows differ.
  static func changedColumns(from old: Row, to new: Row) -> [Int] {
    new.cells.indices.filter { old.cells[$0] != new.cells[$0] || old.cutDigests[$0] != new.cutDigests[$0] }
  }

  /// The current row.
  func row(of statement: InspectionStatement, _ limits: InspectionLimits) -> Row {
    // Long keys are cut, so what is cut off counts by its hash.
    var whole = Hasher()
    for column in 0..<keyCount { statement.hash(at: Int32(column), into: &whole) }
    let key =
      (0..<keyCount).map { statement.cell(at: Int32($0), limit: 200) } + [.integer(Int64(whole.finalize()))]
    var digest = Hasher()
    var row = Row(key: key, digest: 0, cells: [], position: 0)
    for (index, column) in (keyCount..<(keyCount + columns.count)).enumerated() {
      statement.hash(at: Int32(column), into: &digest)
      let cell = statement.cell(at: Int32(column), limit: limits.cellBytes, blobLimit: limits.blobBytes)
      row.cells.append(cell)
      guard cell.isCut else { continue }
      var cut = Hasher()
      statement.hash(at: Int32(column), into: &cut)
      row.cutDigests[index] = cut.finalize()
    }
    row.digest = digest.finalize()
    return row
  }
}
