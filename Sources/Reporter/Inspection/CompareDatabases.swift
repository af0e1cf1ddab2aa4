import ExhibitSQLite

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
    var changes = try comparison.changes()
    changes.isCutByTime = comparison.now.isOverdue || comparison.before.isOverdue
    return changes
  } catch {
    return DatabaseChanges(problems: ["SQLite cannot compare the files: \(error.message)."])
  }
}

private struct DatabaseComparison {
  let now: InspectionConnection
  let before: InspectionConnection
  let showsRows: Bool
  let limits: InspectionLimits

  func changes() throws(SQLiteError) -> DatabaseChanges {
    allow(limits.tableSteps)
    let (new, old) = (try tables(of: now), try tables(of: before))
    var changes = DatabaseChanges()
    for (name, definition) in new.tables {
      let table = compare(name, definition, since: old.tables.first { $0.name == name }?.definition)
      if table.isSame { changes.unchanged += 1 } else { changes.tables.append(table) }
    }
    if new.hasMore || old.hasMore {
      changes.problems.append("Only the first \(counted(limits.schemaObjects, "table")) are compared.")
      return changes
    }
    for (name, _) in old.tables where !new.tables.contains(where: { $0.name == name }) {
      changes.tables.append(dropped(name))
    }
    return changes
  }

  private func allow(_ steps: Int) {
    now.allow(steps: steps)
    before.allow(steps: steps)
  }

  /// Tables that hold rows of their own, with the digest of what defines them.
  private func tables(
    of connection: InspectionConnection
  ) throws(SQLiteError) -> (tables: [(name: String, definition: Int)], hasMore: Bool) {
    let statement = try connection.prepare(
      "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    )
    var tables: [(name: String, definition: Int)] = []
    while try statement.step() {
      guard tables.count < limits.schemaObjects else { return (tables, true) }
      var definition = Hasher()
      statement.hash(at: 1, into: &definition)
      tables.append((statement.text(at: 0) ?? "", definition.finalize()))
    }
    return (tables, false)
  }
}

// MARK: - One table

extension DatabaseComparison {
  private func compare(_ name: String, _ definition: Int, since old: Int?) -> DatabaseChanges.Table {
    var table = DatabaseChanges.Table(name: name)
    if old == nil { table.fate = .created } else if old != definition { table.fate = .redefined }
    allow(limits.tableSteps)
    do {
      let current = try ComparedTable(name, in: now)
      table.columns = current.columns
      defer { table.showColumns(atMost: limits.columns) }
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
      table.problem =
        (now.exceeded ?? before.exceeded).map { "Its rows could not be compared \($0.words)." }
        ?? "Its rows could not be compared: \(error.message)."
      (table.added, table.removed, table.changed) = (nil, nil, nil)
    }
    return table
  }

  /// Reads the rows of now and takes those that were there before out of `former`.
  private func scan(
    _ current: ComparedTable, _ former: inout [[DatabaseInspection.Cell]: ComparedTable.Row],
    into table: inout DatabaseChanges.Table
  ) throws(SQLiteError) {
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
      var before = [DatabaseInspection.Cell?](repeating: nil, count: row.cells.count)
      for column in ComparedTable.changedColumns(from: old, to: row) { before[column] = old.cells[column] }
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
    table.rows.append(row)
  }

  private func dropped(_ name: String) -> DatabaseChanges.Table {
    var table = DatabaseChanges.Table(name: name, fate: .dropped)
    allow(limits.tableSteps)
    do {
      let known = try ComparedTable(name, in: before)
      table.columns = known.columns
      defer { table.showColumns(atMost: limits.columns) }
      addRemoved(try known.rows(in: before, limits), to: &table)
    } catch {
      table.removed = nil
      table.problem = "Its rows could not be read: \(error.message)."
    }
    return table
  }
}

extension DatabaseChanges.Table {
  /// Leaves so many columns: those that changed, and the first of the others.
  fileprivate mutating func showColumns(atMost limit: Int) {
    guard columns.count > limit else { return }
    let changed = columns.indices.filter { column in
      rows.contains { $0.before.indices.contains(column) && $0.before[column] != nil }
    }
    let others = Set(columns.indices).subtracting(changed).sorted()
    let shown = (changed.prefix(limit) + others.prefix(max(0, limit - changed.count))).sorted()
    omittedColumns = columns.count - shown.count
    omittedChanges = max(0, changed.count - limit)
    columns = shown.map { columns[$0] }
    for row in rows.indices {
      rows[row].cells = shown.map { rows[row].cells[$0] }
      if !rows[row].before.isEmpty { rows[row].before = shown.map { rows[row].before[$0] } }
    }
  }
}
