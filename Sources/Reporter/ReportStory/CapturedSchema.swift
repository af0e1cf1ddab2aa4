import ExhibitSQLite
package import ReportInspection

/// What the schema of a captured database says that a story needs: the names that SQLite does not tell with a change.
package struct CapturedSchema: Sendable, Equatable {
  package struct Table: Sendable, Equatable {
    /// Those that hold values: all but hidden and generated ones that are not stored.
    package var columns: [String] = []
    /// With generated columns that are not stored.
    package var all: [String] = []
    /// Which of `columns` make the primary key, in its order.
    package var key: [Int] = []
    var isVirtual = false
    package var hasRowid = true
    /// Whether its key is the rowid, which nothing but a statement changes then.
    var isKeyRowid = false

    /// The names for rows of so many values; `nil` where they are of another schema.
    func columns(count: Int) -> [String]? {
      columns.count == count ? columns : all.count == count ? all : nil
    }

    /// A name of the rowid that no declared column hides.
    var rowid: String? {
      guard hasRowid else { return nil }
      return ["rowid", "_rowid_", "oid"].first { alias in !all.contains { $0.lowercased() == alias } }
    }
  }

  package struct Trigger: Sendable, Equatable {
    package var name: String
    /// The tables that its program writes.
    var written: [String]
  }

  /// The captured file, by its path in the report's folder.
  package var evidence: String
  /// The original's path as the report names it; `nil` for what was no file.
  var source: String?
  /// Whether the rows of a transaction that was still open are in it.
  package var isUncommitted = false
  package var tables: [String: Table] = [:]
  package var triggers: [Trigger] = []

  /// Reads it from a file that may be anybody's; what cannot be read is not in it.
  package init(
    of file: String, evidence: String, source: String?, isUncommitted: Bool,
    limits: InspectionLimits = InspectionLimits()
  ) {
    self.evidence = evidence
    self.source = source
    self.isUncommitted = isUncommitted
    do {
      let connection = try InspectionConnection(path: file, limits: limits)
      connection.allow(steps: limits.tableSteps)
      try readTables(connection, limits)
      try readTriggers(connection, limits)
    } catch {
      // The inspection of the same file has told why; columns without names have numbers.
    }
  }

  init(evidence: String = "", source: String? = nil, tables: [String: Table] = [:], triggers: [Trigger] = [])
  {
    (self.evidence, self.source, self.tables, self.triggers) = (evidence, source, tables, triggers)
  }

  private mutating func readTables(
    _ connection: InspectionConnection, _ limits: InspectionLimits
  ) throws(SQLiteError) {
    let list = try connection.prepare(
      "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'")
    while try list.step(), tables.count < limits.schemaObjects {
      // Whole: they are looked up by it.
      guard let name = list.text(at: 0) else { continue }
      tables[name] = Table(isVirtual: list.text(at: 1) == "virtual", hasRowid: list.integer(at: 2) == 0)
    }
    for name in tables.keys {
      // Of a virtual table without its module nothing can be read, and nothing is needed.
      guard
        let columns = try? connection.prepare(
          "SELECT name, pk, hidden, type FROM pragma_table_xinfo(\(SQLText.text(name)))")
      else { continue }
      var table = tables[name] ?? Table()
      var key: [(position: Int, column: Int)] = []
      while try columns.step() {
        let hidden = columns.integer(at: 2)
        guard hidden != 1 else { continue }
        let column = columns.text(at: 0) ?? ""
        table.all.append(column)
        if hidden == 2 { continue }
        if columns.integer(at: 1) > 0 {
          key.append((columns.integer(at: 1), table.columns.count))
          table.isKeyRowid =
            key.count == 1 && table.hasRowid && columns.text(at: 3, limit: 10)?.uppercased() == "INTEGER"
        }
        table.columns.append(column)
      }
      table.key = key.sorted { $0.position < $1.position }.map(\.column)
      tables[name] = table
    }
  }

  private mutating func readTriggers(
    _ connection: InspectionConnection, _ limits: InspectionLimits
  ) throws(SQLiteError) {
    let list = try connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    while try list.step(), triggers.count < limits.schemaObjects {
      let text = StatementText(list.text(at: 1, limit: limits.statementBytes) ?? "")
      triggers.append(Trigger(name: list.text(at: 0, limit: 1000) ?? "", written: text.written))
    }
  }
}

extension CapturedSchema {
  /// The part of a table's name that may be a virtual table's.
  static func shadowOwner(of table: String) -> String? {
    VirtualTables.shadowEndings.first { table.hasSuffix($0) && table.utf8.count > $0.utf8.count }.map {
      String(table.dropLast($0.count))
    }
  }
}
