import ReportModel

/// A SELECT of which one can ask which rows it read, and which ones its conditions left out.
struct ReadQuery {
  private static let functions: Set = ["COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX", "GROUP_CONCAT"]
  private static let others: Set = [
    "UNION", "INTERSECT", "EXCEPT", "GROUP", "HAVING", "DISTINCT", "WINDOW", "OVER", "FILTER",
    // Rows of such joins may have none of the first table.
    "RIGHT", "FULL",
  ]
  private static let endings: Set = ["ORDER", "LIMIT", ";"]
  private static let behindTable: Set = [
    "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "ON", "USING", "WHERE", "ORDER",
    "LIMIT",
    "INDEXED", "NOT",
  ]
  private static let changing: Set = [
    "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "RANDOM", "RANDOMBLOB", "CHANGES", "TOTAL_CHANGES",
    "LAST_INSERT_ROWID",
  ]
  private static let moments: Set = ["DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH", "STRFTIME"]
  private static let words: Set = [
    "AND", "OR", "NOT", "IS", "NULL", "IN", "LIKE", "GLOB", "ESCAPE", "BETWEEN", "CASE", "WHEN", "THEN",
    "ELSE", "END",
    "TRUE", "FALSE", "COLLATE", "NOCASE", "BINARY", "RTRIM", "ISNULL", "NOTNULL", "FROM",
  ]

  /// From its FROM to its WHERE, or to what orders or limits its rows.
  private(set) var from: String
  /// One of the terms that AND joins in its WHERE.
  struct Condition: Equatable {
    var text: String
    /// True where it is about the first table alone.
    var isOfFirstTable: Bool
    /// The column that it compares with one value, where it does nothing else.
    var picked: String?
  }

  private(set) var conditions: [Condition] = []
  private(set) var table: String
  private(set) var names: Set<String>
  /// A count or a sum, which single rows add up to.
  struct Additive: Equatable {
    var text: String
    var isCount: Bool
  }

  private(set) var additive: Additive?
  private(set) var hasSubquery = false
  /// True when it may leave out rows without a condition, as by LIMIT.
  private(set) var isLimited = false
  private(set) var isAggregate = false
  private(set) var isJoin = false
  /// The first table's name in it.
  private(set) var alias: String

  var source: String { source(of: conditions.map(\.text)) }

  func source(of conditions: [String]) -> String {
    conditions.isEmpty ? from : "\(from) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// - Returns: `nil` for what is no SELECT, and what may return other rows later although none has changed.
  init?(_ statement: String) {
    let sql = StatementText.withoutComments(statement)
    let tokens = SQLToken.all(in: sql)
    guard tokens.first?.folded == "SELECT", !Self.isChanging(tokens) else { return nil }
    var (depth, from, filter, end): (Int, Int?, Int?, Int?) = (0, nil, nil, nil)
    var subquery: Int?
    for (index, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth > 0, token.folded == "SELECT" {
        hasSubquery = true
        subquery = subquery ?? depth
      }
      if token.folded == "LIMIT" { isLimited = true }
      if let inner = subquery, depth < inner { subquery = nil }
      if from == nil, subquery == nil, Self.functions.contains(token.folded),
        tokens[safe: index + 1]?.text == "(", !Self.hasSeveralArguments(tokens, at: index + 1)
      {
        isAggregate = true
      }
      if ["?", ":", "@"].contains(token.text) || !token.isQuoted && token.text.first == "$" { return nil }
      if token.text == ";" && index < tokens.count - 1 { return nil }
      guard depth == 0 else { continue }
      if Self.others.contains(token.folded) { return nil }
      if from == nil {
        if token.folded == "FROM" { from = index }
        continue
      }
      if end == nil, !token.isQuoted, Self.endings.contains(token.text.uppercased()) { end = index }
      if end == nil, filter == nil, token.folded == "WHERE" { filter = index }
      if end == nil, filter == nil, token.folded == "JOIN" || token.text == "," { isJoin = true }
    }
    guard let from else { return nil }
    let place = tokens[safe: from + 2]?.text == "." ? from + 3 : from + 1
    guard let table = tokens[safe: place]?.name else { return nil }
    self.table = table
    let next = tokens[safe: place + 1]?.folded == "AS" ? place + 2 : place + 1
    let other = tokens[safe: next].flatMap {
      $0.isName && !Self.behindTable.contains($0.folded) ? $0.name : nil
    }
    alias = other ?? table
    names = Set(tokens.compactMap { $0.name?.lowercased() })
    // Numbers are no tokens: a text reaches from one token to another.
    func text(_ range: Range<Int>) -> String {
      let last = tokens[safe: range.upperBound]?.text.startIndex ?? sql.endIndex
      return String(sql[tokens[range.lowerBound - 1].text.endIndex..<last]).trimmed
    }
    let last = end ?? tokens.count
    self.from = "FROM " + text(from + 1..<(filter ?? last))
    additive =
      from > 1
      ? Self.additive(tokens[1..<from], in: sql[tokens[0].text.endIndex..<tokens[from].text.startIndex]) : nil
    guard let filter else { return }
    let results = Self.resultNames(tokens[..<from])
    let terms = Self.terms(of: tokens, filter + 1..<last)
    // There a result's name is another one's.
    if tokens[filter..<last].contains(where: { results.contains($0.name?.lowercased() ?? "") }) { return nil }
    conditions = terms.map { range in
      let term = Array(tokens[range])
      return Condition(
        text: text(range), isOfFirstTable: !isJoin || Self.isAbout(alias, term), picked: Self.picked(by: term)
      )
    }
  }

  /// The query of an INSERT … SELECT.
  init?(insertedBy statement: String) {
    let tokens = SQLToken.all(in: statement)
    guard ["INSERT", "REPLACE"].contains(tokens.first?.folded ?? ""),
      !tokens.contains(where: { ["CONFLICT", "RETURNING"].contains($0.folded) }),
      let select = tokens.first(where: { $0.folded == "SELECT" })
    else { return nil }
    self.init(String(statement[select.text.startIndex...]))
  }

  /// - Returns: `nil` for all but one `count(…)`, `sum(…)` or `total(…)`, also inside of `coalesce(…, 0)`.
  private static func additive(_ tokens: ArraySlice<SQLToken>, in text: Substring) -> Additive? {
    let tokens = Array(tokens)
    guard !tokens.contains(where: { $0.folded == "DISTINCT" }),
      text[..<tokens[0].text.startIndex].allSatisfy(\.isWhitespace)
    else { return nil }
    let isInside = ["COALESCE", "IFNULL"].contains(tokens[0].folded) && tokens[safe: 1]?.text == "("
    let first = isInside ? 2 : 0
    guard let function = tokens[safe: first]?.folded, ["COUNT", "SUM", "TOTAL"].contains(function),
      tokens[safe: first + 1]?.text == "("
    else { return nil }
    var (depth, end) = (0, first + 1)
    while end < tokens.count {
      if tokens[end].text == "(" { depth += 1 }
      if tokens[end].text == ")" { depth -= 1 }
      if depth == 0 { break }
      end += 1
    }
    guard end < tokens.count else { return nil }
    if isInside {
      guard tokens[safe: end + 1]?.text == ",", tokens[safe: end + 2]?.text == ")" else { return nil }
      let otherwise = text[tokens[end + 1].text.endIndex..<tokens[end + 2].text.startIndex]
      guard ["0", "0.0"].contains(String(otherwise).trimmed) else { return nil }
      end += 2
    }
    let behind = text[tokens[end].text.endIndex...]
    let rest = tokens[(end + 1)...]
    guard rest.isEmpty ? behind.allSatisfy(\.isWhitespace) : rest.count == 2 && rest.first?.folded == "AS"
    else {
      return nil
    }
    return Additive(text: String(text[..<tokens[end].text.endIndex]), isCount: function == "COUNT")
  }

  /// `max(a, b)` makes no one row of many.
  private static func hasSeveralArguments(_ tokens: [SQLToken], at place: Int) -> Bool {
    guard tokens[place - 1].folded != "GROUP_CONCAT" else { return false }
    var depth = 0
    for token in tokens[place...] {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      if depth == 0 { return false }
      if depth == 1, token.text == "," { return true }
    }
    return false
  }

  private static func isChanging(_ tokens: [SQLToken]) -> Bool {
    tokens.indices.contains { index in
      let token = tokens[index]
      if changing.contains(token.folded) || token.isQuoted && token.text.lowercased() == "'now'" {
        return true
      }
      return moments.contains(token.folded) && tokens[safe: index + 1]?.text == "("
        && tokens[safe: index + 2]?.text == ")"
    }
  }

  private static func resultNames(_ tokens: ArraySlice<SQLToken>) -> Set<String> {
    Set(zip(tokens, tokens.dropFirst()).compactMap { $0.folded == "AS" ? $1.name?.lowercased() : nil })
  }

  private static func picked(by tokens: [SQLToken]) -> String? {
    let column = tokens[safe: 1]?.text == "." ? 2 : 0
    guard tokens[safe: column + 1]?.text == "=", tokens.dropFirst(column + 2).allSatisfy({ !$0.isName })
    else {
      return nil
    }
    return tokens[safe: column]?.name
  }

  /// True where each column has the table's name before it.
  private static func isAbout(_ alias: String, _ tokens: [SQLToken]) -> Bool {
    tokens.indices.allSatisfy { index in
      let token = tokens[index]
      guard let name = token.name, token.isName else { return true }
      let (before, behind) = (tokens[safe: index - 1]?.text, tokens[safe: index + 1]?.text)
      if behind == "." { return name.lowercased() == alias.lowercased() }
      return before == "." || behind == "(" && token.folded != "SELECT" || words.contains(token.folded)
    }
  }

  /// The terms that AND joins; the whole where OR stands beside.
  private static func terms(of tokens: [SQLToken], _ range: Range<Int>) -> [Range<Int>] {
    var (depth, start, between) = (0, range.lowerBound, 0)
    var terms: [Range<Int>] = []
    for index in range {
      let token = tokens[index]
      if token.text == "(" || token.folded == "CASE" { depth += 1 }
      if token.text == ")" || token.folded == "END" { depth -= 1 }
      // A column may be called `end`.
      if depth < 0 { return [range] }
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
    return depth == 0 ? terms + [start..<range.upperBound] : [range]
  }
}
