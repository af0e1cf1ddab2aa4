/// Operators on the form of given values, which may differ from stored ones.
enum ParameterOperators {
  static let all = [
    StatementOperator(
      "form of identifier", "a UUID as a text and as a blob", most: 8,
      changes: identifiers),
    StatementOperator(
      "form of moment", "a moment as a text and as a number, in the forms that SQLite and Foundation have",
      likelihood: .usual, most: 24, changes: moments),
    StatementOperator(
      "number in text", "the number that a text with separators says", most: 8, changes: numbers),
    StatementOperator(
      "stored value", "what is written as NULL for an empty text, trimmed, as a number, in another form",
      likelihood: .usual, most: 24, changes: stored),
  ]

  /// A parameter or number compared with a column.
  private struct Pair {
    var parameter: Range<Int>
    var other: Range<Int>
    var column: OperatorContext.Column
    var comparison: Range<Int>
    var isEquality: Bool
  }

  private static func pairs(_ statement: ParsedStatement, _ context: OperatorContext) -> [Pair] {
    statement.comparisons.filter(\.isOrdered).flatMap { comparison in
      [(comparison.left, comparison.right), (comparison.right, comparison.left)].compactMap {
        column, parameter in
        guard statement.isParameter(parameter) || statement.isNumber(parameter),
          let known = statement.column(column, in: context)?.column
        else { return nil }
        return Pair(
          parameter: parameter, other: column, column: known, comparison: comparison.range,
          isEquality: !["<", "<=", ">", ">="].contains(comparison.word))
      }
    }
  }

  // MARK: - Identifiers

  private static func identifiers(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    pairs(statement, context).filter {
      !$0.column.isNumeric && $0.isEquality && ($0.column.values.holdsBlobs || $0.column.values.holdsUUIDs)
    }.map {
      pair in
      let sides = [pair.parameter, pair.other].map { Edit($0, digits(statement.text($0))) }
      return Change(sides, rank: 1, "With UUIDs compared in any form, text or blob, in \(pair.comparison)")
    }
  }

  /// A UUID's digits; before 3.41 SQLite makes no blob from hexadecimal text.
  private static func digits(_ value: String) -> String {
    "upper(CASE typeof(\(value)) WHEN 'blob' THEN hex(\(value)) ELSE replace(\(value), '-', '') END)"
  }

  private static func identifierForms(_ value: String) -> [(form: String, words: String)] {
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map {
      "substr(hex(\(value)), \($0.0), \($0.1))"
    }
    let text =
      "CASE typeof(\(value)) WHEN 'blob' THEN \(parts.joined(separator: " || '-' || ")) ELSE \(value) END"
    return [
      ("upper(\(text))", "a UUID as a text in capitals"),
      ("lower(\(text))", "a UUID as a text in small letters"),
    ]
  }

  // MARK: - Moments

  private static func moments(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    pairs(statement, context).flatMap { pair -> [Change] in
      momentForms(statement.text(pair.parameter), in: pair.column).map { form, words in
        Change(
          Edit(pair.parameter, form), rank: 1, "With \(pair.parameter) as \(words) in \(pair.comparison)")
      }
    }
  }

  /// From the Unix epoch to Foundation's.
  private static let reference = 978_307_200

  /// - Returns: Empty unless the column holds moments.
  private static func momentForms(
    _ value: String, in column: OperatorContext.Column
  ) -> [(form: String, words: String)] {
    var forms: [(form: String, words: String)] = []
    if column.values.holdsMoments, !column.isNumeric {
      forms += [
        ("strftime('%Y-%m-%d %H:%M:%f', \(value), 'unixepoch')", "a text of its moment"),
        ("strftime('%Y-%m-%dT%H:%M:%SZ', \(value), 'unixepoch')", "a text of its moment in ISO 8601"),
        (
          "strftime('%Y-%m-%d %H:%M:%f', \(value) + \(reference), 'unixepoch')",
          "a text of its moment since 2001"
        ),
        ("replace(\(value), ' ', 'T')", "a text with T"), ("replace(\(value), 'T', ' ')", "a text without T"),
        ("datetime(\(value), 'utc')", "a moment in UTC"),
        ("datetime(\(value), 'localtime')", "a local moment"),
      ]
    }
    if column.values.holdsNumbers, column.name.saysMoment {
      forms += [
        ("CAST(strftime('%s', \(value)) AS INTEGER)", "seconds of its moment"),
        ("CAST(strftime('%s', \(value)) AS INTEGER) * 1000", "milliseconds of its moment"),
        ("\(value) + \(reference)", "seconds since 1970 for since 2001"),
        ("\(value) - \(reference)", "seconds since 2001 for since 1970"),
      ]
    }
    return forms
  }

  // MARK: - Numbers

  /// For columns with digits in texts.
  private static func numbers(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    statement.comparisons.filter(\.isOrdered).filter { !statement.isAssignment($0.sign.lowerBound) }.flatMap {
      comparison in
      comparison.sides.compactMap { side in
        guard let column = statement.column(side, in: context)?.column, column.values.holdsTexts,
          column.values.holdsDigits,
          column.isNumeric ? column.values.isKnown : !(column.values.isKnown && column.values.holdsMoments)
        else { return nil }
        return Change(
          Edit(side, number(statement.text(side))), rank: 2,
          "With the number in \(side), without separators, in \(comparison.range)")
      }
    }
  }

  private static func number(_ value: String) -> String {
    "CAST(replace(replace(replace(\(value), ',', ''), ' ', ''), '''', '') AS NUMERIC)"
  }

  // MARK: - Stored values

  private struct Written {
    var value: Range<Int>
    var column: OperatorContext.Column
  }

  private static func stored(_ statement: ParsedStatement, _ context: OperatorContext) -> [Change] {
    written(statement, context).flatMap { written in
      storedForms(statement.text(written.value), in: written.column).map { form, words in
        Change(Edit(written.value, form), rank: 1, "With \(words) written to \(code: written.column.name)")
      }
    }
  }

  private static func written(_ statement: ParsedStatement, _ context: OperatorContext) -> [Written] {
    let inserted = statement.insertions.flatMap { insertion -> [Written] in
      let names = statement.columnNames(of: insertion, context)
      return insertion.rows.filter { $0.count == names.count }.flatMap { row in
        zip(names, row).compactMap { name, value in
          context.column(name, of: insertion.table.key).map { Written(value: value, column: $0) }
        }
      }
    }
    let assigned = statement.assignmentLists.flatMap { list in
      list.assignments.compactMap { assignment in
        context.column(assignment.column, of: list.table.key).map {
          Written(value: assignment.value, column: $0)
        }
      }
    }
    return (inserted + assigned).filter { statement.isParameter($0.value) || statement.isColumn($0.value) }
  }

  /// Only forms that differ for held values.
  private static func storedForms(
    _ value: String, in column: OperatorContext.Column
  ) -> [(form: String, words: String)] {
    let values = column.values
    if !values.isKnown {
      return column.collectsTexts ? [("nullif(\(value), '')", "NULL for an empty text")] : []
    }
    var forms: [(form: String, words: String)] = []
    if values.holdsEmptyTexts { forms.append(("nullif(\(value), '')", "NULL for an empty text")) }
    if values.holdsNull, values.holdsTexts {
      forms.append(("coalesce(\(value), '')", "an empty text for NULL"))
    }
    if values.holdsPadded { forms.append(("trim(\(value))", "a text without spaces at its ends")) }
    if values.holdsTexts, values.holdsDigits, column.isNumeric {
      forms.append((number(value), "the number in a text, without separators,"))
    }
    if values.holdsTexts, values.holdsBlobs || values.holdsUUIDs {
      forms += identifierForms(value)
    }
    if values.holdsMoments, values.holdsNumbers {
      forms += momentForms(value, in: column).prefix(4).map { ($0.form, $0.words) }
    }
    return forms
  }
}

extension String {
  fileprivate var saysMoment: Bool {
    let words = lowercased().split(whereSeparator: { !$0.isLetter })
    let known: Set<Substring> = ["at", "on", "time", "date", "day", "since", "until", "from", "to", "moment"]
    return words.contains { word in
      known.contains(word) || ["time", "date", "stamp"].contains { word.hasSuffix($0) }
    }
  }
}
