import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// A value of a row on a line of text, cut after 120 characters.
func printedValue(_ value: Story.Value?) -> String {
  switch value {
  case nil: "(not told)"
  case .text(let text, let whole):
    "'\(shortened(text, to: 120))'\(whole.map { " (cut from \(counted($0.bytes, "byte")))" } ?? "")"
  case .some(let value): value.shortText
  }
}

/// The rows that two states differ in, for a story without a trace.
func stateLines(_ state: StoryStates) -> [TerminalLine] {
  state.changes.tables.prefix(20).flatMap { table -> [TerminalLine] in
    var lines = table.rows.prefix(8).map { row -> TerminalLine in
      let cells = row.cells.enumerated().compactMap { index, cell -> String? in
        let before = row.before[safe: index] ?? nil
        if row.operation == .update, before == nil, index > 0 { return nil }
        return
          "\(table.columns.columnName(index)) \(before.map { printedValue($0) + " → " } ?? "")\(printedValue(cell))"
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
