import ExhibitSQLite
import ReportModel

/// The folded values of one unique key of a table.
struct FoldedKeys {
  /// By index of the table's columns.
  let columns: [Int]
  private var hashes = RowHashes()

  /// The keys of a table that hold texts.
  static func all(of table: ExaminedTable) -> [FoldedKeys] {
    var keys: [FoldedKeys] = []
    for index in table.indexes where index.isUnique && !index.isPartial {
      let hasText = index.columns.contains { [.text, .blob].contains(table.columns[$0].affinity) }
      if hasText, !keys.contains(where: { $0.columns == index.columns }) {
        keys.append(FoldedKeys(columns: index.columns))
      }
    }
    return keys
  }

  mutating func note(_ statement: InspectionStatement, _ first: Int32) {
    if let hash = hash(statement, first) { hashes.add(hash) }
  }

  /// `nil` for a key with NULL, which equals no other one.
  private func hash(_ statement: InspectionStatement, _ first: Int32) -> Int? {
    var hasher = Hasher()
    for column in columns {
      if statement.isNull(at: first + Int32(column)) { return nil }
      hasher.combineFolded(statement, at: first + Int32(column))
    }
    return hasher.finalize()
  }

  // MARK: - Those that are alike

  /// Goes through the table again, where some were alike.
  ///
  /// - Throws: `SQLiteError`.
  mutating func findings(
    of table: ExaminedTable, _ examination: Examination
  ) throws(SQLiteError) -> [Finding] {
    let total = hashes.count
    let repeated = hashes.takeRepeated().repeated
    guard !repeated.isEmpty else { return [] }
    var alike = AlikeKeys()
    try examination.forEachRow(of: table) { statement, row in
      guard let hash = hash(statement, table.firstColumn), repeated.contains(hash) else { return }
      alike.note(statement, columns.map { table.firstColumn + Int32($0) }, row: row, folded: hash)
    }
    // Many that differ in so little are meant to.
    let groups = alike.takeGroups(most: max(1, total / 100))
    guard !groups.isEmpty else { return [] }
    let rows = try rows(Set(groups.flatMap { $0.rows.joined() }), of: table, examination)
    return groups.map { group in
      finding(
        group.rows.map { $0.compactMap { rows[$0] } }, group.difference, of: table, examination)
    }
  }

  /// What a finding tells of rows, by their number.
  private func rows(
    _ wanted: Set<Int>, of table: ExaminedTable, _ examination: Examination
  ) throws(SQLiteError) -> [Int: Finding.Row] {
    var rows: [Int: Finding.Row] = [:]
    let own = examination.written.rows[table.name]
    try examination.forEachRow(of: table) { statement, row in
      guard wanted.contains(row) else { return }
      let key = table.key(of: statement)
      let values = columns.map { table.value(of: $0, in: statement) }
      rows[row] = Finding.Row(key: key, values: values, writing: key.flatMap { own?[$0] })
    }
    return rows
  }

  private func finding(
    _ groups: [[Finding.Row]], _ difference: AlikeKeys.Difference, of table: ExaminedTable,
    _ examination: Examination
  ) -> Finding {
    let names = columns.map { table.columns[$0].name }
    let subject =
      names.count == 1
      ? shownColumn(table.name, names[0])
      : "\(shownName(table.name)) (\(names.map(shownName).joined(separator: ", ")))"
    return examination.finding(
      .equalKeys, difference == .letterCase ? .minor : .strong, in: table.name, names, groups,
      detail: difference.rawValue,
      remedy:
        "To a reader they are one: write keys in one form, trimmed and in NFC, and give the column COLLATE NOCASE where case does not count."
    ) { groups, found in
      "\(subject) has keys that differ in \(difference.words) alone"
        + (examination.tellsRows ? ": \(Self.shown(groups[0]))." : ", in \(counted(found.count, "row")).")
    }
  }

  private static func shown(_ rows: [Finding.Row]) -> String {
    rows.prefix(2).map { row in
      "\(row.key?.shown ?? "a row") (\(row.values.map { shownValue($0.cell) }.joined(separator: ", ")))"
    }.joined(separator: " and ")
  }
}
