/// Operators on bounds of ranges.
enum BoundOperators {
  static let all = [
    StatementOperator(
      "bounds", "`<` for `<=`, `>` for `>=` and the reverse, one by one",
      source: .replacement, likelihood: .usual
    ) { statement, _ in
      replacements(statement, ["<": "<=", "<=": "<", ">": ">=", ">=": ">"])
    },
    StatementOperator(
      "all bounds", "all bounds of a condition strict, or all loose", source: .replacement,
      likelihood: .usual, changes: together),
    StatementOperator(
      "open end", "BETWEEN without its end, or without its start", likelihood: .rare, changes: openEnds),
    StatementOperator("turned", "`<` for `>` and the reverse", source: .replacement, likelihood: .rare) {
      statement, _ in
      replacements(statement, ["<": ">", "<=": ">=", ">": "<", ">=": "<="])
    },
    StatementOperator(
      "unequal", "`<>` for `=` and the reverse", source: .replacement, likelihood: .rare, changes: unequal),
  ]

  private static func replacements(_ statement: ParsedStatement, _ signs: [String: String]) -> [Change] {
    statement.active { signs[String(statement.text($0))] != nil && !statement.isAssignment($0) }.compactMap {
      index in
      let old = String(statement.text(index))
      guard let new = signs[old] else { return nil }
      return Change(Edit(index, new), rank: 0, "With “\(new)” for “\(old)” in \(near: index)")
    }
  }

  /// Except on keys and join columns.
  private static func unequal(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let others = ["=": "<>", "==": "<>", "<>": "=", "!=": "="]
    return statement.comparisons.compactMap { comparison in
      guard let new = others[comparison.word], !statement.isOfKey(comparison, context),
        !statement.isAssignment(comparison.sign.lowerBound), !comparison.sides.allSatisfy(statement.isColumn)
      else { return nil }
      return Change(
        Edit(comparison.sign, new), rank: 0, "With “\(new)” for “\(comparison.word)” in \(comparison.range)")
    }
  }

  private static let strict = ["<=": "<", ">=": ">"]
  private static let loose = ["<": "<=", ">": ">="]

  /// Changes each chain, and the whole statement.
  private static func together(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let places = statement.active {
      strict[String(statement.text($0))] ?? loose[String(statement.text($0))] != nil
    }
    let parts = statement.chains.prefix(20).filter { $0.terms.count > 1 }.map(\.range)
    let all = 0..<statement.tokens.count
    return (parts + [all]).flatMap { part -> [Change] in
      let inside = places.filter(part.contains)
      guard inside.count > 1 else { return [] }
      return [(strict, "strict"), (loose, "loose")].compactMap { signs, word in
        let edits = inside.compactMap { index in
          signs[String(statement.text(index))].map { Edit(index, $0) }
        }
        guard edits.count > 1 else { return nil }
        let words: Words =
          part == all ? "With all bounds \(word)" : "With all bounds \(word) in \(part)"
        return Change(edits, rank: 0, words)
      }
    }
  }

  private static func openEnds(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.betweens.flatMap { between -> [Change] in
      let (value, from, to) = (between.value, between.from, between.to)
      let (text, low, high) = (statement.text(value), statement.text(from), statement.text(to))
      let not = between.isNegated ? "NOT " : ""
      return [(">=", "<"), (">", "<=")].map { first, second in
        Change(
          Edit(between.range, "\(not)(\(text) \(first) \(low) AND \(text) \(second) \(high))"), rank: 0,
          "With “\(first)” and “\(second)” for BETWEEN in \(between.range)")
      }
    }
  }
}

/// A BETWEEN condition.
struct Between {
  var range: Range<Int>
  var value: Range<Int>
  var from: Range<Int>
  var to: Range<Int>
  var isNegated: Bool
}

extension ParsedStatement {
  var betweens: [Between] {
    terms.prefix(Self.mostParts).compactMap { term in
      let level = level(term)
      guard let between = level.first(where: { word($0) == "BETWEEN" }),
        let and = level.first(where: { $0 > between && word($0) == "AND" }), and > between + 1,
        and + 1 < term.upperBound
      else { return nil }
      let isNegated = word(between - 1) == "NOT"
      let start = level.first { word($0) != "NOT" } ?? term.lowerBound
      let end = isNegated ? between - 1 : between
      guard start < end else { return nil }
      return Between(
        range: start..<term.upperBound, value: start..<end, from: between + 1..<and,
        to: and + 1..<term.upperBound, isNegated: isNegated)
    }
  }

  func isAssignment(_ index: Int) -> Bool { assignments.contains(index) }
}
