import ReportModel

/// A SELECT that makes one row of many.
package struct AggregateQuery {
  private static let functions: Set = ["COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX", "GROUP_CONCAT"]
  private static let others: Set = ["UNION", "INTERSECT", "EXCEPT", "GROUP", "DISTINCT", "WINDOW", "OVER"]

  /// The text between SELECT and its FROM.
  package private(set) var columns: String
  /// The text from its FROM to what orders or limits its rows.
  package private(set) var source: String
  /// The same without its WHERE.
  package private(set) var tables: String
  /// The conditions of its WHERE: a row has to meet all.
  package private(set) var conditions: [String]
  /// The first table that it names.
  package private(set) var table: String
  /// The names in it, in lower case.
  private(set) var names: Set<String>

  /// - Returns: `nil` for any other statement, and for one whose values are not known.
  package init?(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    guard tokens.first?.folded == "SELECT" else { return nil }
    var (depth, from, filter, end): (Int, Int?, Int?, Int?) = (0, nil, nil, nil)
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
      if filter == nil, end == nil, from != nil, token.folded == "WHERE" { filter = index }
      if end == nil, from != nil,
        ["ORDER", "LIMIT", ";"].contains(token.isQuoted ? "" : token.text.uppercased())
      {
        end = index
      }
    }
    guard isAggregate, let from, let table = tokens[safe: from + 1]?.name else { return nil }
    let last = end.map { tokens[$0].text.startIndex } ?? sql.endIndex
    columns = String(sql[tokens[0].text.endIndex..<tokens[from].text.startIndex])
    source = String(sql[tokens[from].text.startIndex..<last])
    let place = filter.map { tokens[$0].text.startIndex } ?? last
    tables = String(sql[tokens[from].text.startIndex..<min(place, last)])
    conditions = filter.map { Self.conditions(tokens, behind: $0, in: sql, to: last) } ?? []
    self.table = table
    names = Set(tokens.compactMap { $0.name?.lowercased() })
  }

  /// The texts between the ANDs of a WHERE; all of it where it says OR.
  private static func conditions(
    _ tokens: [SQLToken], behind filter: Int, in sql: String, to end: String.Index
  ) -> [String] {
    var (isBetween, start) = (false, tokens[filter].text.endIndex)
    let whole = String(sql[start..<end])
    var conditions: [String] = []
    for token in Array(tokens[(filter + 1)...]).outside where token.text.startIndex < end {
      switch token.folded {
      case "OR", "CASE": return [whole]
      case "BETWEEN": isBetween = true
      case "AND":
        if !isBetween {
          conditions.append(String(sql[start..<token.text.startIndex]))
          start = token.text.endIndex
        }
        isBetween = false
      default: break
      }
    }
    return (conditions + [String(sql[start..<end])]).map(\.trimmed)
  }
}
