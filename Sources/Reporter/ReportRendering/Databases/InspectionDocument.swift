import Collector
import ReportInspection

/// What `reporter inspect --json` prints; docs/database-json.md describes it.
extension PrintedInspection {
  /// One line.
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
