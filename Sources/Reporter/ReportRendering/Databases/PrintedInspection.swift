import Collector
import Foundation
package import ReportInspection
import ReportModel

/// `reporter inspect` for a database: file, check, findings, tables, rows.
package struct PrintedInspection {
  let database: NamedDatabase
  let inspection: DatabaseInspection
  let found: DatabaseFindings
  /// True to print collapsed findings.
  let tellsAllFindings: Bool
  /// The WAL's transactions, if wanted.
  let history: WALHistory?
  /// The number of last transactions with rows.
  let transactions: Int
  let table: String?
  let width: Int?
  private let reading: ValueReading

  package init(
    database: NamedDatabase, inspection: DatabaseInspection, found: DatabaseFindings, tellsAllFindings: Bool,
    history: WALHistory?, transactions: Int, table: String?, width: Int?
  ) {
    (self.database, self.inspection, self.found) = (database, inspection, found)
    (self.history, self.transactions) = (history, transactions)
    (self.tellsAllFindings, self.table, self.width) = (tellsAllFindings, table, width)
    reading = ValueReading(inspection, of: database.path)
  }

  private var file: PrintedFile { PrintedFile(database: database, width: width) }

  package var lines: [TerminalLine] {
    var parts = [head, problems, findings]
    if table == nil { parts += [tables, otherSchema] }
    parts += inspection.tables.filter { table != nil || !$0.rows.isEmpty && !isHousekeeping($0) }.map(rows)
    if table != nil { parts.append(statements) }
    parts.append(wal)
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [TerminalLine()]))
  }

  // MARK: - The whole

  private var head: [TerminalLine] {
    file.title.wrapped(toWidth: width) + file.facts(inspection) + [health]
  }

  private var health: TerminalLine {
    var line = TerminalLine()
    func add(_ what: String, _ isSound: Bool) {
      line.add(line.spans.isEmpty ? "" : " · ")
      line.add("\(isSound ? "✓" : "✗") \(what)", isSound ? .good : .failed)
    }
    add(inspection.checkName, inspection.check == "ok")
    if inspection.foreignKeys.hasKeys { add("foreign keys", inspection.foreignKeys.isSound) }
    return line.cut(toWidth: width)
  }

  private var problems: [TerminalLine] {
    (file.warnings + inspection.problems).flatMap { remark($0) }
  }

  private func remark(_ text: String, _ style: TerminalStyle = .odd) -> [TerminalLine] {
    TerminalLine("! " + text, style).wrapped(toWidth: width, indent: 2)
  }

  private var findings: [TerminalLine] {
    let shown = found.findings.filter { tellsAllFindings ? $0.gathers == nil : !$0.isFolded }
    var lines = shown.flatMap { finding in
      PrintedFinding(finding: finding, details: finding.kind == .damage ? moreOfTheCheck : []).lines
    }
    let hidden = tellsAllFindings ? [] : found.findings.filter(\.isFolded)
    let folded = hidden.count
    if folded > 0 {
      let minor = hidden.contains(where: \.isOneOfMany) ? "finding" : "minor finding"
      let more = shown.isEmpty ? minor : "more \(minor)"
      lines.append(TerminalLine("\(counted(folded, more)): --all-findings prints what.", .soft))
    }
    lines += found.unexamined.map { TerminalLine("! \($0)", .odd) }
    guard !lines.isEmpty else { return [] }
    return [TerminalLine("Findings", .strong)]
      + lines.flatMap {
        let indent = $0.text.prefix { $0 == " " }.count
        return $0.wrapped(toWidth: width, indent: max(indent, 2))
      }
  }

  private var moreOfTheCheck: [String] {
    // An aborted check is reported as such.
    inspection.checkLines.dropFirst().filter { !$0.hasPrefix("not finished") }
  }

  // MARK: - The WAL

  private var wal: [TerminalLine] {
    let told = history.map { printedWAL($0, name: database.name, reading, most: transactions) } ?? []
    return file.walSection
      + told.flatMap { TerminalLine("  " + $0.text, $0.style).wrapped(toWidth: width, indent: 6) }
  }

  // MARK: - The schema

  /// The app's tables, then names of SQLite's own.
  private var tables: [TerminalLine] {
    let own = inspection.tables.filter { !$0.isOfSQLite && !isHousekeeping($0) }
    let kept = [
      ("SQLite", inspection.tables.filter(\.isOfSQLite)),
      ("Core Data", inspection.tables.filter(isHousekeeping)),
    ]
    guard !inspection.tables.isEmpty else { return [TerminalLine("No tables", .strong)] }
    let rows = own.map { table -> [TerminalTable.Cell] in
      let more = table.omittedColumns > 0 ? ", … \(grouped(table.omittedColumns)) more" : ""
      let kind = table.kind == .virtual ? "virtual: " : ""
      return [
        .init(table.name), .init(table.rowCount.map(grouped) ?? "?", isNumber: true),
        .init(table.rowCount == 1 ? "row" : "rows", .soft),
        .init(kind + table.columns.joined(separator: ", ") + more, .soft),
      ]
    }
    var lines = [TerminalLine(counted(own.count, "table"), .strong)]
    lines += TerminalTable(rows: rows).lines(width: width, indent: 2)
    lines += own.filter { $0.rows.isEmpty }.compactMap(\.problem).flatMap { remark($0) }
    for (keeper, tables) in kept where !tables.isEmpty {
      let names = tables.map(\.name).joined(separator: ", ")
      lines.append(
        TerminalLine("  and \(grouped(tables.count)) of \(keeper)’s own: \(names)", .soft).cut(toWidth: width)
      )
    }
    return lines
  }

  private func isHousekeeping(_ table: DatabaseInspection.Table) -> Bool {
    inspection.coreData != nil && CoreDataStore.keepsHouse(table.name)
  }

  private var otherSchema: [TerminalLine] {
    let entries = inspection.otherSchema.filter { $0.sql != nil }
    guard !entries.isEmpty else { return [] }
    let rows = entries.map { entry -> [TerminalTable.Cell] in
      [.init(entry.type, .soft), .init(entry.name), .init(entry.definition, .soft)]
    }
    let kinds = ["index", "view", "trigger"].compactMap { type -> String? in
      let count = entries.filter { $0.type == type }.count
      return count == 0 ? nil : counted(count, type, type == "index" ? "indexes" : nil)
    }
    return [TerminalLine(kinds.joined(separator: ", "), .strong)]
      + TerminalTable(rows: rows).lines(width: width, indent: 2)
  }

  private var statements: [TerminalLine] {
    let own = inspection.tables.compactMap(\.sql)
    let others = inspection.otherSchema.filter { $0.table == table }.compactMap(\.sql)
    return (own + others).flatMap { sql in
      textLines(of: sql + ";").flatMap {
        TerminalLine("  " + $0, .soft).wrapped(toWidth: width, indent: 6)
      }
    }
  }

  // MARK: - Rows

  private func rows(of table: DatabaseInspection.Table) -> [TerminalLine] {
    let cells = table.rows.enumerated().map { row, values in
      values.enumerated().map { column, value in
        let place = DatabaseInspection.Table.CellIndex(row: row, column: column)
        let held = table.propertyLists[place].map { shortened($0.joined(separator: " "), to: 200) }
        return printedCell(
          value, undecoded: table.undecoded[place],
          note: held ?? reading.note(on: value, at: column, of: table.columns, in: table.name))
      }
    }
    let printed = TerminalTable(titles: table.columns, rows: cells)
    let omitted = table.omittedColumns + printed.omittedColumns(width: width, indent: 2)
    var title = TerminalLine(table.name, .strong)
    var facts = [table.rowCount.map { counted($0, "row") } ?? "rows not counted"]
    let all = table.columns.count + table.omittedColumns
    if omitted > 0 { facts.append("\(grouped(all - omitted)) of \(counted(all, "column"))") }
    title.add(" · " + facts.joined(separator: " · "), .soft)
    var lines = [title.cut(toWidth: width)]
    if !table.columns.isEmpty { lines += printed.lines(width: width, indent: 2) }
    if let count = table.rowCount, count > cells.count, !cells.isEmpty {
      lines.append(TerminalLine("  … \(counted(count - cells.count, "more row"))", .soft))
    }
    return lines + (self.table == nil ? [] : propertyLists(of: table))
      + (table.problem.map { remark($0) } ?? [])
  }

  private func propertyLists(of table: DatabaseInspection.Table) -> [TerminalLine] {
    let lists = table.propertyLists.sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }
    return lists.flatMap { place, members in
      [
        TerminalLine("  \(table.columns[safe: place.column] ?? "?") of row \(place.row + 1)", .strong).cut(
          toWidth: width)
      ]
        + members.flatMap { TerminalLine("    " + $0).wrapped(toWidth: width, indent: 8) }
    }
  }

  // MARK: - What `reporter inspect --json` prints; docs/database-json.md describes it

  package var json: [UInt8] {
    JSONText.printed { json in
      json.member("check", inspection.check)
      json.member("encoding", inspection.encoding)
      json.write("file", database)
      json.objects("findings", found.findings) { $0.write($1, databases: nil) }
      json.object("foreignKeys") { write(inspection.foreignKeys, &$0) }
      json.member("freePages", inspection.freePages)
      json.member("pages", inspection.pages)
      json.array("problems", inspection.problems) { $0.element($1) }
      json.objects("schema", inspection.otherSchema) { json, entry in
        json.member("name", entry.name)
        json.member("sql", entry.sql)
        json.member("table", entry.table)
        json.member("type", entry.type)
      }
      json.objects("tables", inspection.tables) { write($1, &$0) }
      json.array("unexamined", found.unexamined) { $0.element($1) }
      json.write("wal", history, transactions: transactions)
    }
  }

  private func write(_ keys: ForeignKeyCheck, _ json: inout JSONText) {
    json.member("broken", keys.broken)
    json.member("hasKeys", keys.hasKeys)
    json.member("hasMore", keys.hasMore)
    json.array("problems", keys.problems) { $0.element($1) }
    json.array("rows", keys.rows) { $0.element($1) }
  }

  private func write(_ table: DatabaseInspection.Table, _ json: inout JSONText) {
    json.objects("columns", Array(table.columns.indices)) { json, column in
      json.member("name", table.columns[column])
      json.member("type", table.types.indices.contains(column) ? table.types[column] : nil)
    }
    json.member("kind", table.kind.rawValue)
    json.member("name", table.name)
    json.member("omittedColumns", table.omittedColumns)
    json.member("problem", table.problem)
    json.member("rowCount", table.rowCount)
    json.array("rows", Array(table.rows.enumerated())) { json, row in
      json.array(nil, Array(row.element.enumerated())) { json, cell in
        json.write(
          nil, cell.element, undecoded: table.undecoded[.init(row: row.offset, column: cell.offset)])
      }
    }
    json.member("sql", table.sql)
  }
}

extension DatabaseInspection.SchemaEntry {
  /// A statement on one line; for an index without name and type.
  fileprivate var definition: String {
    let words = (sql ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard type == "index" else { return words }
    let isUnique = words.uppercased().hasPrefix("CREATE UNIQUE")
    guard let on = words.range(of: " on ", options: .caseInsensitive) else { return words }
    return (isUnique ? "unique " : "") + "on " + words[on.upperBound...]
  }
}
