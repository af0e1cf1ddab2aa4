import ReportModel

/// A SELECT that makes one row of many.
struct AggregateQuery {
  private static let functions: Set = ["COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX", "GROUP_CONCAT"]
  private static let others: Set = ["UNION", "INTERSECT", "EXCEPT", "GROUP", "DISTINCT", "WINDOW", "OVER"]

  /// The text from its FROM to what orders or limits its rows.
  private(set) var source: String
  /// The first table that it names.
  private(set) var table: String
  /// The names in it, in lower case.
  private(set) var names: Set<String>

  /// - Returns: `nil` for any other statement, and for one whose values are not known.
  init?(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    guard tokens.first?.folded == "SELECT" else { return nil }
    var (depth, from, end): (Int, Int?, Int?) = (0, nil, nil)
    var isAggregate = false
    for (index, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if token.text == "?" || token.text == ";" && index < tokens.count - 1 { return nil }
      guard depth == 0 else { continue }
      if Self.others.contains(token.folded) { return nil }
      if from == nil, Self.functions.contains(token.folded), tokens[safe: index + 1]?.text == "(" {
        isAggregate = true
      }
      if from == nil, token.folded == "FROM" { from = index }
      if end == nil, from != nil,
        ["ORDER", "LIMIT", ";"].contains(token.isQuoted ? "" : token.text.uppercased())
      {
        end = index
      }
    }
    guard isAggregate, let from, let table = tokens[safe: from + 1]?.name else { return nil }
    let last = end.map { tokens[$0].text.startIndex } ?? sql.endIndex
    source = String(sql[tokens[from].text.startIndex..<last])
    self.table = table
    names = Set(tokens.compactMap { $0.name?.lowercased() })
  }
}
