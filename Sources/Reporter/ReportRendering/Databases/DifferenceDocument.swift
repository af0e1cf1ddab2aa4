import Collector
import ExhibitSQLite
import ReportInspection

/// What `reporter diff --json` prints; docs/database-json.md describes it.
extension PrintedDatabasePair {
  /// One line.
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
  /// The first of its rows: changed, added, removed ones, of each kind its share.
  func rowsByKind(atMost most: Int) -> [DatabaseChanges.Row] {
    let operations: [RowOperation] = [.update, .insert, .delete]
    let byKind = operations.map { operation in rows.filter { $0.operation == operation } }
    let taken = shared(most, byKind.map { _ in 0 }, upTo: byKind.map(\.count))
    return zip(byKind, taken).flatMap { $0.prefix($1) }
  }
}
