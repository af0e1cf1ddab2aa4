/// Operators on misresolved names.
enum NameOperators {
  static let all = [
    StatementOperator(
      "outer name", "a column of a subquery that none of its tables has, so that it is the outer row's",
      source: .identifiers, likelihood: .usual, most: 12, changes: outerNames)
  ]

  private static let mostColumns = 6

  private static func outerNames(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.queries.filter { $0.verb == .select && $0.group >= 0 }.flatMap { query -> [Change] in
      let own = statement.tables.filter { $0.query == query.number }
      guard let select = query[.select], !own.isEmpty, !asksQueries(query, statement) else { return [] }
      let columns = own.compactMap { context.tables[$0.key] }
      // An unknown table may have the column.
      guard columns.count == own.count else { return [] }
      return statement.columns(of: select).flatMap { name -> [Change] in
        guard name.count == 1, let found = statement.column(name, in: context),
          found.table.query != query.number
        else { return [] }
        return zip(own, columns).flatMap { table, columns in
          let keysFirst = columns.filter(\.isKey) + columns.filter { !$0.isKey }
          return keysFirst.prefix(mostColumns).map { column in
            let other = "\(table.called).\(SQLWords.name(column.name))"
            return Change(
              Edit(name, other), rank: 0,
              "With \(code: other) for \(name), which “\(table.bareName)” does not have, in \(near: select.keyword.lowerBound)"
            )
          }
        }
      }
    }
  }

  /// True when it selects from subqueries with unknown columns.
  private static func asksQueries(_ query: Query, _ statement: ParsedStatement) -> Bool {
    query.clauses.filter { $0.kind == .from || $0.kind == .join }.contains { clause in
      clause.body.contains { statement.text($0) == "(" }
    }
  }
}
