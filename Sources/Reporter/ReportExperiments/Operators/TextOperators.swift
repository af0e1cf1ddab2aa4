/// Operators on texts and patterns.
enum TextOperators {
  static let all = [
    StatementOperator(
      "case of letters", "COLLATE NOCASE more and less in comparisons", changes: collations),
    StatementOperator(
      "pattern", "`=` and GLOB for LIKE, LIKE with escaped wildcards, with `%` on both sides",
      likelihood: .usual, most: 30,
      changes: patterns),
    StatementOperator(
      "part of path", "LIKE of a beginning as the whole text or a beginning before `/` or `.`",
      likelihood: .usual, most: 12,
      changes: paths),
    StatementOperator("trimmed", "trim and lower around what is compared", most: 24, changes: wraps),
    StatementOperator(
      "part of text", "substr from a place before or behind, and one longer or shorter", likelihood: .rare,
      changes: parts),
    StatementOperator(
      "type", "what is compared, as a text, an integer or a number", most: 24, changes: casts),
    StatementOperator("cast", "a CAST less, or to another type", changes: otherCasts),
  ]

  private static func texts(_ statement: ParsedStatement, _ context: OperatorContext) -> [Comparison] {
    statement.comparisons.filter {
      !statement.isNumeric($0, context) && !statement.isAssignment($0.sign.lowerBound)
    }
  }

  private static func collations(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let less = statement.active { statement.word($0) == "COLLATE" }.map { index in
      Change(
        Edit(index..<min(index + 2, statement.tokens.count), ""), rank: 0, "Without COLLATE in \(near: index)"
      )
    }
    let more = texts(statement, context).filter(\.isOrdered).filter { comparison in
      statement.mayHold(\.holdsWords, comparison, context)
        && !comparison.range.contains { statement.word($0) == "COLLATE" }
    }.map { comparison in
      Change(
        Edit(comparison.right, "\(statement.text(comparison.right)) COLLATE NOCASE"), rank: 0,
        "Without regard to the case of letters in \(comparison.range)")
    }
    return less + more + lists(statement, context)
  }

  private static func lists(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.active { statement.word($0) == "IN" && statement.text($0 + 1) == "(" }.compactMap { index in
      let last = statement.word(index - 1) == "NOT" ? index - 2 : index - 1
      guard let value = statement.operand(endingAt: last),
        statement.column(value, in: context).map({ !$0.column.isNumeric && $0.column.values.holdsWords })
          ?? true
      else { return nil }
      return Change(
        .insert(behind: last, " COLLATE NOCASE"), rank: 0,
        "Without regard to the case of letters in \(near: index)")
    }
  }

  // MARK: - Patterns

  private static func patterns(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.comparisons.filter { $0.word.hasSuffix("LIKE") || $0.word.hasSuffix("GLOB") }.flatMap {
      comparison -> [Change] in
      let isLike = comparison.word.hasSuffix("LIKE")
      let term = statement.term(of: comparison.sign.lowerBound)
      let hasEscape =
        statement.word(comparison.right.upperBound) == "ESCAPE" && term.contains(comparison.right.upperBound)
      let not = comparison.word.hasPrefix("NOT") ? "NOT " : ""
      if !isLike {
        return [
          Change(Edit(comparison.sign, "\(not)LIKE"), rank: 0, "With LIKE for GLOB in \(comparison.range)")
        ]
      }
      if hasEscape { return [] }
      return forms(comparison, not, statement)
    }
  }

  private static func forms(
    _ comparison: Comparison, _ not: String, _ statement: ParsedStatement
  ) -> [Change] {
    let right = comparison.right
    let whole = statement.text(right)
    func change(_ text: String, _ words: String) -> Change {
      Change(
        Edit(comparison.sign.lowerBound..<right.upperBound, text), rank: 0, "\(words) in \(comparison.range)")
    }
    var changes = [
      change(
        "\(not)GLOB replace(replace(\(whole), '%', '*'), '_', '?')", "With regard to the case of letters")
    ]
    if right.contains(where: { !statement.tokens[$0].isLiteral && statement.text($0) != "||" })
      || whole.contains("\\")
    {
      changes.append(change("\(not)LIKE \(whole) ESCAPE '\\'", "With ESCAPE '\\'"))
    }
    if !right.contains(where: { statement.tokens[$0].kind == .text && statement.text($0).contains("%") }) {
      changes.append(change("\(not.isEmpty ? "=" : "<>") \(whole)", "With “=” for LIKE"))
      changes.append(change("\(not)LIKE '%' || \(whole) || '%'", "With LIKE anywhere in the text"))
    }
    if let escaped = escaped(right, statement) {
      changes.append(change("\(not)LIKE \(escaped)", "With the wildcards of its pattern escaped"))
    }
    return changes
  }

  /// `folder LIKE ? || '%'` also finds siblings with the same prefix.
  private static func paths(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.comparisons.filter { $0.word.hasSuffix("LIKE") }.flatMap { comparison -> [Change] in
      let right = comparison.right
      let joins = statement.level(right).filter { statement.text($0) == "||" }
      guard let join = joins.last, join > right.lowerBound, statement.text(join + 1) == "'%'",
        join + 2 == right.upperBound,
        statement.word(right.upperBound) != "ESCAPE"
      else { return [] }
      let (value, beginning) = (statement.text(comparison.left), statement.text(right.lowerBound..<join))
      let not = comparison.word.hasPrefix("NOT") ? "NOT " : ""
      return ["/", "."].map { sign in
        Change(
          Edit(
            comparison.range,
            "\(not)(\(value) = \(beginning) OR \(value) LIKE \(beginning) || '\(sign)%')"), rank: 0,
          "With the whole text or a beginning before “\(sign)” in \(comparison.range)")
      }
    }
  }

  /// A pattern that matches its values literally, with outer `%` kept.
  private static func escaped(_ pattern: Range<Int>, _ statement: ParsedStatement) -> String? {
    let parts = statement.level(pattern).filter { statement.text($0) == "||" }
    guard !parts.isEmpty else {
      guard statement.isParameter(pattern) || statement.isColumn(pattern) else { return nil }
      let text = statement.text(pattern)
      return "iif(substr(\(text), 1, 1) = '%', '%', '') || \(quoted("trim(\(text), '%')")) || "
        + "iif(length(\(text)) > 1 AND substr(\(text), -1) = '%', '%', '') ESCAPE '\\'"
    }
    let borders = [pattern.lowerBound - 1] + parts + [pattern.upperBound]
    let values = zip(borders, borders.dropFirst()).map { start, end -> String in
      let value = start + 1..<max(start + 1, end)
      let isText = value.count == 1 && statement.tokens[value.lowerBound].kind == .text
      return isText ? statement.text(value) : quoted(statement.text(value))
    }
    return values.joined(separator: " || ") + " ESCAPE '\\'"
  }

  private static func quoted(_ text: String) -> String {
    "replace(replace(replace(\(text), '\\', '\\\\'), '%', '\\%'), '_', '\\_')"
  }

  // MARK: - Values

  private static func wraps(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    texts(statement, context).filter { statement.mayHold(\.holdsWords, $0, context) }
      .flatMap { statement.wraps(of: $0, in: ["trim", "lower"]) }
  }

  private static func parts(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { ["SUBSTR", "SUBSTRING"].contains(statement.word($0)) }.flatMap { index -> [Change] in
      guard let (inside, end) = statement.arguments(of: index) else { return [] }
      return statement.list(inside).dropFirst().filter { !statement.isNumber($0) }.flatMap { part in
        ["+", "-"].map { sign in
          Change(
            Edit(part, "(\(statement.text(part))) \(sign) 1"), rank: 0,
            "With one \(sign == "+" ? "more" : "less") than \(part) in \(index..<end + 1)")
        }
      }
    }
  }

  // MARK: - Types

  private static func casts(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.filter(\.isOrdered).filter { !statement.isAssignment($0.sign.lowerBound) }.flatMap {
      comparison in
      comparison.sides.filter { statement.isColumn($0) || statement.isParameter($0) }.flatMap {
        side -> [Change] in
        types(for: side, of: comparison, statement, context).map {
          Change(
            Edit(side, "CAST(\(statement.text(side)) AS \($0))"), rank: 2,
            "With \(side) as \(Self.names[$0] ?? $0) in \(comparison.range)")
        }
      }
    }
  }

  /// Types that matter, given the conversions by column affinity.
  private static func types(
    for side: Range<Int>, of comparison: Comparison, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> [String] {
    let known = comparison.sides.compactMap { statement.column($0, in: context)?.column }
    if known.contains(where: {
      $0.isNumeric && !($0.values.isKnown && $0.values.holdsTexts)
        || !$0.values.holdsDigits && !$0.values.holdsNumbers
    }) {
      return []
    }
    if known.contains(where: \.collectsTexts) { return statement.isColumn(side) ? ["INTEGER", "REAL"] : [] }
    return ["TEXT", "INTEGER", "REAL"]
  }

  private static let names = ["TEXT": "a text", "INTEGER": "an integer", "REAL": "a number"]

  private static func otherCasts(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { statement.word($0) == "CAST" }.flatMap { index -> [Change] in
      guard let (inside, end) = statement.arguments(of: index),
        let sign = statement.level(inside).last(where: { statement.word($0) == "AS" }),
        sign > inside.lowerBound
      else { return [] }
      let value = statement.text(inside.lowerBound..<sign)
      let type = statement.text(sign + 1..<end).uppercased()
      let none = Change(Edit(index..<end + 1, "(\(value))"), rank: 0, "Without CAST in \(near: index)")
      return [none]
        + ["TEXT", "INTEGER", "REAL"].filter { $0 != type }.map {
          Change(Edit(sign + 1..<end, $0), rank: 0, "With CAST AS \($0) in \(index..<end + 1)")
        }
    }
  }
}
