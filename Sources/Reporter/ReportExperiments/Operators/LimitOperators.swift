/// Operators on LIMIT and OFFSET.
enum LimitOperators {
  static let all = [
    StatementOperator(
      "limit", "no LIMIT, one row more, one less; OFFSET 0, one more, one less", source: .clauses,
      likelihood: .usual,
      changes: limits)
  ]

  private static func limits(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.clauses.filter { $0.kind == .limit && !$0.body.isEmpty }.flatMap { clause -> [Change] in
      let offset = statement.clauses.first {
        $0.kind == .offset && $0.keyword.lowerBound == clause.body.upperBound
      }
      let parts = statement.list(clause.body)
      guard parts.count <= 2, let count = parts.last else { return [] }
      let skipped = parts.count == 2 ? parts.first : offset?.body
      let whole = clause.keyword.lowerBound..<(offset?.body.upperBound ?? clause.body.upperBound)
      return without(count, whole, statement) + (skipped.map { fromStart($0, statement) } ?? [])
        + steps(count, "row", statement) + (skipped.map { steps($0, "row skipped", statement) } ?? [])
    }
  }

  private static func without(
    _ count: Range<Int>, _ whole: Range<Int>, _ statement: ParsedStatement
  ) -> [Change] {
    let isBare = statement.kept(whole).isEmpty
    let edit = isBare ? Edit(whole, "") : Edit(count, statement.value("-1", keeping: count))
    return [Change(edit, rank: 0, isBare ? "Without \(whole)" : "With no end for \(whole)")]
  }

  private static func fromStart(_ skipped: Range<Int>, _ statement: ParsedStatement) -> [Change] {
    [Change(Edit(skipped, statement.value("0", keeping: skipped)), rank: 0, "With OFFSET 0 for \(skipped)")]
  }

  /// Literals have their own operators.
  private static func steps(_ part: Range<Int>, _ word: String, _ statement: ParsedStatement) -> [Change] {
    if statement.isNumber(part) { return [] }
    return [("+", "more"), ("-", "less")].map { sign, words in
      Change(
        Edit(part, "(\(statement.text(part))) \(sign) 1"), rank: 0, "With one \(word) \(words) than \(part)")
    }
  }
}
