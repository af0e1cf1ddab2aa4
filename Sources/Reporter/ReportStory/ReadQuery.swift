import ReportModel

/// A SELECT of which rows can be asked for that it read, and that its conditions left out.
struct ReadQuery {
  private static let functions: Set = ["COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX", "GROUP_CONCAT"]
  private static let others: Set = ["UNION", "INTERSECT", "EXCEPT", "GROUP", "DISTINCT", "WINDOW", "OVER"]
  private static let behindTable: Set = [
    "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "ON", "USING", "WHERE", "ORDER",
    "LIMIT",
    "INDEXED", "NOT",
  ]
  private static let endings: Set = ["ORDER", "LIMIT", ";"]

  /// The text from its FROM to its WHERE, or to what orders or limits its rows.
  private(set) var from: String
  /// What AND joins in its WHERE.
  private(set) var conditions: [String] = []
  /// The first table that it names.
  private(set) var table: String
  /// The names in it, in lower case.
  private(set) var names: Set<String>
  /// True when it makes one row of many.
  private(set) var isAggregate = false
  /// The name that its first table has in it.
  private(set) var alias: String

  /// From its FROM to what orders or limits its rows.
  var source: String { source(of: conditions) }

  /// The rows that these conditions leave.
  func source(of conditions: [String]) -> String {
    conditions.isEmpty ? from : "\(from) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// - Returns: `nil` for any other statement, and for one whose values are not known.
  init?(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    guard tokens.first?.folded == "SELECT" else { return nil }
    var (depth, from, filter, end): (Int, Int?, Int?, Int?) = (0, nil, nil, nil)
    var subquery: Int?
    for (index, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth > 0, subquery == nil, token.folded == "SELECT" { subquery = depth }
      if let inner = subquery, depth < inner { subquery = nil }
      if from == nil, subquery == nil, Self.functions.contains(token.folded),
        tokens[safe: index + 1]?.text == "("
      {
        isAggregate = true
      }
      if token.text == "?" || token.text == ";" && index < tokens.count - 1 { return nil }
      guard depth == 0 else { continue }
      if Self.others.contains(token.folded) { return nil }
      if from == nil {
        if token.folded == "FROM" { from = index }
        continue
      }
      if end == nil, !token.isQuoted, Self.endings.contains(token.text.uppercased()) { end = index }
      if end == nil, filter == nil, token.folded == "WHERE" { filter = index }
    }
    guard let from, let table = tokens[safe: from + 1]?.name else { return nil }
    func text(_ range: Range<Int>) -> String {
      guard let first = tokens[safe: range.lowerBound] else { return "" }
      let last = tokens[safe: range.upperBound]?.text.startIndex ?? sql.endIndex
      return String(sql[first.text.startIndex..<last]).trimmed
    }
    let last = end ?? tokens.count
    self.from = text(from..<(filter ?? last))
    self.table = table
    let next = tokens[safe: from + 2]?.folded == "AS" ? from + 3 : from + 2
    let other = tokens[safe: next].flatMap {
      $0.isName && !Self.behindTable.contains($0.folded) ? $0.name : nil
    }
    alias = other ?? table
    names = Set(tokens.compactMap { $0.name?.lowercased() })
    if let filter { conditions = Self.terms(of: tokens, filter + 1..<last).map(text) }
  }

  /// What AND joins; all of it where OR stands beside.
  private static func terms(of tokens: [SQLToken], _ range: Range<Int>) -> [Range<Int>] {
    var (depth, start, between) = (0, range.lowerBound, 0)
    var terms: [Range<Int>] = []
    for index in range {
      let token = tokens[index]
      if token.text == "(" || token.folded == "CASE" { depth += 1 }
      if token.text == ")" || token.folded == "END" { depth -= 1 }
      guard depth == 0 else { continue }
      switch token.folded {
      case "OR": return [range]
      case "BETWEEN": between += 1
      case "AND" where between > 0: between -= 1
      case "AND":
        terms.append(start..<index)
        start = index + 1
      default: break
      }
    }
    return terms + [start..<range.upperBound]
  }
}
