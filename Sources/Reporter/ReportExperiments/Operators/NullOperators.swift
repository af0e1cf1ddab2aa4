import ReportModel

/// Operators on NULL.
enum NullOperators {
  static let all = [
    StatementOperator(
      "null test", "IS NOT NULL for IS NULL and the reverse", source: .null, likelihood: .usual,
      changes: tests),
    StatementOperator(
      "null equality", "IS for `=`, IS NOT for `<>`, and the reverse", source: .null, likelihood: .usual,
      changes: equalities),
    StatementOperator(
      "null in list", "NOT IN and NOT LIKE that hold for NULL, NOT IN without NULL in its list",
      source: .null, likelihood: .usual,
      changes: lists),
    StatementOperator(
      "one of coalesce", "each argument of coalesce and ifnull alone", source: .null, changes: arguments),
    StatementOperator(
      "zero for null", "0 for NULL in sums and arithmetic, an empty text in `||`", source: .null, most: 16,
      changes: zeros),
    StatementOperator(
      "empty as null", "the empty text as NULL, and JSON's null as NULL", source: .null, likelihood: .usual,
      most: 16,
      changes: empties),
  ]

  private static func tests(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { ["NULL", "ISNULL", "NOTNULL"].contains(statement.word($0)) }.compactMap { index in
      switch (statement.word(index), statement.word(index - 1), statement.word(index - 2)) {
      case ("NULL", "IS", _):
        return Change(Edit(index, "NOT NULL"), rank: 0, "With IS NOT NULL for IS NULL in \(near: index)")
      case ("NULL", "NOT", "IS"):
        return Change(
          Edit(index - 1..<index + 1, "NULL"), rank: 0, "With IS NULL for IS NOT NULL in \(near: index)")
      case ("ISNULL", _, _):
        return Change(Edit(index, "NOTNULL"), rank: 0, "With NOTNULL for ISNULL in \(near: index)")
      case ("NOTNULL", _, _):
        return Change(Edit(index, "ISNULL"), rank: 0, "With ISNULL for NOTNULL in \(near: index)")
      default: return nil
      }
    }
  }

  private static let equal = [
    "=": "IS", "==": "IS", "<>": "IS NOT", "!=": "IS NOT", "IS": "=", "IS NOT": "<>",
  ]

  private static func equalities(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.compactMap { comparison in
      guard let new = equal[comparison.word], !statement.isAssignment(comparison.sign.lowerBound),
        !statement.isOfKey(comparison, context),
        comparison.sides.contains(where: { statement.isParameter($0) || statement.isColumn($0) }),
        comparison.word.contains("IS") || mayBeNull(comparison, statement, context)
      else { return nil }
      let old = statement.text(comparison.sign)
      return Change(
        Edit(comparison.sign, new), rank: 0, "With “\(new)” for “\(old)” in \(comparison.range)")
    }
  }

  /// True unless known to have no NULL.
  private static func mayBeNull(
    _ comparison: Comparison, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> Bool {
    comparison.sides.contains { side in
      !statement.tokens[side.lowerBound].isLiteral
        && statement.column(side, in: context)?.column.values.holdsNull ?? !statement.isParameter(side)
    }
  }

  private static func lists(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active {
      statement.word($0) == "NOT" && ["IN", "LIKE", "GLOB"].contains(statement.word($0 + 1))
    }.flatMap { index in withoutNull(index, statement) + holdingForNull(index, statement) }
  }

  /// `NOT IN` a subquery without NULL.
  private static func withoutNull(_ index: Int, _ statement: ParsedStatement) -> [Change] {
    guard statement.text(index + 2) == "(", let end = statement.partner(index + 2),
      ["SELECT", "WITH"].contains(statement.word(index + 3))
    else { return [] }
    let rows = "SELECT NULL AS v WHERE 0 UNION ALL SELECT * FROM (\(statement.text(index + 3..<end)))"
    return [
      Change(
        Edit(index + 2..<end + 1, "(SELECT v FROM (\(rows)) WHERE v IS NOT NULL)"), rank: 0,
        "Without NULL in what NOT IN asks for in \(near: index)")
    ]
  }

  private static func holdingForNull(_ index: Int, _ statement: ParsedStatement) -> [Change] {
    let term = statement.term(of: index)
    guard term.contains(index),
      let start = statement.level(term).first(where: { statement.word($0) != "NOT" }),
      start < index
    else { return [] }
    let asked = "\(statement.text(start..<index)) \(statement.text(index + 1..<term.upperBound))"
    return [
      Change(
        Edit(start..<term.upperBound, "NOT coalesce(\(asked), 0)"), rank: 0,
        "With rows for which \(start..<term.upperBound) is NULL")
    ]
  }

  private static func arguments(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    statement.active { ["COALESCE", "IFNULL"].contains(statement.word($0)) }.flatMap { index -> [Change] in
      guard let (inside, end) = statement.arguments(of: index) else { return [] }
      return statement.list(inside).map { argument in
        var others = 0..<0
        if statement.kept(inside).count > statement.kept(argument).count { others = inside }
        return Change(
          Edit(index..<end + 1, statement.value("(\(statement.text(argument)))", keeping: others)), rank: 0,
          "With \(argument) alone for \(index..<end + 1)")
      }
    }
  }

  // MARK: - Arithmetic

  private static let signs: Set = ["+", "-", "*", "/", "||"]

  private static func zeros(_ statement: ParsedStatement, _: OperatorContext) -> [Change] {
    let aggregates = statement.active { ["SUM", "MAX", "MIN", "AVG"].contains(statement.word($0)) }.flatMap {
      index -> [Change] in
      guard let (inside, end) = statement.arguments(of: index), !inside.isEmpty else { return [] }
      let call = index..<statement.end(ofCall: end)
      var changes = [
        Change(Edit(call, "coalesce(\(statement.text(call)), 0)"), rank: 2, "With 0 where \(call) is NULL")
      ]
      if statement.word(index + 2) != "DISTINCT", statement.word(index) != "SUM",
        statement.list(inside).count == 1
      {
        changes.append(
          Change(
            Edit(inside, "coalesce(\(statement.text(inside)), 0)"), rank: 2, "With 0 for NULL in \(call)"))
      }
      return changes
    }
    return aggregates + operands(statement)
  }

  private static func operands(_ statement: ParsedStatement) -> [Change] {
    var seen: Set<Int> = []
    return statement.active { signs.contains(String(statement.text($0))) }.flatMap { index -> [Change] in
      let isText = statement.text(index) == "||"
      let sides = [statement.operand(endingAt: index - 1), statement.operand(startingAt: index + 1)]
      return sides.compactMap { side in
        guard let side, seen.insert(side.lowerBound).inserted, !isOfFunction(side, statement) else {
          return nil
        }
        return Change(
          Edit(side, "coalesce(\(statement.text(side)), \(isText ? "''" : "0"))"), rank: 2,
          "With \(isText ? "an empty text" : "0") where \(side) is NULL in \(near: index)")
      }
    }
  }

  /// True for functions with own variants and for what is never NULL.
  private static func isOfFunction(_ side: Range<Int>, _ statement: ParsedStatement) -> Bool {
    if side.count == 1 { return statement.tokens[side.lowerBound].isLiteral }
    return ["SUM", "MAX", "MIN", "AVG", "COALESCE", "IFNULL", "COUNT", "TOTAL"].contains(
      statement.word(side.lowerBound))
  }

  private static func empties(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.active { statement.word($0) == "NULL" }.flatMap { index -> [Change] in
      let isNot = statement.word(index - 1) == "NOT"
      guard statement.word(index - (isNot ? 2 : 1)) == "IS",
        let side = statement.operand(endingAt: index - (isNot ? 3 : 2)),
        statement.column(side, in: context)?.column.isNumeric != true
      else { return [] }
      return [("''", "the empty text"), ("'null'", "JSON's null")].map { text, word in
        Change(
          Edit(side, "nullif(\(statement.text(side)), \(text))"), rank: 0,
          "With \(word) as NULL in \(near: index)")
      }
    }
  }
}

extension ParsedStatement {
  /// The end of a call including FILTER and OVER.
  func end(ofCall close: Int) -> Int {
    var end = close + 1
    for keyword in ["FILTER", "OVER"] where word(end) == keyword {
      end = (text(end + 1) == "(" ? partner(end + 1) ?? end + 1 : end + 1) + 1
    }
    return min(end, tokens.count)
  }

  func term(of index: Int) -> Range<Int> {
    terms.indices.contains(termOfToken[index]) ? terms[termOfToken[index]] : index..<index + 1
  }

  func operand(startingAt index: Int) -> Range<Int>? {
    guard tokens.indices.contains(index) else { return nil }
    if text(index) == "(" { return partner(index).map { index..<$0 + 1 } }
    if tokens[index].isLiteral || tokens[index].kind == .parameter { return index..<index + 1 }
    guard tokens[index].isName, !SQLWords.reserved.contains(word(index)) else { return nil }
    var end = index + 1
    while text(end) == ".", tokens[safe: end + 1]?.isName == true { end += 2 }
    if text(end) == "(", let close = partner(end) { end = close + 1 }
    return index..<end
  }

  func operand(endingAt index: Int) -> Range<Int>? {
    guard tokens.indices.contains(index) else { return nil }
    var start = index
    if text(index) == ")" {
      guard let open = partner(index) else { return nil }
      start = open
      guard tokens[safe: open - 1]?.isName == true,
        word(open - 1) == "REPLACE" || word(open - 1) == "CAST" || !SQLWords.reserved.contains(word(open - 1))
      else { return open..<index + 1 }
      start = open - 1
    } else if tokens[index].isLiteral || tokens[index].kind == .parameter {
      return index..<index + 1
    } else if !tokens[index].isName || SQLWords.reserved.contains(word(index)) {
      return nil
    }
    while text(start - 1) == ".", tokens[safe: start - 2]?.isName == true { start -= 2 }
    return start..<index + 1
  }
}
