import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

extension StateAnswer {
  var title: String {
    switch question {
    case .step(0): "Its tables before the first step"
    case .step(let step): "Its tables after step \(grouped(step))"
    case .row(let table, let key): "Row \(key.joined(separator: ", ")) of \(table)"
    }
  }

  /// As lines of text; without values where those are left out.
  var lines: [TerminalLine] {
    var lines = statement.map { [TerminalLine(shortened($0, to: 1000), .strong)] } ?? []
    for database in databases {
      if !lines.isEmpty { lines.append(TerminalLine("")) }
      lines.append(TerminalLine(database.name + (database.isUncommitted ? ", uncommitted" : ""), .strong))
      for table in database.tables { lines += self.lines(of: table) }
      if let past = database.past { lines += self.lines(of: past, database.columns) }
      if database.tables.isEmpty, database.past == nil {
        lines.append(TerminalLine("  No step wrote to a table of it.", .soft))
      }
    }
    if databases.isEmpty {
      switch question {
      case .step: lines.append(TerminalLine("No captured database is known to be one that the steps name."))
      case .row(let table, _): lines.append(TerminalLine("No captured database has a table \(table)."))
      }
    }
    return lines
  }

  // MARK: - Tables

  private func lines(of table: Table) -> [TerminalLine] {
    if let bound = table.bound { return [TerminalLine("  \(table.name): not told. \(bound.sentence)", .odd)] }
    guard table.exists else { return [TerminalLine("  \(table.name) was not there.", .soft)] }
    let changed = table.changed == 0 ? "" : ": \(counted(table.changed, "row")) changed by the step"
    var lines = [TerminalLine("  \(table.name)\(changed)")]
    guard includesRows else { return lines }
    if table.rows.isEmpty { lines.append(TerminalLine("      no rows", .soft)) }
    for row in table.rows { lines += Self.line(leftOut: row.leftOut) + [line(of: row, table)] }
    lines += Self.line(leftOut: table.leftOut)
    if table.omitted > 0 {
      let them = table.omitted == 1 ? "was" : "were"
      lines.append(
        TerminalLine("      \(counted(table.omitted, "row")) of these \(them) changed by it too", .soft))
    }
    return lines
  }

  /// A line for rows that are not shown, if any.
  private static func line(leftOut count: Int?) -> [TerminalLine] {
    if count == 0 { return [] }
    return [TerminalLine("      … \(count.map { counted($0, "row") } ?? "more rows")", .soft)]
  }

  private func line(of row: Row, _ table: Table) -> TerminalLine {
    let cells = cells(table.columns, row.operation == .update ? row.old : [], row.values)
    let key = if table.showsKey, case .rowid(let number) = row.key { ["rowid \(number)"] } else { [String]() }
    return TerminalLine(
      "    \(row.operation?.sign ?? " ") " + (key + cells).joined(separator: ", "),
      row.operation?.terminalStyle ?? .plain)
  }

  private func cells(_ columns: [String], _ old: [DatabaseValue?], _ new: [DatabaseValue?]) -> [String] {
    new.enumerated().map { index, value in
      let was =
        old.indices.contains(index) && old[index] != value ? printedValue(old[index]) + " → " : ""
      return "\(columns.columnName(index)) \(was)\(printedValue(value))"
    }
  }

  // MARK: - A row

  private static let mostEntries = 100

  private func lines(of past: RowPast, _ columns: [String]) -> [TerminalLine] {
    var lines = past.entries.prefix(Self.mostEntries).map { entry -> TerminalLine in
      let verb =
        switch entry.operation {
        case .insert: "inserted"
        case .update: entry.isReplacement ? "replaced" : "updated"
        case .delete: "deleted"
        }
      let place = entry.place.map { " in \($0.text)" } ?? ""
      let cause = entry.depth > 0 ? ", by a trigger or cascade" : ""
      let cells =
        entry.operation == .delete ? cells(columns, [], entry.old) : cells(columns, entry.old, entry.new)
      let text = includesRows ? ": " + cells.joined(separator: ", ") : ""
      return TerminalLine(
        "  \(entry.operation.sign) step \(entry.step) \(verb) it\(place)\(cause)\(text)",
        entry.operation.terminalStyle)
    }
    let omitted = past.entries.count - lines.count + past.omitted
    if omitted > 0 { lines.append(TerminalLine("    … \(counted(omitted, "older step"))", .soft)) }
    lines.append(TerminalLine("  " + past.origin.sentence, .soft))
    return lines
  }
}

/// The rows that two states differ in, for a story without a trace.
func stateLines(_ state: StoryStates) -> [TerminalLine] {
  state.changes.tables.prefix(20).flatMap { table -> [TerminalLine] in
    var lines = table.rows.prefix(8).map { row -> TerminalLine in
      let cells = row.cells.enumerated().compactMap { index, cell -> String? in
        let before = row.before[safe: index] ?? nil
        if row.operation == .update, before == nil, index > 0 { return nil }
        func printed(_ value: DatabaseValue) -> String {
          printedValue(
            value, state.changes.reading?.note(on: value, at: index, of: table.columns, in: table.name))
        }
        return
          "\(table.columns.columnName(index)) \(before.map { printed($0) + " → " } ?? "")\(printed(cell))"
      }
      return TerminalLine(
        "  \(row.operation.sign) \(table.name): \(cells.joined(separator: ", "))", row.operation.terminalStyle
      )
    }
    let rest = (table.added ?? 0) + (table.removed ?? 0) + (table.changed ?? 0) - lines.count
    if rest > 0 { lines.append(TerminalLine("    … \(counted(rest, "more row")) of \(table.name)", .soft)) }
    return lines
  }
}
