import ExhibitSQLite
import ExhibitSystem
import ReportInspection
import ReportModel
import ReportStory

/// The most expanded tables, and if it is known which ones the test used.
private let (mostTablesUnfolded, mostUsedUnfolded) = (6, 4)

/// The most cells per page; more tables leave fewer rows.
private func mostCells(ofTables count: Int) -> Int { count > 50 ? 500 : count > 12 ? 700 : 4000 }

/// Values for template `database`.
///
/// - Parameters:
///   - source: The path of the original, if it was a file.
///   - used: The tables that the test used; `nil` where nobody knows.
///   - open: Names of tables that stand open elsewhere, in lower case.
func databaseValues(
  _ database: DatabaseInspection, of source: String? = nil, used: UsedTables? = nil, open: Set<String> = []
) -> TemplateValues {
  let unfolded = unfoldedTables(of: database, used: used, open: open)
  let reading = ValueReading(database, of: source)
  let database = database.keepingCells(mostCells(ofTables: database.tables.count))
  func values(_ indices: [Int]) -> [TemplateValues] {
    indices.map { tableValues(database.tables[$0], isOpen: unfolded.contains($0), reading) }
  }
  let housekeeping = database.tables.indices.filter { isHousekeeping(database.tables[$0].name) }
  let tables = database.tables.indices.filter { !housekeeping.contains($0) }
  let others = values(tables.filter { !unfolded.contains($0) })
  let schema: [TemplateValues] = database.otherSchema.map { entry in
    ["type": entry.type, "name": visibleOnOneLine(entry.name), "sql": entry.sql]
  }
  return [
    "soundness": soundness(of: database),
    "isDamaged": database.check != "ok",
    "check": database.check,
    "brokenKeys": brokenKeysText(database.foreignKeys),
    "keyCheck": database.foreignKeys.isSound ? nil : keyCheckText(database.foreignKeys),
    "format": "\(visibleOnOneLine(database.encoding)), pages of \(counted(database.pageSize, "byte")), "
      + "user_version \(database.userVersion)",
    "problems": database.problems,
    "hasProblems": !database.problems.isEmpty,
    "tables": values(unfolded), "others": others, "hasOthers": !others.isEmpty,
    "hasTables": !tables.isEmpty,
    "tableCount": counted(tables.count, "table"),
    "migrations": migrationsText(database),
    "housekeeping": housekeeping.isEmpty
      ? nil
      : ["title": counted(housekeeping.count, "housekeeping table"), "list": values(housekeeping)]
        as TemplateValues,
    "schema": schema.isEmpty
      ? nil : ["list": schema, "title": counted(schema.count, "other schema object")] as TemplateValues,
  ]
}

/// The tables that stand open, in their order.
private func unfoldedTables(
  of database: DatabaseInspection, used: UsedTables?, open: Set<String>
) -> [Int] {
  let own = database.tables.indices.filter { isUnfolded(database.tables[$0]) }
  guard let used else { return Array(own.prefix(mostTablesUnfolded)) }
  let near = used.indices.filter {
    isUnfolded(database.tables[$0]) && !open.contains(database.tables[$0].name.lowercased())
  }
  return Array(near.prefix(mostUsedUnfolded))
}

/// The tables of a captured database that its test read or wrote, those next to the failure first.
struct UsedTables {
  /// In the database's tables.
  let indices: [Int]
  let names: [String]

  /// - Returns: `nil` where nobody knows.
  init?(of evidence: TestEvidence, in database: DatabaseInspection, _ story: Story?) {
    guard let used = story?.usedTables(of: evidence.source) else { return nil }
    let known = Dictionary(database.tables.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in
      first
    }
    indices = used.compactMap { known[$0] }
    names = indices.map { database.tables[$0].name }
  }
}

extension DatabaseInspection {
  /// Reduces rows to a number of cells, at least one per table.
  fileprivate func keepingCells(_ most: Int) -> DatabaseInspection {
    guard tables.reduce(0, { $0 + $1.rows.count * $1.columns.count }) > most else { return self }
    var database = self
    for index in tables.indices {
      let rows = most / tables.count / max(1, tables[index].columns.count)
      database.tables[index].rows = Array(tables[index].rows.prefix(max(1, rows)))
    }
    return database
  }
}

/// Names the successful checks; `nil` if one failed.
private func soundness(of database: DatabaseInspection) -> String? {
  guard database.check == "ok", database.foreignKeys.isSound else { return nil }
  return database.foreignKeys.hasKeys
    ? "\(database.checkName) and foreign_key_check ok" : "\(database.checkName) ok"
}

private func brokenKeysText(_ check: ForeignKeyCheck) -> String? {
  guard !check.isSound else { return nil }
  guard check.broken > 0 else { return "foreign keys not checked" }
  return check.hasMore
    ? "over \(counted(check.broken, "broken foreign key"))" : counted(check.broken, "broken foreign key")
}

func keyCheckText(_ check: ForeignKeyCheck) -> String {
  let rest = check.omitted > 0 ? ["… and \(check.hasMore ? "over " : "")\(grouped(check.omitted)) more"] : []
  let lines = (check.rows + check.problems).map { visibleOnOneLine(shortened($0, to: 500)) }
  return (lines + rest).joined(separator: "\n")
}

private func migrationsText(_ database: DatabaseInspection) -> String? {
  let migrations = database.migrations
  guard !migrations.isEmpty else { return nil }
  let count = database.tables.first { $0.name == "grdb_migrations" }?.rowCount ?? 0
  let rest = count > migrations.count ? ", … and \(grouped(count - migrations.count)) more" : ""
  return migrations.map(visibleOnOneLine).joined(separator: ", ") + rest
}

/// True for tables with rows of the app.
private func isUnfolded(_ table: DatabaseInspection.Table) -> Bool {
  table.kind != .shadow && !isHousekeeping(table.name) && (table.rowCount != 0 || table.problem != nil)
}

/// True for tables of SQLite, Core Data, its CloudKit mirror and GRDB.
func isHousekeeping(_ name: String) -> Bool {
  housekeepingNames.contains(name) || housekeepingPrefixes.contains { name.hasPrefix($0) }
}

let housekeepingNames = CoreDataStore.housekeepingNames + ["grdb_migrations"]
let housekeepingPrefixes = CoreDataStore.housekeepingPrefixes + ["sqlite_"]

/// Wider tables begin with the columns that tell most.
private let mostColumnsInOrder = 24

private func tableValues(
  _ table: DatabaseInspection.Table, isOpen: Bool, _ reading: ValueReading
) -> TemplateValues {
  let order =
    table.columns.count + table.omittedColumns > mostColumnsInOrder
    ? table.columnsByContent : Array(table.columns.indices)
  return [
    "name": visibleOnOneLine(table.name),
    "kind": table.kind == .ordinary ? nil : table.kind.rawValue,
    "isOpen": isOpen,
    "count": table.rowCount.map { counted($0, "row") } ?? "rows not counted",
    "columnCount": counted(table.columns.count + table.omittedColumns, "column"),
    "columnsNote": table.omittedColumns > 0
      ? "\(grouped(table.columns.count)) of "
        + "\(counted(table.columns.count + table.omittedColumns, "column"))." : nil,
    "columns": columnValues(table, order),
    "rows": table.rows.indices.map { ["cells": cells($0, of: table, order, reading)] as TemplateValues },
    "hasRows": !table.rows.isEmpty,
    "rowsNote": rowsNote(table),
    "problem": table.problem,
    "sql": table.sql,
  ]
}

private func cells(
  _ row: Int, of table: DatabaseInspection.Table, _ order: [Int], _ reading: ValueReading
) -> [TemplateValues] {
  let row = (place: row, cells: table.rows[row])
  return order.filter(row.cells.indices.contains).map { column in
    let cell = row.cells[column]
    var values = cellValues(
      cell, meaning: reading.note(on: cell, column: table.columns[column], of: table.name))
    let held = table.propertyLists[.init(row: row.place, column: column)]
    values.set("held", to: held.map { $0.map(visibleOnOneLine).joined(separator: "\n") })
    return values
  }
}

private func rowsNote(_ table: DatabaseInspection.Table) -> String? {
  guard !table.rows.isEmpty else {
    if table.rowCount == 0 { return "No rows." }
    return table.problem == nil ? "Rows are left out." : nil
  }
  guard let count = table.rowCount else { return "The first \(counted(table.rows.count, "row"))." }
  return count > table.rows.count
    ? "The first \(grouped(table.rows.count)) of \(counted(count, "row"))." : nil
}

/// Numeric columns have right-aligned headings.
private func columnValues(_ table: DatabaseInspection.Table, _ order: [Int]) -> [TemplateValues] {
  order.map { index in
    let name = table.columns[index]
    let cells = table.rows.lazy.filter { $0.indices.contains(index) }.map { $0[index] }
    let isNumeric = cells.contains(where: \.isNumber) && cells.allSatisfy { $0.isNumber || $0 == .null }
    var values = headingValues(name)
    values.set("isNumeric", to: isNumeric)
    return values
  }
}

/// - Parameter meaning: What the value means, if that is known.
func cellValues(_ cell: DatabaseValue, meaning: String?) -> TemplateValues {
  var values = cellValues(cell)
  if let meaning { values.set("note", to: visibleOnOneLine(meaning)) }
  return values
}

func cellValues(_ cell: DatabaseValue) -> TemplateValues {
  func values(_ style: String, _ text: String, note: String? = nil) -> TemplateValues {
    ["style": style, "text": text, "note": note, "uuid": uuidValues(text)]
  }
  return switch cell {
  case .null: values("null", "NULL")
  case .integer(let value): values("number", String(value))
  case .real(let value): values("number", String(value))
  case .text("", _): values("empty", "empty text")
  case .text(let text, let whole):
    values("text", text, note: whole.map { "cut from \(counted($0.bytes, "byte"))" })
  case .blob(let bytes, let whole):
    values("blob", hexadecimal(bytes) + (whole == nil ? "" : "…"), note: counted(cell.byteCount, "byte"))
  }
}

/// The parts of a UUID; the middle one stays out of sight, but can be copied and read aloud.
private func uuidValues(_ text: String) -> TemplateValues? {
  let bytes = Array(text.utf8)
  let isUUID =
    bytes.count == 36
    && bytes.enumerated().allSatisfy { place, byte in
      [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
    }
  guard isUUID else { return nil }
  return [
    "start": String(text.prefix(6)), "middle": String(text.dropFirst(6).dropLast(4)),
    "end": String(text.suffix(4)),
  ]
}

extension DatabaseValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }
}
