import ExhibitSQLite
import ReportModel

/// Finds rows that are equal but for their key.
struct AlikeRows {
  private let columns: [Int]
  private var hashes = RowHashes()

  /// Rows with fewer columns are often equal.
  private static let fewestColumns = 3
  private static let fewestRows = 20
  /// More than one equal row in so many is intended.
  private static let share = 200

  private static let mostValues = 6

  /// `nil` for a table where equal rows are normal or impossible.
  init?(_ table: ExaminedTable) {
    let columns = table.columns.indices.filter { !table.columns[$0].isKey }
    let hasUnique = table.indexes.contains { index in
      index.isUnique && !index.isPartial && index.columns.allSatisfy(columns.contains)
    }
    // Join tables consist of references.
    let hasOwn = columns.contains { !table.columns[$0].refers }
    guard columns.count >= Self.fewestColumns, hasOwn, !hasUnique, table.isAddressable else { return nil }
    self.columns = columns
  }

  mutating func note(_ statement: InspectionStatement, _ first: Int32) { hashes.add(hash(statement, first)) }

  private func hash(_ statement: InspectionStatement, _ first: Int32) -> Int {
    var hasher = Hasher()
    for column in columns { hasher.combineWhole(statement, at: first + Int32(column)) }
    return hasher.finalize()
  }

  /// Compares the rows in a second pass.
  ///
  /// - Throws: `SQLiteError`.
  mutating func findings(
    of table: ExaminedTable, _ examination: Examination
  ) throws(SQLiteError) -> [Finding] {
    let total = hashes.count
    let (repeated, surplus) = hashes.takeRepeated()
    guard !repeated.isEmpty, total >= Self.fewestRows, surplus <= max(1, total / Self.share) else {
      return []
    }
    var (order, groups): ([Int], [Int: [Finding.Row]]) = ([], [:])
    let own = examination.written.rows[table.name]
    try examination.forEachRow(of: table) { statement, _ in
      let hash = hash(statement, table.firstColumn)
      guard repeated.contains(hash) else { return }
      if groups[hash] == nil { order.append(hash) }
      guard groups[hash, default: []].count < Finding.mostRows, let key = table.key(of: statement) else {
        return
      }
      let values = columns.prefix(Self.mostValues).map { table.value(of: $0, in: statement) }
      groups[hash, default: []].append(Finding.Row(key: key, values: values, writing: own?[key]))
    }
    let alike = order.compactMap { groups[$0] }.filter { $0.count > 1 }
    return alike.isEmpty ? [] : [finding(alike, of: table, examination)]
  }

  private func finding(
    _ groups: [[Finding.Row]], of table: ExaminedTable, _ examination: Examination
  ) -> Finding {
    examination.finding(
      .equalRows, in: table.name, [], groups,
      remedy:
        "Look whether one of them was written twice; a UNIQUE constraint on what makes such a row keeps out the second."
    ) { groups, found in
      let shown = groups[0].prefix(2).compactMap { $0.key?.shown }.joined(separator: " and ")
      return examination.tellsRows
        ? "In \(shownName(table.name)), \(shown) differ in nothing but their key"
          + (found.count > 2 ? ", and so do \(counted(found.count - 2, "more row"))." : ".")
        : "\(counted(found.count, "row")) of \(shownName(table.name)) differ in nothing but their key."
    }
  }
}
