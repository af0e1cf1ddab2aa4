/// Operators on conditions.
enum ConditionOperators {
  static let all = [
    StatementOperator(
      "condition less", "a condition less of those that AND joins", source: .clauses, likelihood: .usual,
      changes: less),
    StatementOperator(
      "alternative less", "a condition less of those that OR joins", source: .clauses, likelihood: .usual,
      changes: alternatives),
    StatementOperator(
      "and or", "OR for AND, and AND for OR", source: .replacement, likelihood: .rare, changes: swaps),
    StatementOperator(
      "grouping", "parentheses around an OR, which binds less than AND", likelihood: .usual,
      changes: groupings),
  ]

  private static func less(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let chains = statement.chains.filter { !$0.isOr }.flatMap(\.terms)
    let wholes = statement.chains.filter { $0.isOr && $0.isWhole }.map(\.range)
    return (chains + wholes).map { term in
      Change(Edit(term, statement.truth(term)), rank: 1, "Without \(term)")
    }
  }

  private static func alternatives(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.chains.filter(\.isOr).flatMap(\.terms).map { term in
      Change(Edit(term, statement.falsity(term)), rank: 1, "Without \(term)")
    }
  }

  /// Adds parentheses where needed.
  private static func swaps(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.chains.flatMap { chain in
      zip(chain.signs, zip(chain.terms, chain.terms.dropFirst())).map { sign, sides in
        let pair = sides.0.lowerBound..<sides.1.upperBound
        let words: Words =
          chain.isOr ? "With AND for OR in \(pair)" : "With OR for AND in \(pair)"
        if chain.isOr { return Change(Edit(sign, "AND"), rank: 0, words) }
        let text = "\(statement.text(sides.0)) OR \(statement.text(sides.1))"
        return Change(Edit(pair, chain.terms.count > 2 ? "(\(text))" : text), rank: 0, words)
      }
    }
  }

  /// `a AND b OR c` as `a AND (b OR c)`.
  private static func groupings(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let ands = statement.chains.filter { !$0.isOr && $0.terms.count > 1 }
    return statement.chains.filter(\.isOr).flatMap { chain in
      zip(chain.terms, chain.terms.dropFirst()).flatMap { first, second -> [Change] in
        let before = ands.first { $0.range == first }?.terms.last
        let behind = ands.first { $0.range == second }?.terms.first
        let pairs = [
          before.map { $0.lowerBound..<second.upperBound }, behind.map { first.lowerBound..<$0.upperBound },
          before.flatMap { start in behind.map { start.lowerBound..<$0.upperBound } },
        ]
        return pairs.compactMap { $0 }.map {
          Change(Edit($0, "(\(statement.text($0)))"), rank: 0, "With parentheses around \($0)")
        }
      }
    }
  }
}
