import ReportModel

/// Operators on days and moments.
enum TimeOperators {
  static let all = [
    StatementOperator(
      "whole day", "all of the last day, where a day without a time is the end", likelihood: .usual,
      changes: wholeDays),
    StatementOperator("day of moment", "date and datetime around what is compared", most: 24, changes: wraps),
    StatementOperator(
      "unit of time", "a parameter that is compared with a number times 1000, and a thousandth", most: 12,
      changes: units),
    StatementOperator(
      "offset of row", "the row's own offset from UTC added to a moment of which a day is made",
      likelihood: .usual,
      most: 12, changes: offsets),
  ]

  private static func wholeDays(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    let bounds = statement.comparisons.filter { ["<=", ">"].contains($0.word) && isDay($0.right, statement) }
      .filter { mayBeMoment($0.left, statement, context) }.map { comparison in
        let sign = comparison.word == "<=" ? "<" : ">="
        return Change(
          Edit(
            comparison.sign.lowerBound..<comparison.right.upperBound,
            "\(sign) date(\(statement.text(comparison.right)), '+1 day')"), rank: 0,
          "With all of the last day in \(comparison.range)")
      }
    let betweens = statement.betweens.filter { isDay($0.to, statement) }
      .filter { mayBeMoment($0.value, statement, context) }.map { between in
        let (value, not) = (statement.text(between.value), between.isNegated ? "NOT " : "")
        return Change(
          Edit(
            between.range,
            "\(not)(\(value) >= \(statement.text(between.from)) AND \(value) < date(\(statement.text(between.to)), '+1 day'))"
          ),
          rank: 0, "With all of the last day in \(between.range)")
      }
    return bounds + betweens
  }

  private static func mayBeMoment(
    _ side: Range<Int>, _ statement: ParsedStatement, _ context: OperatorContext
  ) -> Bool {
    statement.column(side, in: context).map { !$0.column.isNumeric && $0.column.values.holdsMoments } ?? true
  }

  /// True for a parameter or a text like `'2026-01-31'`.
  private static func isDay(_ range: Range<Int>, _ statement: ParsedStatement) -> Bool {
    guard range.count == 1, statement.tokens[range.lowerBound].kind == .text else {
      return statement.isParameter(range)
    }
    let text = statement.text(range.lowerBound)
    return text.utf8.count == 12 && text.split(separator: "-").count == 3
      && text.dropFirst().dropLast().allSatisfy { $0.isNumber || $0 == "-" }
  }

  private static func wraps(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.filter(\.isOrdered).filter {
      !statement.isNumeric($0, context) && !statement.isAssignment($0.sign.lowerBound)
        && statement.mayHold(\.holdsMoments, $0, context)
    }.flatMap { statement.wraps(of: $0, in: ["date", "datetime"]) }
  }

  // MARK: - Offsets

  private static let functions: Set = ["DATE", "TIME", "DATETIME", "STRFTIME", "JULIANDAY"]

  private static func offsets(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.active { functions.contains(statement.word($0)) }.flatMap { index -> [Change] in
      let arguments = statement.arguments(of: index).map { statement.list($0.inside) } ?? []
      guard let moment = arguments[safe: statement.word(index) == "STRFTIME" ? 1 : 0],
        let (table, column) = statement.column(moment, in: context), column.isNumeric
      else { return [] }
      let offsets = (context.tables[table.key] ?? []).filter { other in
        let name = other.name.lowercased()
        return other.isNumeric && other.name != column.name
          && (name.contains("offset") || name.contains("utc") || name.contains("tz") || name.contains("zone"))
      }
      return offsets.flatMap { other -> [Change] in
        let name = "\(table.called).\(SQLWords.name(other.name))"
        return [("+ \(name)", "added"), ("+ \(name) * 60", "in minutes added"), ("- \(name)", "taken off")]
          .map {
            Change(
              Edit(moment, "\(statement.text(moment)) \($0)"), rank: 0,
              "With the row's \(code: name) \($1) in \(near: index)")
          }
      }
    }
  }

  private static func units(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.filter { SQLWords.comparisons.contains($0.word) }.filter { comparison in
      statement.isParameter(comparison.right)
        && statement.column(comparison.left, in: context)?.column.isNumeric ?? false
        && !statement.isAssignment(comparison.sign.lowerBound)
        && !["=", "==", "<>", "!="].contains(comparison.word)
    }.flatMap { comparison in
      [("* 1000", "a thousand times"), ("/ 1000", "a thousandth of")].map { sign, words in
        Change(
          Edit(comparison.right, "\(statement.text(comparison.right)) \(sign)"), rank: 0,
          "With \(words) \(comparison.right) in \(comparison.range)")
      }
    }
  }
}
