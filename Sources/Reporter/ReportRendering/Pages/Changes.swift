import ExhibitSQLite
import ReportInspection
import ReportModel

/// Values for template `changes`.
///
/// - Parameters:
///   - near: Tables to show first, in lower case.
///   - since: What it is compared with, unless said elsewhere.
func changesValues(
  _ changes: DatabaseChanges, near: Set<String> = [], baseline: String?,
  title: String = "Changed by the test",
  since: String? = "the state that it started from"
) -> TemplateValues {
  let isNear = { (table: DatabaseChanges.Table) in near.contains(table.name.lowercased()) }
  let others = changes.tables.filter { !isNear($0) }
  let tables =
    changes.tables.filter(isNear) + others.filter { !$0.isHousekeeping } + others.filter(\.isHousekeeping)
  return [
    "title": title,
    "since": since,
    "tables": zip(tables, shownRows(of: tables)).map { tableValues($0, $1, changes.reading) },
    "isSame": changes.isSame,
    "schema": changes.schema.map {
      "The \($0.type) \(visibleOnOneLine($0.name)) was \($0.fate.rawValue)."
    },
    "tally": changes.tables.isEmpty ? nil : counted(changes.tables.count, "table"),
    "unchanged": changes.unchanged > 0
      ? "\(counted(changes.unchanged, "table")) as \(changes.unchanged == 1 ? "it was" : "they were")" : nil,
    "baseline": baseline,
    "problems": changes.problems,
  ]
}

private let (mostRows, mostOpenRows) = (40, 12)

/// How many rows of each table are shown, and whether expanded.
private func shownRows(of tables: [DatabaseChanges.Table]) -> [(count: Int, isOpen: Bool)] {
  let all = tables.reduce(0) { $0 + $1.rows.count }
  var open = 0
  return tables.map { table in
    let count = all <= mostRows ? table.rows.count : min(table.rows.count, max(3, mostRows / tables.count))
    open += count
    return (count, open <= mostOpenRows && !table.isHousekeeping)
  }
}

private func tableValues(
  _ table: DatabaseChanges.Table, _ room: (count: Int, isOpen: Bool), _ reading: ValueReading?
) -> TemplateValues {
  let changed = table.rows.flatMap { row in row.before.indices.filter { row.before[$0] != nil } }
  let order = columnOrder(count: table.columns.count, changed: Set(changed))
  let shown = room.count
  let all = (table.added ?? 0) + (table.removed ?? 0) + (table.changed ?? 0)
  return [
    "name": visibleOnOneLine(table.name),
    "fate": table.isHousekeeping
      ? "of Core Data’s own"
      : table.fate.words ?? table.formerName.map { "renamed from \(visibleOnOneLine($0))" },
    "columnChanges": table.columnChanges.text.map(visibleOnOneLine),
    "tally": tally(of: table),
    "columns": order.map { headingValues(table.columns[$0]) },
    "isOpen": room.isOpen,
    "rows": table.rows.prefix(shown).map { rowValues($0, of: table, order, reading) },
    "hasRows": shown > 0,
    "note": shown > 0 && all > shown ? "The first \(grouped(shown)) of \(counted(all, "row"))." : nil,
    "columnsNote": columnsNote(table),
    "problem": table.problem,
  ]
}

private func columnsNote(_ table: DatabaseChanges.Table) -> String? {
  guard table.omittedColumns > 0, !table.rows.isEmpty else { return nil }
  let count = counted(table.columns.count + table.omittedColumns, "column")
  let lost = table.omittedChanges > 0 ? " \(counted(table.omittedChanges, "more column")) changed." : ""
  return
    "\(grouped(table.columns.count)) of \(count): those that changed, and the first of the others.\(lost)"
}

private func tally(of table: DatabaseChanges.Table) -> String {
  let counts: [(Int?, String)] = [
    (table.added, "added"), (table.changed, "changed"), (table.removed, "removed"),
  ]
  let parts = counts.compactMap { count, word in
    count.flatMap { $0 > 0 ? "\(counted($0, "row")) \(word)" : nil }
  }
  return joined(parts, by: " · ") ?? (table.problem == nil ? "no rows" : "rows not compared")
}

private func rowValues(
  _ row: DatabaseChanges.Row, of table: DatabaseChanges.Table, _ order: [Int], _ reading: ValueReading?
) -> TemplateValues {
  func values(_ cell: DatabaseValue, at column: Int) -> TemplateValues {
    cellValues(
      cell, meaning: reading?.note(on: cell, at: column, of: table.columns, in: table.name))
  }
  let cells = order.filter(row.cells.indices.contains).map { index -> TemplateValues in
    let cell = row.cells[index]
    var values = values(cell, at: index)
    let before = row.before.indices.contains(index) ? row.before[index] : nil
    values.set("before", to: before.map { cellValues($0) })
    if let before, before == cell {
      values.set("note", to: "differs behind what is shown of \(counted(cell.byteCount, "byte"))")
    }
    return values
  }
  return [
    "style": row.operation.word, "sign": row.operation.sign, "word": row.operation.word, "cells": cells,
  ]
}

extension DatabaseChanges.Table.Fate {
  fileprivate var words: String? {
    switch self {
    case .kept: nil
    case .created: "created"
    case .dropped: "dropped"
    case .redefined: "defined anew"
    }
  }
}
