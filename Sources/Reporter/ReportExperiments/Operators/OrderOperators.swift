/// Operators on ORDER BY.
enum OrderOperators {
  static let all = [
    StatementOperator(
      "direction", "DESC for ASC and the reverse, NULL at the other end", source: .clauses,
      changes: directions),
    StatementOperator(
      "order as", "an order by the number in a text, or without regard to capitals", likelihood: .usual,
      changes: kinds),
    StatementOperator(
      "tie-breaker", "a key or the rowid behind the terms of an order, upwards and downwards",
      likelihood: .usual, changes: ties),
    StatementOperator(
      "order by", "another column first in an order", source: .clauses, likelihood: .usual, most: 40,
      changes: columns),
    StatementOperator("order less", "no order, or a term less", source: .clauses, changes: less),
    StatementOperator("order more", "an order where there is none", source: .clauses, changes: more),
  ]

  private struct Term {
    var range: Range<Int>
    var value: Range<Int>
    var isDescending: Bool
    var clause: Clause
  }

  private static let ends: Set = ["ASC", "DESC", "NULLS", "FIRST", "LAST"]

  private static func terms(_ statement: ParsedStatement) -> [Term] {
    orders(statement).flatMap { clause in
      statement.list(clause.body).compactMap { range in
        var end = range.upperBound
        while end > range.lowerBound + 1, ends.contains(statement.word(end - 1)) { end -= 1 }
        return Term(
          range: range, value: range.lowerBound..<end,
          isDescending: statement.word(end) == "DESC" && end < range.upperBound,
          clause: clause)
      }
    }
  }

  private static func orders(_ statement: ParsedStatement) -> [Clause] {
    statement.clauses.filter { $0.kind == .order && !$0.body.isEmpty }
  }

  private static func directions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    terms(statement).flatMap { term -> [Change] in
      let text = statement.text(term.value)
      let other = term.isDescending ? text : "\(text) DESC"
      let nulls = term.isDescending ? "\(text) DESC NULLS FIRST" : "\(text) NULLS LAST"
      let words: Words =
        term.isDescending
        ? "With ASC for DESC in its order by \(term.value)" : "With DESC in its order by \(term.value)"
      let end: Words =
        term.isDescending
        ? "With NULL first in its order by \(term.value)" : "With NULL last in its order by \(term.value)"
      return [Change(Edit(term.range, other), rank: 0, words), Change(Edit(term.range, nulls), rank: 0, end)]
    }
  }

  private static func kinds(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    terms(statement).flatMap { term -> [Change] in
      let (text, rest) = (
        statement.text(term.value), statement.text(term.value.upperBound..<term.range.upperBound)
      )
      guard !statement.isNumber(term.value) else { return [] }
      let number = Change(
        Edit(term.range, "CAST(\(text) AS REAL) \(rest)".trimmedEnd), rank: 2,
        "With \(term.value) as a number in its order")
      guard statement.column(term.value, in: context)?.column.isNumeric != true,
        !term.value.contains(where: { statement.word($0) == "COLLATE" })
      else { return [number] }
      let letters = Change(
        Edit(term.range, "\(text) COLLATE NOCASE \(rest)".trimmedEnd), rank: 2,
        "Without regard to the case of letters in its order by \(term.value)")
      return [number, letters]
    }
  }

  // MARK: - Other columns

  private static func ties(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    orders(statement).filter { !isOfCompound($0, statement) }.flatMap { clause -> [Change] in
      let used = Set(clause.body.map { statement.tokens[$0].name.lowercased() })
      return statement.tables(at: clause.keyword.lowerBound).prefix(3).flatMap { table in
        keys(table, context).filter { !used.contains($0.lowercased()) }.flatMap { key in
          ["\(table.called).\(key)", "\(table.called).\(key) DESC"].map { text in
            Change(
              .insert(behind: clause.body.upperBound - 1, ", \(text)"), rank: 2,
              "With \(code: text) last in \(clause.range)")
          }
        }
      }
    }
  }

  /// The key's columns, and the rowid if another.
  private static func keys(_ table: TableReference, _ context: OperatorContext) -> [String] {
    guard let columns = context.tables[table.key] else { return [] }
    let keys = columns.filter(\.isKey)
    let isRow = keys.count == 1 && keys[0].isNumeric
    return keys.prefix(2).map { SQLWords.name($0.name) } + (isRow ? [] : ["rowid"])
  }

  /// True after UNION and the like, where only result columns can be named.
  private static func isOfCompound(_ clause: Clause, _ statement: ParsedStatement) -> Bool {
    statement.clauses.contains {
      $0.kind == .compound && $0.group == clause.group && $0.query == clause.query - 1
    }
  }

  private static func columns(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    orders(statement).filter { !isOfCompound($0, statement) }.flatMap { clause -> [Change] in
      let first = statement.list(clause.body).first.map { statement.text($0).uppercased() } ?? ""
      let columns = statement.tables(at: clause.keyword.lowerBound).flatMap { table in
        ordered(context.tables[table.key] ?? []).prefix(25).map { (table, $0) }
      }
      // The column is wrong more often than the direction.
      let directions = first.hasSuffix(" DESC") ? [" DESC", ""] : ["", " DESC"]
      return directions.flatMap { direction in
        columns.compactMap { table, column in
          let name = SQLWords.name(column.name)
          let text = "\(table.called).\(name)\(direction)"
          if first == text.uppercased() || first == "\(name)\(direction)".uppercased() { return nil }
          return Change(
            .insert(behind: clause.keyword.upperBound - 1, " \(text),"), rank: 2,
            "With \(code: text) first in \(clause.range)")
        }
      }
    }
  }

  /// Moments, then numbers, then texts.
  private static func ordered(_ columns: [OperatorContext.Column]) -> [OperatorContext.Column] {
    func rank(_ column: OperatorContext.Column) -> Int {
      if !column.isNumeric, column.values.holdsMoments { return column.isKey ? 1 : 0 }
      return column.isNumeric ? 1 : 2
    }
    return columns.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
      .map(\.element)
  }

  private static func less(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    orders(statement).flatMap { clause -> [Change] in
      let terms = statement.list(clause.body)
      let hasParameters = !statement.kept(clause.body).isEmpty
      let none = Change(
        hasParameters ? Edit(clause.body, statement.truth(clause.body)) : Edit(clause.range, ""), rank: 2,
        "Without \(clause.range)")
      guard terms.count > 1 else { return [none] }
      return [none]
        + terms.map { term in
          let isLast = term.upperBound == clause.body.upperBound
          let place = isLast ? term.lowerBound - 1..<term.upperBound : term.lowerBound..<term.upperBound + 1
          return Change(Edit(place, ""), rank: 2, "Without \(term) in its order")
        }
    }
  }

  /// For results that the app reads or LIMIT truncates.
  private static func more(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.queries.filter { $0.verb == .select && $0[.order] == nil && $0[.from] != nil }.flatMap {
      query -> [Change] in
      let limit = query[.limit]
      guard limit != nil || query.group < 0,
        let table = statement.tables.first(where: { $0.query == query.number }),
        let last = query.clauses.last(where: { ![.limit, .offset].contains($0.kind) }),
        last.kind != .compound, !isOfCompound(last, statement)
      else { return [] }
      let columns =
        limit == nil ? [] : (context.tables[table.key] ?? []).prefix(12).map { SQLWords.name($0.name) }
      let names = keys(table, context) + columns
      return names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.flatMap { _, name in
        ["\(table.called).\(name)", "\(table.called).\(name) DESC"].map { text in
          Change(
            .insert(behind: last.range.upperBound - 1, " ORDER BY \(text)"), rank: 2,
            "With \(code: "ORDER BY \(text)")")
        }
      }
    }
  }
}

extension String {
  var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
