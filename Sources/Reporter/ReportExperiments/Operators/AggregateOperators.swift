/// Operators on aggregate functions and their rows.
enum AggregateOperators {
  static let all = [
    StatementOperator(
      "aggregate", "max for min, sum for count, total and avg, and the like", source: .clauses,
      changes: functions),
    StatementOperator(
      "distinct values", "count, sum and the like of distinct values", source: .clauses, likelihood: .usual,
      changes: distinct),
    StatementOperator(
      "counted column", "count of a column for count(*) and the reverse", source: .null, likelihood: .usual,
      most: 16,
      changes: counts),
    StatementOperator(
      "factor", "a factor more or less in a sum", likelihood: .rare, most: 16, changes: factors),
    StatementOperator(
      "sums before joins", "joined rows summed before they are joined with others",
      likelihood: .usual, most: 16,
      changes: beforeJoins),
    StatementOperator(
      "one row a key", "a joined table with one row for each value of the column that joins it",
      likelihood: .usual, most: 12,
      changes: single),
  ]

  private static let others: [String: [String]] = [
    "MAX": ["min"], "MIN": ["max"], "SUM": ["count", "total", "avg"], "COUNT": ["sum"],
    "AVG": ["sum", "max"],
    "TOTAL": ["sum", "count"],
  ]

  private static func functions(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    calls(statement).flatMap { index -> [Change] in
      if statement.text(index + 2) == "*" { return [] }
      return numbers(index, statement, context)
        + (others[statement.word(index)] ?? []).map { new in
          Change(
            Edit(index, new), rank: 2,
            "With \(new)() for \(statement.word(index).lowercased())() in \(call(index, statement))")
        }
    }
  }

  /// Numeric texts sort differently.
  private static func numbers(
    _ index: Int, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [Change] {
    guard ["MIN", "MAX"].contains(statement.word(index)), let argument = argument(index, statement),
      statement.column(argument, in: context)?.column.isNumeric != true
    else { return [] }
    return [
      Change(
        Edit(argument, "CAST(\(statement.text(argument)) AS REAL)"), rank: 2,
        "With \(argument) as a number in \(call(index, statement))")
    ]
  }

  private static func calls(_ statement: ParsedStatement) -> [Int] {
    statement.active {
      SQLWords.aggregates.contains(statement.word($0)) && statement.text($0 + 1) == "("
        && statement.text($0 - 1) != "."
    }
  }

  private static func call(_ index: Int, _ statement: ParsedStatement) -> Range<Int> {
    index..<(statement.partner(index + 1) ?? index) + 1
  }

  /// The argument without DISTINCT; `nil` for `*` and several.
  private static func argument(_ index: Int, _ statement: ParsedStatement) -> Range<Int>? {
    guard let (inside, _) = statement.arguments(of: index), !inside.isEmpty, statement.text(index + 2) != "*",
      statement.list(inside).count == 1
    else { return nil }
    return statement.word(index + 2) == "DISTINCT" ? inside.lowerBound + 1..<inside.upperBound : inside
  }

  private static func distinct(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    calls(statement).compactMap { index in
      guard !["MIN", "MAX"].contains(statement.word(index)), let argument = argument(index, statement),
        statement.word(index + 2) != "DISTINCT", statement.word(call(index, statement).upperBound) != "OVER"
      else { return nil }
      return Change(
        .insert(behind: index + 1, "DISTINCT "), rank: 2,
        "With \(statement.word(index).lowercased()) of distinct \(argument)")
    }
  }

  private static func counts(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    calls(statement).filter { statement.word($0) == "COUNT" }.flatMap { index -> [Change] in
      let place = call(index, statement)
      guard statement.text(index + 2) == "*" else {
        return [Change(Edit(index + 2..<place.upperBound - 1, "*"), rank: 2, "With count(*) for \(place)")]
      }
      let tables = statement.query(at: index).map { query in
        statement.tables.filter { $0.query == query.number }
      }
      return (tables ?? []).flatMap { table -> [Change] in
        let key = context.tables[table.key]?.first(where: \.isKey).map { SQLWords.name($0.name) } ?? "rowid"
        return ["\(table.called).\(key)", "DISTINCT \(table.called).\(key)"].map { text in
          Change(Edit(index + 2, text), rank: 2, "With \(code: "count(\(text))") for \(place)")
        }
      }
    }
  }

  // MARK: - Factors

  private static func factors(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    calls(statement).filter { ["SUM", "TOTAL", "AVG"].contains(statement.word($0)) }.flatMap {
      index -> [Change] in
      guard let argument = argument(index, statement) else { return [] }
      return less(argument, index, statement) + more(argument, index, statement, context)
    }
  }

  private static func less(_ argument: Range<Int>, _ index: Int, _ statement: ParsedStatement) -> [Change] {
    let level = statement.level(argument)
    guard let sign = level.first(where: { statement.text($0) == "*" }), sign > argument.lowerBound,
      !level.contains(where: { ["+", "-", "/"].contains(statement.text($0)) })
    else { return [] }
    return [argument.lowerBound..<sign, sign + 1..<argument.upperBound].map { part in
      Change(
        Edit(argument, statement.value(statement.text(part), keeping: argument)), rank: 2,
        "With the sum of \(part) for \(argument)")
    }
  }

  private static func more(
    _ argument: Range<Int>, _ index: Int, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [Change] {
    let used = Set(argument.map { statement.tokens[$0].name.lowercased() })
    let isOne = statement.isColumn(argument)
    return statement.tables(at: index).flatMap { table -> [Change] in
      let columns = (context.tables[table.key] ?? []).filter { $0.isNumeric && !$0.isKey }.prefix(12)
      return columns.filter { !used.contains($0.name.lowercased()) }.map { column in
        let text = statement.text(argument)
        return Change(
          Edit(argument, "\(table.called).\(SQLWords.name(column.name)) * \(isOne ? text : "(\(text))")"),
          rank: 2,
          "With \(table.bareName).\(column.name) as a factor of \(argument)")
      }
    }
  }

  // MARK: - Joins that repeat rows

  /// Replaces `sum(part.x)` by a subquery with the join's condition.
  private static func beforeJoins(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let found = calls(statement).compactMap { index -> (Range<Int>, Edit)? in
      guard let query = statement.query(at: index), query[.group] != nil, query.verb == .select,
        let join = join(of: call(index, statement), query, statement)
      else { return nil }
      let place = call(index, statement)
      let table = statement.text(join.clause.body.lowerBound..<join.table.end)
      let filters = (statement.chains.first { $0.range == query[.filter]?.body && !$0.isOr }?.terms ?? [])
        .filter {
          qualifiers(of: $0, statement) == [join.table.bareCalled.lowercased()]
        }
      let conditions = [statement.grouped(join.on.body)] + filters.map { statement.text($0) }
      let text =
        "(SELECT \(statement.text(place)) FROM \(table) WHERE \(conditions.joined(separator: " AND ")))"
      return (place, Edit(place, text))
    }
    let each = found.map { Change($0.1, rank: 3, "With \($0.0) made before the joins") }
    let all = Change(found.map(\.1), rank: 3, "With all sums made before the joins")
    return summed(statement, context) + (found.count > 1 ? [all] : []) + each
  }

  /// Replaces joined tables by one row per key with summed numbers.
  private static func summed(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.queries.flatMap { query -> [Change] in
      guard query.verb == .select, let select = query[.select],
        select.body.contains(where: { ["SUM", "TOTAL", "COUNT"].contains(statement.word($0)) })
      else { return [] }
      let found = statement.tables.filter { $0.query == query.number && $0.clause.kind == .join }.compactMap {
        table in edit(summing: table, in: query, statement, context).map { (table, $0) }
      }
      let each = found.map { table, edit in
        Change(
          edit, rank: 3, "With the rows of \(table.index..<table.index + 1) summed before they are joined")
      }
      guard found.count > 1 else { return each }
      let names = found.map(\.0.bareName).joined(separator: " and ")
      return [
        Change(found.map(\.1), rank: 3, "With the rows of \(code: names) summed before they are joined")
      ] + each
    }
  }

  private static func edit(
    summing table: TableReference, in query: Query, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> Edit? {
    guard let on = query.condition(of: table), let columns = context.tables[table.key] else { return nil }
    let keys = Set(
      on.body.filter {
        statement.text($0 - 1) == "."
          && statement.tokens[$0 - 2].name.lowercased() == table.bareCalled.lowercased()
      }.map { statement.tokens[$0].name.lowercased() })
    // A key already gives single rows.
    guard keys.count == 1, !columns.contains(where: { $0.isKey && keys.contains($0.name.lowercased()) })
    else {
      return nil
    }
    let values = columns.map { column -> String in
      let name = SQLWords.name(column.name)
      if keys.contains(column.name.lowercased()) { return name }
      return "\(column.isNumeric && !column.isKey ? "sum" : "max")(\(name)) AS \(name)"
    }.joined(separator: ", ")
    let key = keys.first.map { SQLWords.name($0) } ?? ""
    let start = table.clause.body.lowerBound
    let name = statement.text(start..<table.index + 1)
    return Edit(
      start..<table.end, "(SELECT \(values) FROM \(name) GROUP BY \(key)) AS \(table.called)")
  }

  /// The only join whose table a call uses.
  private static func join(
    of call: Range<Int>, _ query: Query, _ statement: ParsedStatement
  ) -> (table: TableReference, clause: Clause, on: Clause)? {
    guard let name = qualifiers(of: call, statement).first, qualifiers(of: call, statement).count == 1,
      let table = statement.tables.first(where: {
        $0.query == query.number && $0.clause.kind == .join && $0.bareCalled.lowercased() == name
      }),
      let on = query.condition(of: table)
    else { return nil }
    return (table, table.clause, on)
  }

  private static func qualifiers(of range: Range<Int>, _ statement: ParsedStatement) -> Set<String> {
    Set(
      range.filter { statement.text($0 + 1) == "." && statement.tokens[$0].isName }
        .map { statement.tokens[$0].name.lowercased() })
  }

  /// Replaces a join by a subquery grouped by its column.
  private static func single(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.tables.filter {
      ($0.clause.kind == .join || $0.clause.kind == .from) && context.tables[$0.key] != nil
    }.flatMap { table -> [Change] in
      let columns = statement.comparisons.filter { ["=", "==", "IS"].contains($0.word) }.flatMap {
        comparison in
        comparison.sides.filter { side in
          let other = comparison.left == side ? comparison.right : comparison.left
          return side.count == 3 && statement.isColumn(side) && statement.isColumn(other)
            && statement.query(at: side.lowerBound)?.number == table.query
            && statement.tokens[side.lowerBound].name.lowercased() == table.bareCalled.lowercased()
        }
      }
      let start = table.clause.kind == .from ? table.index : table.clause.body.lowerBound
      return columns.prefix(2).map { side in
        let column = statement.text(side.upperBound - 1..<side.upperBound)
        let name = statement.text(start..<table.index + 1)
        return Change(
          Edit(start..<table.end, "(SELECT * FROM \(name) GROUP BY \(column)) AS \(table.called)"), rank: 3,
          "With one row of \(table.index..<table.index + 1) for each value of \(side)")
      }
    }
  }
}
