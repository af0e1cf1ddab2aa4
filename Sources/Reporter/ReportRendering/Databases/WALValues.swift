import Collector
import ExhibitSQLite
import ReportInspection

/// The transactions of a WAL in the JSON of `reporter inspect`; docs/database-json.md describes it.
extension JSONText {
  /// - Parameter most: Transactions that are written, the last ones.
  mutating func write(_ name: StaticString, _ history: WALHistory?, transactions most: Int) {
    object(name, of: history) { json, history in
      json.member("checkpointed", history.checkpointed)
      json.member("contradiction", history.contradiction)
      json.member("count", history.count)
      json.array("problems", history.problems) { $0.element($1) }
      json.objects("transactions", Array(history.transactions.suffix(most))) { $0.write($1) }
      json.member("uncommittedPages", history.uncommittedFrames)
    }
  }

  private mutating func write(_ transaction: WALHistory.Transaction) {
    objects("declarations", transaction.declarations) { json, declaration in
      json.member("after", declaration.after)
      json.member("before", declaration.before)
      json.member("name", declaration.name)
      json.member("type", declaration.type)
    }
    member("number", transaction.number)
    member("pages", transaction.pages)
    objects("tables", transaction.tables) { $0.write($1) }
  }

  private mutating func write(_ table: WALHistory.Table) {
    member("added", table.count(.insert))
    member("changed", table.count(.update))
    array("columns", table.columns) { $0.element($1) }
    member("fate", table.fate.rawValue)
    member("formerName", table.formerName)
    member("name", table.name)
    member("problem", table.problem)
    member("removed", table.count(.delete))
    objects("rows", table.groups.flatMap(\.rows)) { json, row in
      json.write("after", cells: row.new)
      json.write("before", cells: row.old)
      json.member("rowid", row.key.map(Int.init))
    }
  }

  private mutating func write(_ name: StaticString, cells: [DatabaseValue?]?) {
    guard let cells else { return member(name, nil as String?) }
    array(name, cells) { $0.write(nil, $1) }
  }
}
