import ExhibitSQLite
import ReportModel

/// What Core Data promises of its stores, and no foreign key says.
extension Examination {
  func coreDataFindings(_ store: CoreDataStore, _ unexamined: inout [String]) -> [Finding] {
    var findings: [Finding] = []
    func look(_ body: () throws(SQLiteError) -> [Finding]) {
      guard !connection.isSpent, findings.count < limits.tableFindings else { return }
      connection.allow(steps: limits.tableSteps)
      do throws(SQLiteError) {
        findings += try body()
      } catch {
        unexamined.append(connection.sentence("What Core Data promises was not looked at to the end", error))
      }
    }
    if store.hasUnreadModel {
      unexamined.append(
        "The model that the store of Core Data keeps cannot be read, so nobody says which of its columns refer to rows."
      )
    }
    if kinds.contains(.brokenForeignKey) {
      for reference in store.references(in: schema) {
        look { () throws(SQLiteError) in try broken(reference) }
      }
    }
    for (table, entities) in store.tables.sorted(by: { $0.key < $1.key }) {
      look { () throws(SQLiteError) in try unknownEntities(in: table, store) }
      look { () throws(SQLiteError) in try spentKeys(in: table, entities, store) }
    }
    return findings
  }

  // MARK: - References and entities

  private func broken(_ reference: CoreDataStore.Reference) throws(SQLiteError) -> [Finding] {
    guard let rowid = schema.tables[reference.table]?.rowid else { return [] }
    let (table, column) = (SQLText.name(reference.table), SQLText.name(reference.column))
    let entities = reference.entities.map(String.init).joined(separator: ", ")
    return try findings(
      .brokenForeignKey, in: reference.table, reference.column,
      query: "SELECT c.\(rowid), c.\(column) FROM \(table) c WHERE c.\(column) IS NOT NULL"
        + (entities.isEmpty ? "" : " AND c.Z_ENT IN (\(entities))")
        + " AND NOT EXISTS (SELECT 1 FROM \(SQLText.name(reference.parent)) p WHERE p.Z_PK = c.\(column))",
      detail: reference.parent,
      remedy:
        "Core Data writes no such row: look for SQL that deleted one of \(shownName(reference.parent)), for a batch delete, which follows no delete rule, and for a store that was put together by hand."
    ) { words in
      "\(shownColumn(reference.table, reference.column)) refers to no row of \(shownName(reference.parent)) in \(words)."
    }
  }

  private func column(_ name: String, of table: String) -> Bool {
    schema.tables[table]?.columns.contains { $0.name == name } ?? false
  }

  private func unknownEntities(in table: String, _ store: CoreDataStore) throws(SQLiteError) -> [Finding] {
    guard kinds.contains(.unknownEntity), store.isWhole, column("Z_ENT", of: table),
      let rowid = schema.tables[table]?.rowid
    else { return [] }
    let known = store.entities.keys.sorted().map(String.init).joined(separator: ", ")
    return try findings(
      .unknownEntity, in: table, "Z_ENT",
      query:
        "SELECT \(rowid), Z_ENT FROM \(SQLText.name(table)) WHERE Z_ENT IS NOT NULL AND Z_ENT NOT IN (\(known))",
      remedy:
        "Core Data cannot make objects of such rows: look for a store of another model, and for rows written by SQL."
    ) { words in "\(shownColumn(table, "Z_ENT")) is the number of no entity in \(words)." }
  }

  /// Keys above the one that Core Data counts from, which it gives out again.
  private func spentKeys(
    in table: String, _ entities: [Int64], _ store: CoreDataStore
  ) throws(SQLiteError) -> [Finding] {
    let roots = entities.compactMap { store.entities[$0] }.filter { $0.parent == nil }
    guard kinds.contains(.spentKey), column("Z_PK", of: table), schema.tables[table]?.isKeyRowid == true,
      let root = roots.first, roots.count == 1, let greatest = root.greatestKey
    else { return [] }
    return try findings(
      .spentKey, in: table, "Z_PK",
      query: "SELECT Z_PK, Z_PK FROM \(SQLText.name(table)) WHERE Z_PK > \(greatest) ORDER BY Z_PK DESC",
      remedy:
        "Objects that are inserted get keys from there on, some of which are taken: look for rows written by SQL, and for a Z_PRIMARYKEY copied from another store."
    ) { words in
      "Z_PRIMARYKEY counts keys of \(shownName(root.name))\(tellsRows ? " from \(greatest)" : ""), and \(shownName(table)) has greater ones in \(words)."
    }
  }

  /// The finding about the rows that a query returns, each its rowid and the value of the column; none without rows.
  private func findings(
    _ kind: Finding.Kind, in table: String, _ column: String, query: String, detail: String = "",
    remedy: String,
    _ sentence: (String) -> String
  ) throws(SQLiteError) -> [Finding] {
    let statement = try connection.prepare(query)
    var rows = FoundRows()
    let own = written.rows[table]
    while try statement.step() {
      let key = RowKey.rowid(Int64(statement.integer(at: 0)))
      let writing = own?[key].flatMap { $0.concerns(column) ? $0 : nil }
      rows.note(writing) {
        // A row is called by its key.
        let values = column == "Z_PK" ? [] : [Finding.Value(column: column, cell: statement.cell(at: 1))]
        return Finding.Row(key: key, values: values)
      }
    }
    guard rows.count > 0 else { return [] }
    return [finding(kind, .strong, in: table, [column], rows, detail: detail, remedy: remedy, sentence)]
  }
}
