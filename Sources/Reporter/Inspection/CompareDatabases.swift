/// Compares a captured database with the state that its test started from.
///
/// Both files are untrusted: see `InspectionConnection`. Rows are the same when they have the same primary key, or the
/// same rowid where the table declares none.
///
/// - Parameters:
///   - path: the database as it was when the test failed.
///   - baseline: the same when the test started.
///   - rows: whether values may be shown.
///   - limits: what it may take.
func compareDatabases(
  _ path: String, since baseline: String, rows: Bool, limits: InspectionLimits = InspectionLimits()
) -> DatabaseChanges {
  do {
    let comparison = DatabaseComparison(
      now: try InspectionConnection(path: path, limits: limits),
      before: try InspectionConnection(path: baseline, limits: limits), showsRows: rows, limits: limits)
    return try comparison.changes()
  } catch {
    return DatabaseChanges(problems: ["SQLite cannot compare the files: \(error.message)."])
  }
}

private struct DatabaseComparison {
  let now: InspectionConnection
  let before: InspectionConnection
  let showsRows: Bool
  let limits: InspectionLimits
  let start = ContinuousClock.now

  func changes() throws(InspectionConnection.Failure) -> DatabaseChanges {
    allow(limits.tableTime)
    let (new, old) = (try tables(of: now), try tables(of: before))
    var changes = DatabaseChanges()
    for (name, sql) in new {
      let table = compare(name, sql: sql, since: old.first { $0.name == name }?.sql)
      if table.isSame { changes.unchanged += 1 } else { changes.tables.append(table) }
    }
    for (name, _) in old where !new.contains(where: { $0.name == name }) {
      changes.tables.append(dropped(name))
    }
    return changes
  }

  private func allow(_ seconds: Double) {
    let left = max(0, limits.totalTime - start.duration(to: .now) / .seconds(1))
    now.allow(seconds: min(seconds, left))
    before.allow(seconds: min(seconds, left))
  }

  /// Tables that hold rows of their own.
  private func tables(
    of connection: InspectionConnection
  ) throws(InspectionConnection.Failure) -> [(name: String, sql: String)] {
    let statement = try connection.prepare(
      "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    )
    var tables: [(name: String, sql: String)] = []
    while try statement.step(), tables.count < limits.schemaObjects {
      tables.append((statement.text(at: 0) ?? "", statement.text(at: 1, limit: limits.statementBytes) ?? ""))
    }
    return tables
  }
}

// MARK: - One table

extension DatabaseComparison {
  private func compare(_ name: String, sql: String, since old: String?) -> DatabaseChanges.Table {
    var table = DatabaseChanges.Table(name: name)
    if old == nil { table.fate = .created } else if old != sql { table.fate = .redefined }
    allow(limits.tableTime)
    do {
      let current = try ComparedTable(name, in: now)
      table.columns = Array(current.columns.prefix(limits.columns))
      let known = old == nil ? nil : try ComparedTable(name, in: before)
      guard known == nil || known?.columns == current.columns else {
        table.problem = "Its columns are others now, so its rows are not compared."
        (table.added, table.removed, table.changed) = (nil, nil, nil)
        return table
      }
      var former = try known?.rows(in: before, limits) ?? [:]
      try scan(current, &former, into: &table)
      addRemoved(former, to: &table)
    } catch {
      let isLate = now.isOverdue || before.isOverdue
      table.problem =
        isLate
        ? "Its rows could not be compared in time." : "Its rows could not be compared: \(error.message)."
      (table.added, table.removed, table.changed) = (nil, nil, nil)
    }
    return table
  }

  /// Reads the rows of now and takes those that were there before out of `former`.
  private func scan(
    _ current: ComparedTable, _ former: inout [[DatabaseInspection.Cell]: ComparedTable.Row],
    into table: inout DatabaseChanges.Table
  ) throws(InspectionConnection.Failure) {
    var (added, changed) = (0, 0)
    let statement = try now.prepare(current.query)
    while try statement.step() {
      let row = current.row(of: statement, limits)
      guard let old = former.removeValue(forKey: row.key) else {
        added += 1
        show(.init(kind: .added, cells: row.cells), in: &table)
        continue
      }
      guard old.digest != row.digest else { continue }
      changed += 1
      let before = zip(old.cells, row.cells).map { $0 == $1 ? nil : $0 }
      show(.init(kind: .changed, cells: row.cells, before: before), in: &table)
    }
    (table.added, table.changed) = (added, changed)
  }

  private func addRemoved(
    _ former: [[DatabaseInspection.Cell]: ComparedTable.Row], to table: inout DatabaseChanges.Table
  ) {
    table.removed = former.count
    for row in former.values.sorted(by: { $0.position < $1.position }) {
      show(.init(kind: .removed, cells: row.cells), in: &table)
    }
  }

  private func show(_ row: DatabaseChanges.Row, in table: inout DatabaseChanges.Table) {
    guard showsRows, table.rows.count < limits.rows else { return }
    var row = row
    row.cells = Array(row.cells.prefix(limits.columns))
    row.before = Array(row.before.prefix(limits.columns))
    table.rows.append(row)
  }

  private func dropped(_ name: String) -> DatabaseChanges.Table {
    var table = DatabaseChanges.Table(name: name, fate: .dropped)
    allow(limits.tableTime)
    do {
      let known = try ComparedTable(name, in: before)
      table.columns = Array(known.columns.prefix(limits.columns))
      addRemoved(try known.rows(in: before, limits), to: &table)
    } catch {
      table.removed = nil
      table.problem = "Its rows could not be read: \(error.message)."
    }
    return table
  }
}
