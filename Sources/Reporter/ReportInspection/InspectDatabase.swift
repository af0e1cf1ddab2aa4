import ExhibitCSQLite
import ExhibitSQLite
import ReportModel

/// Reads what a page shows of a captured database: schema, row counts and first rows.
///
/// The file is untrusted (see `InspectionConnection`); unreadable parts are named in `problems`.
///
/// - Parameters:
///   - rows: True when values may be read.
///   - table: The only table to read; `nil` for all.
package func inspectDatabase(
  at path: String, rows: Bool, table: String? = nil, limits: InspectionLimits = InspectionLimits()
) -> DatabaseInspection {
  do {
    let connection = try InspectionConnection(path: path, limits: limits)
    var inspector = DatabaseInspector(
      connection: connection, readsRows: rows, only: table, limits: limits)
    var inspection = try inspector.inspect()
    inspection.isCutByTime = connection.isOverdue
    return inspection
  } catch {
    return DatabaseInspection(
      pageSize: 0, encoding: "unknown", userVersion: 0, check: "not readable", tables: [], otherSchema: [],
      problems: ["SQLite cannot read the file: \(error.message)."], isCutByTime: error.isInterruption)
  }
}

/// What may be read of property lists in one database: a column may have one in each row.
private final class PropertyListRoom {
  var lists = 1000
  var work = 5_000_000
}

private struct DatabaseInspector {
  let connection: InspectionConnection
  let readsRows: Bool
  let only: String?
  let limits: InspectionLimits
  let room = PropertyListRoom()
  var problems: [String] = []

  mutating func inspect() throws(SQLiteError) -> DatabaseInspection {
    connection.allow(steps: limits.tableSteps)
    // Throws if the file is no database.
    let pageSize = try number("PRAGMA page_size")
    let (pages, freePages) = (try number("PRAGMA page_count"), try number("PRAGMA freelist_count"))
    let version = try number("PRAGMA user_version")
    let encoding = try text("PRAGMA encoding")
    let objects = readObjects()
    let own = objects.filter { $0.type == "table" }
    let schema = DatabaseSchema(of: connection, leading: own.map(\.name), limits: limits)
    if let failure = schema.failure {
      problems.append("Which tables are virtual could not be read: \(failure.message).")
    }
    let check = quickCheck(schema)
    connection.allow(steps: limits.checkSteps)
    let foreignKeys = connection.checkForeignKeys(of: own.map(\.name), in: schema, namesRows: readsRows)
    let tables = own.filter { only == nil || $0.name == only }.map {
      inspect($0, schema.tables[$0.name] ?? .init($0.name))
    }
    let coreData = CoreDataStore(connection, schema, limits)
    return DatabaseInspection(
      pageSize: pageSize, pages: pages, freePages: freePages, encoding: encoding, userVersion: version,
      check: check, tables: tables,
      otherSchema: objects.filter { $0.type != "table" }, schema: schema, foreignKeys: foreignKeys,
      coreData: coreData,
      ofTheApp: ofTheApp(objects, schema), problems: problems)
  }

  func number(_ sql: String) throws(SQLiteError) -> Int {
    let statement = try connection.prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  func text(_ sql: String) throws(SQLiteError) -> String {
    let statement = try connection.prepare(sql)
    return try statement.step() ? statement.text(at: 0, limit: 100) ?? "" : ""
  }
}

// MARK: - The whole database

extension DatabaseInspector {
  private mutating func quickCheck(_ schema: DatabaseSchema) -> String {
    connection.allow(steps: limits.checkSteps)
    let unread = schema.tables.values.flatMap { table in
      table.unread.map { " value in \(table.name).\($0)" }
    }
    var (lines, seen): ([String], Int) = ([], 0)
    do {
      try connection.quickCheck { statement in
        seen += 1
        let line = statement.text(at: 0) ?? ""
        let isOfApp =
          unread.contains(where: line.hasSuffix)
          || connection.hasGuessed && line.hasPrefix("row not in PRIMARY KEY order for ")
        if !isOfApp { lines.append(statement.text(at: 0, limit: 500) ?? "") }
        return lines.count < 10
      }
      if lines.isEmpty {
        lines = [
          seen < InspectionConnection.mostChecked
            ? "ok" : "not finished behind \(seen) values that only the app can check"
        ]
      }
    } catch {
      let limit =
        connection.exceeded?.words ?? (error.isLimit ? "within the limit of memory" : nil)
        ?? (error.unknownFunction == nil ? nil : "for the many functions that only the app has")
      lines.append(limit.map { "not finished \($0)" } ?? error.message)
    }
    return lines.joined(separator: "\n")
  }

  /// Sentences on what only the app can read.
  private func ofTheApp(_ objects: [DatabaseInspection.SchemaEntry], _ schema: DatabaseSchema) -> [String] {
    var functions: [Substring: Bool] = [:]
    func ownFunction(in sql: String) -> Substring? {
      let tokens = SQLToken.all(in: sql)
      return zip(tokens, tokens.dropFirst()).first { token, next in
        guard next.text == "(", !token.isQuoted, token.isName, functions.count < 1000 else { return false }
        let isLacking = functions[token.text] ?? connection.lacksFunction(token.text)
        functions[token.text] = isLacking
        return isLacking
      }?.0.text
    }
    let tables = schema.tables.values.sorted { $0.name < $1.name }
    let statements = Dictionary(objects.map { ($0.name, $0.sql ?? "") }) { first, _ in first }
    let indexes = tables.flatMap(\.indexes).compactMap { index -> String? in
      let isComputed = index.isPartial || index.columns.contains { $0 < -1 }
      let terms = statements[index.name]?.drop { $0 != "(" } ?? ""
      let function = isComputed ? ownFunction(in: String(terms)) : nil
      return (index.appCollation ?? function.map(String.init)).map {
        "\(shownName(index.name)) (\(shownName($0)))"
      }
    }
    let unread = tables.flatMap { table in table.unread.map { shownColumn(table.name, $0) } }
    return [
      ("Columns that were not read", unread), ("Indexes whose order quick_check could not look at", indexes),
    ].compactMap { $1.isEmpty ? nil : "\($0), as only the app has what they need: \(list($1))." }
  }

  private func list(_ names: [String]) -> String {
    let most = 10
    return names.prefix(most).joined(separator: ", ")
      + (names.count > most ? " and \(names.count - most) more" : "")
  }

  private mutating func readObjects() -> [DatabaseInspection.SchemaEntry] {
    var entries: [DatabaseInspection.SchemaEntry] = []
    do {
      if try connection.readSchema(limits, into: &entries) {
        problems.append("Only the first \(counted(entries.count, "schema object")) are shown.")
      }
    } catch {
      problems.append("The schema could not be read to its end: \(error.message).")
    }
    return entries
  }
}

// MARK: - One table

extension DatabaseInspector {
  private func inspect(
    _ entry: DatabaseInspection.SchemaEntry, _ declared: DatabaseSchema.Table
  ) -> DatabaseInspection.Table {
    var table = DatabaseInspection.Table(
      name: entry.name, kind: declared.kind, sql: entry.sql, columns: [], rowCount: nil, rows: [],
      problem: nil)
    var problems: [String] = []
    connection.allow(steps: limits.tableSteps)
    do {
      table.rowCount = try number("SELECT count(*) FROM \(SQLText.name(entry.name))")
    } catch {
      problems.append(connection.sentence("The rows could not be counted", error))
    }
    connection.allow(steps: limits.tableSteps)
    do {
      try readRows(of: declared, into: &table)
    } catch {
      problems.append(
        connection.sentence(
          table.rows.isEmpty ? "The rows could not be read" : "More rows could not be read", error))
    }
    table.problem = problems.isEmpty ? nil : problems.joined(separator: " ")
    return table
  }

  private func readRows(
    of declared: DatabaseSchema.Table, into table: inout DatabaseInspection.Table
  ) throws(SQLiteError) {
    // An index that covers all columns would change the order.
    let order = table.kind == .virtual ? "" : " NOT INDEXED"
    let statement = try connection.prepare(
      "SELECT \(declared.selection) FROM \(SQLText.name(table.name))\(order) LIMIT \(limits.rows)")
    let columns = statement.columnNames
    let read = readsRows ? max(limits.columns, InspectionLimits.mostColumns) : limits.columns
    table.columns = Array(columns.prefix(read))
    table.types = declared.columns.prefix(read).map(\.type)
    defer {
      table.keepColumns(atMost: limits.columns)
      table.omittedColumns = columns.count - table.columns.count
    }
    guard readsRows else { return }
    while try statement.step() {
      table.rows.append(
        table.columns.indices.map { column in
          let place = DatabaseInspection.Table.CellIndex(row: table.rows.count, column: column)
          table.undecoded[place] = statement.undecoded(at: Int32(column), limit: limits.cellBytes)
          if room.lists > 0,
            let list = statement.propertyList(
              at: Int32(column), limits, most: only == nil ? 2000 : 10_000, work: &room.work)
          {
            room.lists -= 1
            table.propertyLists[place] = list
          }
          return statement.cell(at: Int32(column), limit: limits.cellBytes, blobLimit: limits.blobBytes)
        })
    }
  }
}

extension SQLiteError {
  fileprivate var isLimit: Bool { code == SQLITE_NOMEM || code == SQLITE_TOOBIG }
}
