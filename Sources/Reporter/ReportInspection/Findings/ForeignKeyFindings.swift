import ExhibitSQLite

extension Examination {
  /// The rows that `foreign_key_check` found, one finding per key.
  func brokenForeignKeys(_ check: ForeignKeyCheck) -> [Finding] {
    check.keys.map { key in
      let own = written.rows[key.table]
      var rows = FoundRows()
      // It has no rows where they may not be shown.
      for index in 0..<key.count {
        let row = key.rows.indices.contains(index) ? key.rows[index] : nil
        let writing = row.flatMap { own?[$0] }.flatMap { key.columns.contains(where: $0.concerns) ? $0 : nil }
        rows.note(writing) { Finding.Row(key: row) }
      }
      rows.fill { values(of: $0, key) }
      let columns = key.columns.map(shownName).joined(separator: ", ")
      var finding = self.finding(
        .brokenForeignKey, .strong, in: key.table, key.columns, rows, detail: key.parent,
        remedy:
          "Look for a row of \(shownName(key.parent)) that was deleted or never written, and for a connection without PRAGMA foreign_keys = ON, which SQLite has off by default."
      ) { words in
        "\(shownName(key.table)).\(columns.isEmpty ? "a key" : columns) refers to no row of \(shownName(key.parent)) in \(words)."
      }
      finding.hasMore = key.hasMore
      return finding
    }
  }

  private func values(of row: Finding.Row, _ key: ForeignKeyCheck.BrokenKey) -> [Finding.Value] {
    guard tellsRows, case .rowid(let number)? = row.key, let rowid = schema.tables[key.table]?.rowid,
      !key.columns.isEmpty
    else { return [] }
    connection.allow(steps: limits.tableSteps)
    let columns = key.columns.map(SQLText.name).joined(separator: ", ")
    guard
      let statement = try? connection.prepare(
        "SELECT \(columns) FROM \(SQLText.name(key.table)) WHERE \(rowid) = \(number)"),
      (try? statement.step()) == true
    else { return [] }
    return key.columns.indices.map {
      .init(column: key.columns[$0], cell: statement.cell(at: Int32($0)))
    }
  }
}
