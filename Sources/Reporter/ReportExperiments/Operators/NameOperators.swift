import ReportModel

/// Operators on misresolved names.
enum NameOperators {
  static let all = [
    StatementOperator(
      "outer name", "a column of a subquery that none of its tables has, so that it is the outer row's",
      source: .identifiers, likelihood: .usual, most: 12, changes: outerNames),
    StatementOperator(
      "other table", "the column of the same name of another joined table", source: .identifiers, most: 12,
      changes: otherTables),
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

  /// A column that a query names outside of its joins' conditions.
  private struct NamedColumn: Hashable {
    var query: Int
    var table: String
    var column: String
  }

  private static func otherTables(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let names = statement.active {
      statement.text($0 + 1) == "." && statement.clause(at: $0)?.kind != .on
    }.compactMap { index -> (index: Int, column: NamedColumn)? in
      let found = statement.column(index..<index + 3, in: context)
      return found.map { table, column in
        (index, NamedColumn(query: table.query, table: table.bareCalled, column: column.name))
      }
    }
    return names.groups(\.column).flatMap { group -> [Change] in
      let (own, places) = (group[0].column, group.map(\.index))
      let others = statement.tables.filter { table in
        table.query == own.query && table.bareCalled != own.table
          && context.column(own.column, of: table.key) != nil
      }
      return others.map { table in
        let text = "\(table.called).\(SQLWords.name(own.column))"
        return Change(
          places.map { Edit($0, table.called) }, rank: 1,
          "With \(code: text) for \(places[0]..<places[0] + 3)")
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
