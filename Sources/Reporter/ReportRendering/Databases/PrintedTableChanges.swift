import ExhibitSQLite
import ReportInspection
import ReportModel

/// A table's changed rows for the terminal.
struct PrintedTableChanges {
  let table: DatabaseChanges.Table
  let reading: ValueReading?
  let rows: Int
  let width: Int?

  var lines: [TerminalLine] {
    let shown = table.rowsByKind(atMost: rows)
    let parts = [
      changed(shown.filter { $0.operation == .update }), whole(shown.filter { $0.operation != .update }),
    ]
    var lines = Array(parts.filter { !$0.isEmpty }.joined(separator: [TerminalLine()]))
    if let rest = rest(shown) { lines.append(TerminalLine("  … \(rest)", .soft).cut(toWidth: width)) }
    if let columns = table.columnChanges.text {
      lines += TerminalLine("  " + columns, .changed).wrapped(toWidth: width, indent: 2)
    }
    if let problem = table.problem {
      lines += TerminalLine("! " + problem, .odd).wrapped(toWidth: width, indent: 2)
    }
    if table.omittedColumns > 0, !shown.isEmpty {
      let text =
        "  \(counted(table.omittedColumns, "more column")), \(grouped(table.omittedChanges)) of them changed"
      lines.append(TerminalLine(text, .soft).cut(toWidth: width))
    }
    return lines.isEmpty ? [] : [TerminalLine(table.name, .strong).cut(toWidth: width)] + lines
  }

  private func rest(_ shown: [DatabaseChanges.Row]) -> String? {
    func more(_ operation: RowOperation, _ count: Int?) -> String? {
      let rest = (count ?? 0) - shown.filter { $0.operation == operation }.count
      return rest > 0 ? "\(counted(rest, "more row")) \(operation.word)" : nil
    }
    guard !shown.isEmpty else { return nil }
    return joined(
      [more(.update, table.changed), more(.insert, table.added), more(.delete, table.removed)], by: ", ")
  }

  // MARK: - Added and removed ones

  private func whole(_ rows: [DatabaseChanges.Row]) -> [TerminalLine] {
    guard !rows.isEmpty else { return [] }
    let cells = rows.map { row in
      let style = row.operation.terminalStyle
      return [TerminalTable.Cell(row.operation.sign, style)]
        + row.cells.enumerated().map { cell($1, at: $0, style) }
    }
    return TerminalTable(titles: [""] + table.columns, rows: cells).lines(width: width, indent: 2)
  }

  // MARK: - Changed ones

  private static let widestLine = 100

  /// A line per changed value with the row's key, or two lines if too wide.
  private func changed(_ rows: [DatabaseChanges.Row]) -> [TerminalLine] {
    guard !rows.isEmpty else { return [] }
    let cells = rows.flatMap { row in
      changes(of: row).enumerated().map { index, change in
        [
          TerminalTable.Cell(index == 0 ? "~" : "", .changed), .init(index == 0 ? name(of: row) : ""),
          .init(change.column, .soft), change.before, .init("→", .soft), change.after,
        ]
      }
    }
    let lines = TerminalTable(rows: cells).lines(width: nil, indent: 2)
    // In wider lines values are hard to compare.
    let most = min(width ?? .max, Self.widestLine)
    return lines.contains { $0.width > most } ? rows.flatMap(stacked) : lines
  }

  private func stacked(_ row: DatabaseChanges.Row) -> [TerminalLine] {
    var head = TerminalLine("  ~ ", .changed)
    head.add(name(of: row))
    let changes = changes(of: row)
    let longest = changes.map { displayWidth(of: $0.column) }.max() ?? 0
    let names = min(width.map { max(8, $0 / 4) } ?? longest, longest)
    return [head.cut(toWidth: width)]
      + changes.map { change in
        let column = fitted(change.column, toWidth: names)
        let blanks = String(repeating: " ", count: names - displayWidth(of: column) + 2)
        var line = TerminalLine("    " + column + blanks, .soft)
        let (before, after) = change.texts(inWidth: width.map { max(6, $0 - line.width - 3) })
        line.add(before, change.before.style)
        line.add(" → ", .soft)
        line.add(after, change.after.style)
        return line.cut(toWidth: width)
      }
  }

  private struct Change {
    var column: String
    var before: TerminalTable.Cell
    var after: TerminalTable.Cell

    /// Both values in a width, cut around the first difference.
    func texts(inWidth width: Int?) -> (before: String, after: String) {
      guard let width else { return (before.text, after.text) }
      func widths(_ before: String, _ after: String) -> (Int, Int) {
        let (old, new) = (displayWidth(of: before), displayWidth(of: after))
        if old + new <= width { return (old, new) }
        let left = max(min(old, width / 2), width - new)
        return (left, width - left)
      }
      var (old, new) = (before.text, after.text)
      let room = widths(old, new)
      let common = zip(old, new).prefix { $0 == $1 }.count
      if displayWidth(of: old) > room.0 || displayWidth(of: new) > room.1, common > min(room.0, room.1) - 3,
        common > 4
      {
        (old, new) = ("…" + old.dropFirst(common - 4), "…" + new.dropFirst(common - 4))
      }
      let (left, right) = widths(old, new)
      return (fitted(old, toWidth: left), fitted(new, toWidth: right))
    }
  }

  private func changes(of row: DatabaseChanges.Row) -> [Change] {
    row.cells.indices.compactMap { index in
      guard row.before.indices.contains(index), let old = row.before[index] else { return nil }
      let before = cell(old, at: index, .removed)
      var after = cell(row.cells[index], at: index, .added)
      if before.text == after.text { after.text += " (differs behind what is shown)" }
      // Left-aligned, unlike numbers.
      return Change(
        column: printedLine(table.columns[safe: index] ?? "?"),
        before: .init(before.text, before.style), after: .init(after.text, after.style))
    }
  }

  private func cell(_ value: DatabaseValue, at column: Int, _ style: TerminalStyle = .plain)
    -> TerminalTable.Cell
  {
    let note = reading?.note(on: value, at: column, of: table.columns, in: table.name)
    return printedCell(value, note: note, style: style)
  }

  /// The key, or else the first unchanged values.
  private func name(of row: DatabaseChanges.Row) -> String {
    let ofKey = table.columns.indices.filter { table.key.contains(table.columns[$0]) }
    let kept = row.cells.indices.filter { row.before.indices.contains($0) ? row.before[$0] == nil : true }
    let named = ofKey.isEmpty ? Array(kept.prefix(2)) : ofKey
    return named.filter(row.cells.indices.contains).map { index in
      "\(table.columns[safe: index] ?? "?") \(cell(row.cells[index], at: index).text)"
    }.joined(separator: ", ")
  }
}
