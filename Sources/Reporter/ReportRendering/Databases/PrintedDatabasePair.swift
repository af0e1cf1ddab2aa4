import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// `reporter diff` for two databases: an overview by table, the schema, the rows.
package struct PrintedDatabasePair {
  let pair: DatabasePair
  let rows: Int
  let width: Int?

  package init(_ pair: DatabasePair, rows: Int, width: Int?) {
    (self.pair, self.rows, self.width) = (pair, rows, width)
  }

  private var tables: [DatabaseChanges.Table] { pair.changes?.tables ?? [] }

  package var lines: [TerminalLine] {
    var parts = [head, problems, overview, schema]
    parts += tables.filter { !$0.isHousekeeping || isOnlyHousekeeping }.map {
      PrintedTableChanges(table: $0, reading: pair.changes?.reading, rows: rows, width: width).lines
    }
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [TerminalLine()]))
  }

  // MARK: - How much

  private var head: [TerminalLine] {
    var line = PrintedFile(database: pair.before, width: width).title
    line.add(" → ", .soft)
    line.add(PrintedFile(database: pair.after, width: width).title)
    var lines = line.wrapped(toWidth: width, indent: 2) + TerminalLine(sentence).wrapped(toWidth: width)
    for setting in pair.differingSettings {
      lines += TerminalLine(
        "\(setting.name) \(setting.before) → \(setting.after)", setting.isContent ? .changed : .soft
      ).wrapped(toWidth: width, indent: 2)
    }
    return lines
  }

  private var sentence: String {
    guard pair.isDifferent else {
      return pair.isWhole
        ? "No difference\(pair.changes.map { " in \(counted($0.unchanged, "table"))" } ?? " in the schema")."
        : "No difference in what could be compared."
    }
    var parts: [String] = []
    if let changes = pair.changes {
      let all = changes.tables.count + changes.unchanged
      let differ = changes.tables.count
      parts.append(
        "\(grouped(differ)) of \(counted(all, "table")) \(differ == 1 && all == 1 ? "differs" : "differ")")
    }
    if !pair.schema.isEmpty { parts.append("\(counted(pair.schema.count, "difference")) in the schema") }
    return parts.joined(separator: ", ") + "."
  }

  private var problems: [TerminalLine] {
    var sentences = pair.problems + (pair.changes?.problems ?? [])
    for database in [pair.before, pair.after] {
      sentences += PrintedFile(database: database, width: width).warnings.map { "\(database.name): \($0)" }
      if database.hasChanged { sentences.append(database.changedNote) }
    }
    return sentences.flatMap { TerminalLine("! " + $0, .odd).wrapped(toWidth: width, indent: 2) }
  }

  /// Its rows are told where nothing else is.
  private var isOnlyHousekeeping: Bool { tables.allSatisfy(\.isHousekeeping) }

  private var overview: [TerminalLine] {
    let rows = (tables.filter { !$0.isHousekeeping } + tables.filter(\.isHousekeeping)).map {
      table -> [TerminalTable.Cell] in
      let note: TerminalTable.Cell =
        switch table.fate {
        case .kept where table.isHousekeeping: .init("of Core Data’s own", .soft)
        case .kept: table.formerName.map { .init("renamed from \($0)", .changed) } ?? .init("")
        case .created: .init("new table", .added)
        case .dropped: .init("dropped", .removed)
        case .redefined: .init("redefined", .changed)
        }
      return [
        .init(table.name), count("+", table.added, .added), count("−", table.removed, .removed),
        count("~", table.changed, .changed), note,
      ]
    }
    return TerminalTable(rows: rows).lines(width: width, indent: 2)
  }

  private func count(_ sign: String, _ count: Int?, _ style: TerminalStyle) -> TerminalTable.Cell {
    switch count {
    case nil: .init("\(sign)?", .soft, isNumber: true)
    case 0: .init("", isNumber: true)
    case let count?: .init(sign + grouped(count), style, isNumber: true)
    }
  }

  // MARK: - The schema

  private static let mostLines = 40

  private var schema: [TerminalLine] {
    guard !pair.schema.isEmpty else { return [] }
    return [TerminalLine("Schema", .strong)] + pair.schema.flatMap(lines)
  }

  private func lines(of change: SchemaChange) -> [TerminalLine] {
    let (sign, style): (String, TerminalStyle) =
      switch change.fate {
      case .created: ("+", .added)
      case .dropped: ("−", .removed)
      case .redefined, .renamed: ("~", .changed)
      }
    let renamed = change.formerName.map { " renamed from \($0)" } ?? ""
    let title = TerminalLine("  \(sign) \(change.type) \(change.name)\(renamed)", style).cut(toWidth: width)
    return change.fate == .renamed ? [title] : [title] + statementLines(of: change)
  }

  private func statementLines(of change: SchemaChange) -> [TerminalLine] {
    let (difference, isWhole) = (change.difference ?? [], change.before == nil || change.after == nil)
    var lines = difference.prefix(Self.mostLines).flatMap {
      // The title already says so.
      statementLine($0.text, isWhole ? .same : $0.kind).wrapped(toWidth: width, indent: 8)
    }
    if difference.count > Self.mostLines {
      lines.append(TerminalLine("      … \(counted(difference.count - Self.mostLines, "more line"))", .soft))
    }
    return lines
  }

  private func statementLine(_ text: String, _ kind: DiffLine.Kind) -> TerminalLine {
    switch kind {
    case .added: TerminalLine("    + " + text, .added)
    case .removed: TerminalLine("    − " + text, .removed)
    default: TerminalLine("      " + text, .soft)
    }
  }

  // MARK: - What `reporter diff --json` prints; docs/database-json.md describes it

  package var json: [UInt8] {
    JSONText.printed { json in
      json.write("after", pair.after)
      json.write("before", pair.before)
      json.member("complete", pair.isWhole)
      json.member("different", pair.isDifferent)
      json.array("housekeeping", pair.changes?.housekeeping ?? []) { $0.element($1) }
      json.array("problems", pair.problems + (pair.changes?.problems ?? [])) { $0.element($1) }
      json.objects("schema", pair.schema) { json, change in
        json.member("after", change.after)
        json.member("before", change.before)
        json.member("fate", change.fate.rawValue)
        json.member("formerName", change.formerName)
        json.member("name", change.name)
        json.member("type", change.type)
      }
      json.objects("settings", pair.differingSettings) { json, setting in
        json.member("after", setting.after)
        json.member("before", setting.before)
        json.member("name", setting.name)
      }
      json.objects("tables", pair.changes?.tables ?? []) { write($1, &$0) }
      json.member("unchanged", pair.changes?.unchanged)
    }
  }

  private func write(_ table: DatabaseChanges.Table, _ json: inout JSONText) {
    json.member("added", table.added)
    json.member("changed", table.changed)
    json.object("columnChanges") { json in
      json.array("added", table.columnChanges.added) { $0.element($1) }
      json.array("dropped", table.columnChanges.dropped) { $0.element($1) }
      json.objects("renamed", table.columnChanges.renamed) { json, renamed in
        json.member("from", renamed.from)
        json.member("to", renamed.to)
      }
    }
    json.array("columns", table.columns) { $0.element($1) }
    json.member("fate", table.fate.rawValue)
    json.member("formerName", table.formerName)
    json.array("key", table.key) { $0.element($1) }
    json.member("name", table.name)
    json.member("omittedColumns", table.omittedColumns)
    json.member("problem", table.problem)
    json.member("removed", table.removed)
    json.objects("rows", table.rowsByKind(atMost: rows)) { write($1, of: table, &$0) }
  }

  private func write(_ row: DatabaseChanges.Row, of table: DatabaseChanges.Table, _ json: inout JSONText) {
    let changed = row.cells.indices.filter { row.before.indices.contains($0) && row.before[$0] != nil }
    json.objects("changes", changed) { json, index in
      json.write("after", row.cells[index])
      json.write("before", row.before[index] ?? .null)
      json.member("column", table.columns.indices.contains(index) ? table.columns[index] : nil)
    }
    json.member("kind", row.operation.word)
    json.array("values", row.cells) { $0.write(nil, $1) }
  }
}

extension DatabaseChanges.Table {
  /// The first rows of each operation, shared evenly.
  func rowsByKind(atMost most: Int) -> [DatabaseChanges.Row] {
    let operations: [RowOperation] = [.update, .insert, .delete]
    let byKind = operations.map { operation in rows.filter { $0.operation == operation } }
    let taken = shared(most, byKind.map { _ in 0 }, upTo: byKind.map(\.count))
    return zip(byKind, taken).flatMap { $0.prefix($1) }
  }
}
