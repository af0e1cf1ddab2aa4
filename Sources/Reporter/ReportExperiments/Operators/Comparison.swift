/// A comparison of two operands.
struct Comparison: Sendable {
  /// The operator, such as `=`, IS NOT or LIKE.
  var sign: Range<Int>
  /// In capitals, separated by spaces.
  var word: String
  var left: Range<Int>
  var right: Range<Int>

  var range: Range<Int> { left.lowerBound..<right.upperBound }
  var sides: [Range<Int>] { [left, right] }

  /// True when a collation applies.
  var isOrdered: Bool { SQLWords.comparisons.contains(word) || word == "IS" || word == "IS NOT" }
}

extension ParsedStatement {
  /// Comparisons without NULL, lists or subqueries.
  var comparisons: [Comparison] { Array(terms.lazy.compactMap { comparison($0) }.prefix(Self.mostParts)) }

  private static let wordSigns: Set = ["IS", "LIKE", "GLOB"]

  private func comparison(_ term: Range<Int>) -> Comparison? {
    let level = level(term)
    let signs = level.filter {
      SQLWords.comparisons.contains(String(text($0))) || Self.wordSigns.contains(word($0))
    }
    guard signs.count == 1, let sign = signs.first, !level.contains(where: { word($0) == "BETWEEN" }),
      let start = level.first(where: { word($0) != "NOT" }), start < sign
    else { return nil }
    var place = sign..<sign + 1
    if word(sign - 1) == "NOT" { place = sign - 1..<place.upperBound }
    if word(sign) == "IS", word(sign + 1) == "NOT" { place = place.lowerBound..<sign + 2 }
    let end = level.first { $0 > sign && ["ESCAPE", "ASC", "DESC"].contains(word($0)) } ?? term.upperBound
    guard start < place.lowerBound, place.upperBound < end,
      !["NULL", "DISTINCT", "TRUE", "FALSE"].contains(word(place.upperBound))
    else { return nil }
    let parts = place.map { tokens[$0].kind == .word ? tokens[$0].folded : String(tokens[$0].text) }
    return Comparison(
      sign: place, word: parts.joined(separator: " "), left: start..<place.lowerBound,
      right: place.upperBound..<end)
  }

  /// Wraps both sides, and each, in a function.
  func wraps(of comparison: Comparison, in functions: [String]) -> [Change] {
    let sides = comparison.sides.filter { isColumn($0) || isParameter($0) }
    return functions.flatMap { function -> [Change] in
      let edits = sides.map { Edit($0, "\(function)(\(text($0)))") }
      let each = zip(sides, edits).map { side, edit in
        Change(edit, rank: 2, "With \(function)(…) around \(side) in \(comparison.range)")
      }
      guard edits.count > 1 else { return each }
      return [Change(edits, rank: 2, "With \(function)(…) on both sides of \(comparison.range)")] + each
    }
  }

  func isNumber(_ range: Range<Int>) -> Bool {
    guard let last = range.last, tokens[last].kind == .number else { return false }
    return range.count == 1 || range.count == 2 && text(range.lowerBound) == "-"
  }

  /// True for a single-column key, which is never NULL.
  func isOfKey(_ comparison: Comparison, _ context: OperatorContext) -> Bool {
    comparison.sides.contains { side in
      guard let found = column(side, in: context), found.column.isKey else { return false }
      return (context.tables[found.table.key] ?? []).count(where: \.isKey) == 1
    }
  }

  /// True when all columns may hold a kind of values.
  func mayHold(
    _ kind: KeyPath<ColumnValues, Bool>, _ comparison: Comparison, _ context: OperatorContext
  ) -> Bool {
    comparison.sides.allSatisfy { side in
      column(side, in: context).map { $0.column.values[keyPath: kind] } ?? true
    }
  }

  func isNumeric(_ comparison: Comparison, _ context: OperatorContext) -> Bool {
    comparison.sides.contains { isNumber($0) || column($0, in: context)?.column.isNumeric ?? false }
  }
}
