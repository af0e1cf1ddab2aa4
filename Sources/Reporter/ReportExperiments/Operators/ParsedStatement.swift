import ReportModel

/// A statement analysed for making variants.
///
/// It knows brackets, clauses, terms and tables, but no grammar: SQLite rejects invalid variants.
package struct ParsedStatement: Sendable {
  /// Without a final semicolon.
  package let sql: String
  let verb: StatementVerb
  /// Empty for unbalanced brackets.
  let tokens: [StatementToken]
  let brackets: Brackets
  /// By token, true where query syntax applies, unlike in CREATE TABLE's columns.
  let isActive: [Bool]
  let clauses: [Clause]
  let queries: [Query]
  let tables: [TableReference]
  let chains: [Chain]
  /// Terms of conditions, and other expressions.
  let terms: [Range<Int>]
  /// Indices into `terms` by token.
  let termOfToken: [Int]
  let assignments: Set<Int>
  /// Result columns without a name that somebody reads by name.
  private(set) var unnamedColumns: [Range<Int>] = []
  /// SQLite's parameter numbers by token, or 0.
  let parameters: ParameterNumbers
  /// Lower-case names, which double quotes do not make texts.
  let names: Set<String>

  static let longest = 65_536
  static let mostTokens = 8192
  static let mostParts = 400

  /// - Parameter names: Tables and columns in lower case.
  package init(_ sql: String, names: Set<String> = []) {
    let isShort = sql.utf8.count <= Self.longest
    let all = isShort ? StatementToken.all(in: sql) : []
    let isTrigger = Self.isTrigger(all)
    let own = Array(all[..<Self.end(of: all, isTrigger: isTrigger)])
    let brackets = Brackets(own, isTrigger: isTrigger)
    let isReadable =
      brackets.areBalanced && own.count <= Self.mostTokens
      && ClauseReading.isReadable(own)
    tokens = isReadable ? own : []
    self.brackets = isReadable ? brackets : Brackets([], isTrigger: false)
    self.sql = own.last.map { String(sql[..<$0.text.endIndex]) } ?? sql
    verb = StatementVerb(tokens)
    parameters = ParameterNumbers(tokens)
    isActive = ActiveParts.of(tokens, self.brackets, verb)
    let clauses = ClauseReading.clauses(of: tokens, self.brackets, isActive, isTrigger: isTrigger)
    self.clauses = clauses
    queries = Query.all(of: clauses)
    tables = TableReference.all(of: tokens, clauses)
    let reading = ChainReading(tokens, self.brackets, isActive, clauses)
    (chains, terms, termOfToken) = (reading.chains, reading.terms, reading.termOfToken)
    assignments = reading.assignments
    self.names = names.union(tables.map { $0.bareName.lowercased() })
    unnamedColumns = readColumns()
  }

  private static func isTrigger(_ tokens: [StatementToken]) -> Bool {
    tokens.first?.folded == "CREATE" && tokens.prefix(3).contains { $0.folded == "TRIGGER" }
  }

  private static func end(of tokens: [StatementToken], isTrigger: Bool) -> Int {
    let end = tokens.firstIndex { $0.text == ";" } ?? tokens.count
    guard isTrigger, let begin = tokens.firstIndex(where: { $0.folded == "BEGIN" }) else { return end }
    var depth = 0
    for index in tokens.indices[begin...] {
      if tokens[index].folded == "BEGIN" || tokens[index].folded == "CASE" { depth += 1 }
      guard tokens[index].folded == "END" else { continue }
      depth -= 1
      if depth == 0 { return index + 1 }
    }
    return tokens.count
  }
}

extension ParsedStatement {
  /// True for schema queries, which libraries make too.
  var asksForSchema: Bool {
    verb == .select
      && tables.contains { $0.key.hasPrefix("sqlite_master") || $0.key.hasPrefix("sqlite_schema") }
      || verb == .select && tokens.contains { $0.folded.hasPrefix("PRAGMA_") }
  }

  func word(_ index: Int) -> String { tokens[safe: index]?.folded ?? "" }

  func text(_ index: Int) -> Substring { tokens[safe: index]?.text ?? "" }

  /// The matching bracket, such as `END` for `CASE`.
  func partner(_ index: Int) -> Int? {
    guard let partner = brackets.partners[safe: index], partner >= 0 else { return nil }
    return partner
  }

  /// Tokens outside of inner brackets, and these brackets.
  func level(_ range: Range<Int>) -> [Int] { brackets.level(range) }

  /// The first tokens that satisfy a test in queries.
  func active(where test: (Int) -> Bool) -> [Int] {
    var found: [Int] = []
    for index in tokens.indices where isActive[index] && test(index) {
      found.append(index)
      if found.count == Self.mostParts { break }
    }
    return found
  }

  func list(_ range: Range<Int>) -> [Range<Int>] {
    var (parts, start): ([Range<Int>], Int) = ([], range.lowerBound)
    for index in level(range) where text(index) == "," {
      parts.append(start..<index)
      start = index + 1
    }
    parts.append(start..<range.upperBound)
    return parts.filter { !$0.isEmpty }
  }

  /// A function's arguments; `nil` without parentheses.
  func arguments(of index: Int) -> (inside: Range<Int>, end: Int)? {
    guard text(index + 1) == "(", let end = partner(index + 1) else { return nil }
    return (index + 2..<end, end)
  }

  func clause(at index: Int) -> Clause? {
    let group = brackets.openers[safe: index] ?? -1
    return clauses.last { $0.group == group && $0.range.contains(index) }
  }

  func query(at index: Int) -> Query? {
    var place = index
    for _ in 0..<8 where place >= 0 {
      let group = brackets.openers[place]
      if let query = queries.last(where: { $0.group == group && $0.range.contains(place) }) { return query }
      place = group
    }
    return nil
  }

  /// The tables in scope, innermost query first.
  func tables(at index: Int) -> [TableReference] {
    var (place, found): (Int, [TableReference]) = (index, [])
    for _ in 0..<8 where place >= 0 {
      let group = brackets.openers[place]
      if let query = queries.last(where: { $0.group == group && $0.range.contains(place) }) {
        found += tables.filter { $0.query == query.number }
      }
      place = group
    }
    return found
  }

  /// The column that a range names, with its table.
  func column(
    _ range: Range<Int>, in context: OperatorContext
  ) -> (table: TableReference, column: OperatorContext.Column)? {
    guard isColumn(range) else { return nil }
    let name = tokens[range.upperBound - 1].name
    let qualifier = range.count > 1 ? tokens[range.upperBound - 3].name.lowercased() : nil
    for table in tables(at: range.lowerBound) {
      if let qualifier, qualifier != table.bareCalled.lowercased() { continue }
      if let column = context.column(name, of: table.key) { return (table, column) }
    }
    return nil
  }

  /// True for a column's possible name.
  func isColumn(_ range: Range<Int>) -> Bool {
    guard let last = range.last, tokens[safe: last]?.isName == true, text(last + 1) != "(" else {
      return false
    }
    if range.count == 1 {
      return text(last - 1) != "." && text(last + 1) != "." && !SQLWords.reserved.contains(word(last))
    }
    return range.count == 3 && text(last - 1) == "." && tokens[last - 2].isName
  }

  func isParameter(_ range: Range<Int>) -> Bool {
    range.count == 1 && tokens[range.lowerBound].kind == .parameter
  }
}
