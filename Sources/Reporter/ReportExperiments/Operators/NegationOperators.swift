/// Operators on NOT.
enum NegationOperators {
  static let all = [
    StatementOperator("not less", "without NOT", source: .replacement, likelihood: .rare, changes: less),
    StatementOperator(
      "not more", "NOT before IN, EXISTS, LIKE, BETWEEN and a bracket", source: .replacement,
      likelihood: .rare, changes: more),
  ]

  private static let words: Set = ["IN", "EXISTS", "LIKE", "GLOB", "BETWEEN"]

  private static func less(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { statement.word($0) == "NOT" }.compactMap { index in
      let before = statement.word(index - 1), behind = statement.word(index + 1)
      guard before != "IS", behind != "NULL", behind != "MATERIALIZED", before != "IF" else { return nil }
      return Change(Edit(index, ""), rank: 0, "Without NOT in \(near: index)")
    }
  }

  private static func more(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let words = statement.active {
      Self.words.contains(statement.word($0)) && statement.word($0 - 1) != "NOT"
        && statement.text($0 - 1) != "."
        && statement.text($0 + 1) != "." && statement.clause(at: $0)?.kind != .frame
    }.map { index in
      Change(
        Edit(index, "NOT \(statement.word(index))"), rank: 0,
        "With NOT \(statement.word(index)) for \(statement.word(index)) in \(near: index)")
    }
    let conditions = Set(statement.chains.flatMap(\.terms))
    let brackets = statement.terms.filter { term in
      conditions.contains(term) && statement.text(term.lowerBound) == "("
        && statement.partner(term.lowerBound) == term.upperBound - 1
        && statement.word(term.lowerBound + 1) != "SELECT"
    }.map { term in
      Change(Edit(term, "NOT \(statement.text(term))"), rank: 0, "With NOT before \(term)")
    }
    return words + brackets
  }
}
