/// Operators that add conditions or use other columns.
enum FilterOperators {
  static let all = [
    StatementOperator(
      "condition more", "a condition that another statement of the test asks of the same table",
      likelihood: .usual,
      changes: borrowed),
    StatementOperator(
      "rows apart", "a condition more: a value in which rows differ that one run of a write changed",
      likelihood: .usual, most: 16, changes: apart),
    StatementOperator(
      "other end", "a condition more: the other end of an interval of which one is asked for",
      likelihood: .usual,
      most: 12, changes: ends),
    StatementOperator(
      "column test", "a condition more: a column is NULL or not, 0 or 1", likelihood: .rare, most: 24,
      changes: tests),
    StatementOperator(
      "other column", "another column of the table where one is compared or summed", source: .identifiers,
      likelihood: .rare,
      most: 24,
      changes: columns),
    StatementOperator(
      "one of several", "the largest, the smallest, the first of the values that a subquery finds",
      likelihood: .usual, most: 24,
      changes: subqueries),
  ]

  /// A table of a query that conditions can be asked of.
  private struct QueriedTable {
    var table: TableReference
    var query: Query
    var called: String?
  }

  private static func places(_ statement: ParsedStatement) -> [QueriedTable] {
    statement.queries.flatMap { query -> [QueriedTable] in
      guard [.select, .update, .delete].contains(query.verb), query[.update] == nil || query[.set] != nil
      else { return [] }
      return statement.tables.filter { $0.query == query.number }.map {
        QueriedTable(table: $0, query: query, called: $0.called)
      }
    }
  }

  /// A query with a condition more: in the ON of a LEFT JOIN, else in WHERE.
  private static func edits(_ text: String, _ place: QueriedTable, _ statement: ParsedStatement) -> [Edit] {
    if place.table.isOptional(statement.tokens) {
      return place.query.condition(of: place.table).map { more(text, $0, statement) } ?? []
    }
    if let filter = place.query[.filter] { return more(text, filter, statement) }
    return [statement.condition(text, of: place.query)]
  }

  private static func more(_ text: String, _ clause: Clause, _ statement: ParsedStatement) -> [Edit] {
    guard !clause.body.isEmpty else { return [] }
    if statement.level(clause.body).contains(where: { statement.word($0) == "OR" }) {
      return [Edit(clause.body, "(\(statement.text(clause.body))) AND \(text)")]
    }
    return [.insert(behind: clause.body.upperBound - 1, " AND \(text)")]
  }

  private static func borrowed(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    places(statement).flatMap { place -> [Change] in
      let own = ownConditions(place, statement)
      return (context.facts.conditions[place.table.key] ?? []).filter {
        !own.contains($0.text(nil).uppercased())
      }.map {
        let text = $0.text(place.called)
        return Change(edits(text, place, statement), rank: 1, "With the condition \(code: text) more")
      }
    }
  }

  /// The conditions that a query has already, without tables before columns.
  private static func ownConditions(_ place: QueriedTable, _ statement: ParsedStatement) -> Set<String> {
    let prefix = place.table.bareCalled.uppercased() + "."
    let terms = statement.chains.filter { !$0.isOr && place.query.range.contains($0.range.lowerBound) }
      .flatMap(\.terms)
    return Set(terms.map { statement.text($0).uppercased().replacing(prefix, with: "") })
  }

  private static func apart(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    guard let rows = context.changedRows[statement.sql] else { return [] }
    return places(statement).filter { [.update, .delete].contains($0.query.verb) }.flatMap {
      place -> [Change] in
      let own = ownConditions(place, statement)
      return (rows.conditions[place.table.key] ?? []).filter { condition in
        !own.contains((condition.column + condition.test).uppercased())
      }.map { condition in
        let column = "\(place.table.called).\(SQLWords.name(condition.column))"
        let isKey =
          context.tables[place.table.key]?.contains { $0.name == condition.column && $0.isKey } ?? false
        let words: Words =
          "With the condition \("“\(column)\(condition.test)”", bare: "on “\(column)”") more"
        return Change(edits(column + condition.test, place, statement), rank: isKey ? 3 : 1, words)
      }
    }
  }

  private static func tests(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let places = places(statement)
    return places.flatMap { place -> [Change] in
      let columns = (context.tables[place.table.key] ?? []).filter { !$0.isKey }.prefix(
        max(2, 8 / places.count))
      return columns.flatMap { column -> [Change] in
        let name = "\(place.table.called).\(SQLWords.name(column.name))"
        let tests =
          (column.values.holdsNull ? ["IS NULL", "IS NOT NULL"] : [])
          + (column.isNumeric && column.values.holdsNumbers ? ["= 0", "= 1"] : [])
        return tests.map { test in
          Change(
            edits("\(name) \(test)", place, statement), rank: 3, "With the condition “\(name) \(test)” more")
        }
      }
    }
  }

  // MARK: - Intervals

  private static let pairs = [
    ("from", "to"), ("from", "until"), ("start", "end"), ("starts", "ends"), ("started", "ended"),
    ("begin", "end"),
    ("begins", "ends"), ("since", "until"), ("since", "to"), ("min", "max"), ("first", "last"),
    ("low", "high"),
    ("lower", "upper"), ("opens", "closes"), ("opened", "closed"), ("joined", "left"), ("created", "deleted"),
    ("created", "expires"),
  ]

  private static func ends(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.filter { ["<", "<=", ">", ">="].contains($0.word) }.flatMap {
      comparison -> [Change] in
      [
        (comparison.left, comparison.right, comparison.word),
        (comparison.right, comparison.left, turned[comparison.word] ?? ""),
      ]
      .flatMap { side, other, sign -> [Change] in
        guard let (table, column) = statement.column(side, in: context),
          let partner = partner(
            of: column.name, isStart: sign.hasPrefix("<"), in: context.tables[table.key] ?? []),
          let query = statement.query(at: side.lowerBound),
          !query.range.contains(where: {
            statement.tokens[$0].name.lowercased() == partner.name.lowercased()
          })
        else { return [] }
        let qualifier = side.count > 1 ? "\(statement.text(side.lowerBound..<side.lowerBound + 1))." : ""
        let name = qualifier + SQLWords.name(partner.name)
        let signs = sign.hasPrefix("<") ? [">=", ">"] : ["<=", "<"]
        return signs.map { sign in
          let test = "\(name) \(sign) \(statement.text(other))"
          let text = partner.values.holdsNull ? "(\(name) IS NULL OR \(test))" : test
          return Change(
            .insert(behind: comparison.range.upperBound - 1, " AND \(text)"), rank: 1,
            "With the condition \(code: text) more behind \(comparison.range)")
        }
      }
    }
  }

  private static let turned = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]

  /// The other end of an interval, by its name.
  private static func partner(
    of name: String, isStart: Bool, in columns: [OperatorContext.Column]
  ) -> OperatorContext.Column? {
    let words = name.lowercased().split(separator: "_").map(String.init)
    return pairs.lazy.compactMap { start, end -> OperatorContext.Column? in
      let (own, other) = isStart ? (start, end) : (end, start)
      guard let place = words.firstIndex(of: own) else { return nil }
      var partner = words
      partner[place] = other
      return columns.first { $0.name.lowercased().split(separator: "_").map(String.init) == partner }
    }.first
  }

  // MARK: - Other columns

  private static func columns(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let summed = statement.active {
      SQLWords.aggregates.contains(statement.word($0)) && statement.text($0 + 1) == "("
    }.compactMap { statement.arguments(of: $0)?.inside }
    let compared = statement.comparisons.filter { !statement.isAssignment($0.sign.lowerBound) }.flatMap(
      \.sides)
    return (summed + compared).flatMap { range -> [Change] in
      guard let (table, column) = statement.column(range, in: context) else { return [] }
      let others = (context.tables[table.key] ?? []).filter {
        $0.name != column.name && $0.holdsLike(column) && $0.isKey == column.isKey
      }
      return others.prefix(8).map { other in
        let text = "\(range.count > 1 ? "\(table.called)." : "")\(SQLWords.name(other.name))"
        return Change(
          Edit(range, text), rank: 3, "With \(code: text) for \(range) in \(near: range.lowerBound)")
      }
    }
  }

  // MARK: - Subqueries

  private static func subqueries(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.queries.filter { isScalar($0, statement) }.flatMap { query -> [Change] in
      guard let select = query[.select], let last = query.clauses.last else { return [] }
      let column = select.body
      let ends = ["max", "min"].map { function in
        Change(
          Edit(column, "\(function)(\(statement.text(column)))"), rank: 2,
          "With the \(function == "max" ? "largest" : "smallest") \(column) of the subquery")
      }
      guard query[.order] == nil, let table = statement.tables.first(where: { $0.query == query.number })
      else {
        return ends
      }
      let names = ["rowid"] + (context.tables[table.key] ?? []).prefix(8).map { SQLWords.name($0.name) }
      return ends
        + names.flatMap { name in
          ["", " DESC"].map { direction in
            let text = "ORDER BY \(table.called).\(name)\(direction)"
            return Change(
              .insert(behind: last.range.upperBound - 1, " \(text) LIMIT 1"), rank: 2,
              "With \(code: text) and LIMIT 1 in the subquery")
          }
        }
    }
  }

  /// True for a single-column subquery whose first row counts.
  private static func isScalar(_ query: Query, _ statement: ParsedStatement) -> Bool {
    guard query.verb == .select, query.group > 0, query[.limit] == nil, query[.group] == nil,
      query[.from] != nil,
      let select = query[.select], statement.list(select.body).count == 1,
      !["EXISTS", "IN", "FROM", "JOIN", "AS", "ALL", "UNION", "MATERIALIZED", "BEGIN"].contains(
        statement.word(query.group - 1)),
      !["DISTINCT", "MIN", "MAX", "SUM", "COUNT", "TOTAL", "AVG", "GROUP_CONCAT"].contains(
        statement.word(select.body.lowerBound)),
      let clause = statement.clause(at: query.group), clause.kind != .from, clause.kind != .join,
      query.range.lowerBound == query.group + 1, let close = statement.partner(query.group)
    else { return false }
    return query.range.upperBound == close && statement.text(select.body.lowerBound) != "*"
  }
}
