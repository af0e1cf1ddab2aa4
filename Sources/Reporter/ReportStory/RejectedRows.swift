import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Why an INSERT … SELECT, UPDATE or DELETE changed no row: the row that one of its conditions rejects.
extension RowsBehindRead {
  private static let (mostRejected, mostValues) = (3, 3)

  /// `book 7 has stock 1, “stock > 1” rejects it`.
  ///
  /// - Returns: `nil` where the captured rows may be others than it saw, and where no single condition explains it.
  func rejection(of step: StoryStep) -> String? {
    guard let builder, step.database == database, !step.isWithheld,
      let query = ReadQuery(insertedBy: step.statement) ?? ReadQuery(changedBy: step.statement),
      isSame(query, step.number - 1, step.number, builder), !builder.makesRows(of: query.table),
      reads.count(query.source) == 0
    else { return nil }
    let rejecting = query.conditions.indices.compactMap { rejection(by: $0, of: query) }
    // Of several, each would have to change.
    return rejecting.count == 1 ? rejecting[0] : nil
  }

  /// The rows of the first table for which all other conditions hold.
  private func rejection(by index: Int, of query: ReadQuery) -> String? {
    let condition = query.conditions[index]
    guard condition.isOfFirstTable, !picksKey(condition, of: query) else { return nil }
    var others = query.conditions.map(\.text)
    others[index] = "(\(condition.text)) IS NOT TRUE"
    let rows = "SELECT DISTINCT \(SQLText.name(query.alias)).* \(query.source(of: others))"
    guard let found = reads.rows("\(rows) LIMIT \(Self.mostRejected + 1)"), let row = found.rows.first,
      found.rows.count <= Self.mostRejected
    else { return nil }
    let told = text(of: row, found.columns, in: query, condition)
    let text = "“\(shortened(condition.text, to: 80))”"
    return found.rows.count == 1
      ? "\(told), \(text) rejects it"
      : "\(told), \(text) rejects it and \(counted(found.rows.count - 1, "other row"))"
  }

  /// `book 7 has stock 1`: the row's key, and what the condition is about.
  private func text(
    of row: [DatabaseValue], _ columns: [String], in query: ReadQuery, _ condition: ReadQuery.Condition
  ) -> String {
    let keys = Set(table(of: query)?.table.keyNames.map { $0.lowercased() } ?? [])
    let named = Set(SQLToken.all(in: condition.text).compactMap { $0.isName ? $0.name?.lowercased() : nil })
    func values(_ isMeant: (String) -> Bool) -> [(column: String, value: String)] {
      zip(columns, row).filter { isMeant($0.0.lowercased()) }.map { ($0, $1.shortText) }
    }
    let key = values(keys.contains).map(\.value).joined(separator: ", ")
    let about = values { named.contains($0) && !keys.contains($0) }.prefix(Self.mostValues)
    let name = key.isEmpty ? "a row of \(query.table)" : "\(query.table) \(key)"
    return about.isEmpty
      ? "there is \(name)" : "\(name) has \(about.map { "\($0.column) \($0.value)" }.joined(separator: ", "))"
  }
}

extension ReadQuery {
  /// The query for the rows that an UPDATE or a DELETE is about.
  init?(changedBy statement: String) {
    let sql = StatementText.withoutComments(statement)
    let tokens = SQLToken.all(in: sql)
    let outer = Self.outer(tokens)
    guard let table = Self.table(changedBy: tokens),
      let filter = outer.first(where: { tokens[$0].folded == "WHERE" }),
      !outer.dropFirst(2).contains(where: { ["FROM", "ORDER", "LIMIT"].contains(tokens[$0].folded) })
    else { return nil }
    let isUpdate = tokens[0].folded == "UPDATE"
    guard let behind = isUpdate ? outer.first(where: { tokens[$0].folded == "SET" }) : filter, table < behind
    else { return nil }
    let end = outer.first { tokens[$0].folded == "RETURNING" || tokens[$0].text == ";" }
    let stop = end.map { tokens[$0].text.startIndex } ?? sql.endIndex
    let name = sql[tokens[table].text.startIndex..<tokens[behind].text.startIndex]
    self.init("SELECT * FROM \(name) \(sql[tokens[filter].text.startIndex..<stop])")
  }

  /// Where the changed table is named.
  private static func table(changedBy tokens: [SQLToken]) -> Int? {
    switch tokens.first?.folded {
    case "UPDATE": tokens[safe: 1]?.folded == "OR" ? 3 : 1
    case "DELETE": tokens[safe: 1]?.folded == "FROM" ? 2 : nil
    default: nil
    }
  }

  /// The tokens outside of parentheses.
  private static func outer(_ tokens: [SQLToken]) -> [Int] {
    var depth = 0
    return tokens.indices.filter { index in
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" { depth -= 1 }
      return depth == 0
    }
  }
}
