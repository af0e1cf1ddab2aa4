/// Operators on windows and groups.
enum WindowOperators {
  static let all = [
    StatementOperator(
      "frame", "another frame of a window: ROWS for RANGE, to its end, from its start", likelihood: .usual,
      changes: frames),
    StatementOperator(
      "partition", "PARTITION BY less, or a column less in it", source: .clauses, changes: partitions),
    StatementOperator(
      "window function", "row_number, rank and dense_rank, lag and lead, first and last value",
      source: .clauses,
      changes: functions),
    StatementOperator(
      "group by", "a column less or more in GROUP BY", source: .clauses, likelihood: .usual, most: 20,
      changes: groups),
  ]

  private static let usual = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
  private static let whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"

  private static func frames(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let implicit = statement.clauses.filter { clause in
      clause.kind == .order && isWindow(clause.group, statement)
        && !statement.clauses.contains { $0.kind == .frame && $0.group == clause.group }
    }.flatMap { clause in
      [(usual, "With ROWS for RANGE"), (whole, "With all rows as the frame")].map { frame, words in
        Change(
          .insert(behind: clause.body.upperBound - 1, " \(frame)"), rank: 2,
          "\(words) in the window \(clause.range)")
      }
    }
    return implicit + statement.clauses.filter { $0.kind == .frame }.flatMap { explicit($0, statement) }
  }

  /// True for a window's parenthesis.
  private static func isWindow(_ group: Int, _ statement: ParsedStatement) -> Bool {
    guard group > 0 else { return false }
    return statement.word(group - 1) == "OVER"
      || statement.word(group - 1) == "AS" && statement.clause(at: group)?.kind == .window
  }

  private static func explicit(_ clause: Clause, _ statement: ParsedStatement) -> [Change] {
    let unit = clause.keyword.lowerBound
    let others = statement.word(unit) == "ROWS" ? ["RANGE", "GROUPS"] : ["ROWS"]
    let units = others.map {
      Change(Edit(unit, $0), rank: 2, "With \($0) for \(statement.word(unit)) in \(clause.range)")
    }
    guard statement.word(clause.body.lowerBound) == "BETWEEN",
      let and = clause.body.first(where: { statement.word($0) == "AND" })
    else { return units }
    let (start, end) = (clause.body.lowerBound + 1..<and, and + 1..<clause.body.upperBound)
    func bounds(_ place: Range<Int>, _ texts: [String]) -> [Change] {
      texts.filter { $0 != statement.text(place).uppercased() }.map {
        Change(Edit(place, $0), rank: 2, "With \($0) for \(place) in \(clause.range)")
      }
    }
    return units + bounds(start, ["UNBOUNDED PRECEDING", "CURRENT ROW"])
      + bounds(end, ["CURRENT ROW", "UNBOUNDED FOLLOWING", "1 PRECEDING"])
  }

  private static func partitions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.clauses.filter { $0.kind == .partition }.flatMap { less($0, statement) }
  }

  /// Removes the clause, and each term.
  private static func less(_ clause: Clause, _ statement: ParsedStatement) -> [Change] {
    let terms = statement.list(clause.body)
    let none = Change(Edit(clause.range, ""), rank: 2, "Without \(clause.range)")
    guard terms.count > 1 else { return [none] }
    return [none]
      + terms.map { term in
        let isLast = term.upperBound == clause.body.upperBound
        let place = isLast ? term.lowerBound - 1..<term.upperBound : term.lowerBound..<term.upperBound + 1
        return Change(Edit(place, ""), rank: 2, "Without \(term) in \(clause.range)")
      }
  }

  private static let others: [String: [String]] = [
    "ROW_NUMBER": ["rank", "dense_rank"], "RANK": ["row_number", "dense_rank"],
    "DENSE_RANK": ["row_number", "rank"], "LAG": ["lead"], "LEAD": ["lag"], "FIRST_VALUE": ["last_value"],
    "LAST_VALUE": ["first_value"],
  ]

  private static func functions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { others[statement.word($0)] != nil && statement.text($0 + 1) == "(" }.flatMap { index in
      (others[statement.word(index)] ?? []).map {
        Change(Edit(index, $0), rank: 2, "With \($0)() for \(statement.word(index).lowercased())()")
      }
    }
  }

  private static func groups(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.clauses.filter { $0.kind == .group && !$0.body.isEmpty }.flatMap { clause -> [Change] in
      let used = Set(clause.body.map { statement.tokens[$0].name.lowercased() })
      let more = statement.tables.filter { $0.query == clause.query }.flatMap { table in
        (context.tables[table.key] ?? []).prefix(12).filter { !used.contains($0.name.lowercased()) }
          .map { "\(table.called).\(SQLWords.name($0.name))" }
      }
      let keys = more.map { text in
        Change(
          .insert(behind: clause.body.upperBound - 1, ", \(text)"), rank: 2,
          "With \(code: text) more in \(clause.range)")
      }
      return less(clause, statement) + keys
    }
  }
}
