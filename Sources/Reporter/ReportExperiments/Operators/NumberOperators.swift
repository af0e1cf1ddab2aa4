/// Operators on numbers and arithmetic.
enum NumberOperators {
  static let all = [
    StatementOperator(
      "cut off", "the least bit more in a number with a fraction that the app reads", most: 8, changes: bits),
    StatementOperator("division", "a division that keeps the fraction", changes: divisions),
    StatementOperator(
      "constant", "a number one more, one less, times 10 and 100, a hundredth", source: .identifiers,
      most: 40,
      changes: constants),
    StatementOperator(
      "arithmetic", "`+` for `-` and the reverse", source: .replacement, likelihood: .rare, most: 12,
      changes: signs),
  ]

  /// Binary fractions are often slightly too small for code that truncates.
  private static func bits(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    guard let query = statement.queries.first(where: { $0.verb == .select && $0.group < 0 }),
      let select = query[.select]
    else { return [] }
    return statement.columns(of: select).compactMap { part in
      guard let column = statement.column(part, in: context)?.column, column.isNumeric,
        column.values.holdsFractions
      else { return nil }
      return Change(
        Edit(part, "\(statement.text(part)) + 1e-9"), rank: 2,
        "With the least bit more in \(part), of which cutting off loses one,")
    }
  }

  private static func divisions(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { statement.text($0) == "/" }.map {
      Change(Edit($0, "* 1.0 /"), rank: 0, "With a division that keeps the fraction in \(near: $0)")
    }
  }

  private static func signs(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { index in
      ["+", "-"].contains(statement.text(index)) && statement.operand(endingAt: index - 1) != nil
    }.map { index in
      let old = statement.text(index), new = old == "+" ? "-" : "+"
      return Change(Edit(index, new), rank: 0, "With “\(new)” for “\(String(old))” in \(near: index)")
    }
  }

  // MARK: - Constants

  private static func constants(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { statement.tokens[$0].kind == .number && !isPlace($0, statement) }.flatMap { index in
      let old = String(statement.text(index))
      return replacements(of: old).map { new, words in
        Change(
          Edit(index, new), rank: 0,
          "With \("\(new) for \(old)", bare: words) in \(near: index)")
      }
    }
  }

  /// True for column positions in ORDER BY, and in `EXISTS (SELECT 1 …)`.
  private static func isPlace(_ index: Int, _ statement: ParsedStatement) -> Bool {
    guard let clause = statement.clause(at: index) else { return false }
    switch clause.kind {
    case .order, .group: return statement.list(clause.body).contains { $0 == index..<index + 1 }
    case .select: return clause.body == index..<index + 1 && clause.group >= 0
    default: return false
    }
  }

  private static func replacements(of old: String) -> [(String, String)] {
    guard let value = Int(old) else {
      guard let value = Double(old), value.isFinite else { return [] }
      return [("\(value * 10)", "ten times a number"), ("\(value / 100)", "a hundredth of a number")]
    }
    guard value < 1 << 40 else { return [] }
    var found = [("\(value + 1)", "one more than a number")]
    if value > 0 { found.append(("\(value - 1)", "one less than a number")) }
    guard value > 1 else { return found }
    found += [("\(value * 10)", "ten times a number"), ("\(value * 100)", "a hundred times a number")]
    if value >= 10 {
      found.append(
        (
          value % 100 == 0 ? "\(value / 100)" : "\(value / 100).\(hundredth(value))",
          "a hundredth of a number"
        ))
    }
    return found
  }

  private static func hundredth(_ value: Int) -> String {
    let rest = value % 100
    return rest < 10 ? "0\(rest)" : "\(rest)"
  }
}
