/// Operators on duplicate rows.
enum SetOperators {
  static let all = [
    StatementOperator(
      "distinct", "DISTINCT more and less", source: .clauses, likelihood: .usual, changes: distinct),
    StatementOperator(
      "union", "UNION ALL for UNION, UNION for EXCEPT and INTERSECT, and the reverse", source: .clauses,
      likelihood: .usual,
      changes: unions),
  ]

  private static func distinct(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let less = statement.active {
      statement.word($0) == "DISTINCT" && !["IS", "NOT"].contains(statement.word($0 - 1))
    }.map { Change(Edit($0, ""), rank: 0, "Without DISTINCT in \(near: $0)") }
    let more = statement.queries.filter { isDivisible($0, statement) }.map { query in
      let select = query.clauses[0].keyword.lowerBound
      let words: Words =
        select == 0 ? "With SELECT DISTINCT" : "With SELECT DISTINCT in \(query.clauses[0].range)"
      return Change(.insert(behind: select, " DISTINCT"), rank: 0, words)
    }
    return less + more
  }

  /// True when duplicates are possible.
  private static func isDivisible(_ query: Query, _ statement: ParsedStatement) -> Bool {
    guard query.verb == .select, query[.from] != nil else { return false }
    let body = query.clauses[0].body
    let isTest = query.group > 0 && ["EXISTS", "IN"].contains(statement.word(query.group - 1))
    let isOne =
      query[.group] == nil && SQLWords.aggregates.contains(statement.word(body.lowerBound))
      && statement.text(body.lowerBound + 1) == "("
    return !isTest && !isOne && !["DISTINCT", "ALL"].contains(statement.word(body.lowerBound))
  }

  private static func unions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let compounds = statement.clauses.filter { $0.kind == .compound }
    let each = compounds.flatMap { clause -> [Change] in
      let old = clause.keyword.map(statement.word).joined(separator: " ")
      let others =
        switch old {
        case "UNION": ["UNION ALL"]
        case "UNION ALL": ["UNION"]
        case "EXCEPT": ["UNION", "INTERSECT"]
        default: ["UNION", "EXCEPT"]
        }
      return others.map { Change(Edit(clause.keyword, $0), rank: 0, "With \($0) for \(old)") }
    }
    let unions = compounds.filter {
      $0.keyword.count == 1 && statement.word($0.keyword.lowerBound) == "UNION"
    }
    guard unions.count > 1 else { return each }
    let all = Change(unions.map { Edit($0.keyword, "UNION ALL") }, rank: 0, "With UNION ALL for each UNION")
    return each + [all]
  }
}
