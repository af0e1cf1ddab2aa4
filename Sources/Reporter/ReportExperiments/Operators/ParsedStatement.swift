import ReportModel

/// A statement taken apart as far as its variants need it.
///
/// It knows brackets, clauses, terms and tables, and no grammar: SQLite judges the variants.
package struct ParsedStatement: Sendable {
  /// The statement without the semicolon at its end and what follows it.
  package let sql: String
  /// What the statement does.
  let verb: StatementVerb
  /// Empty where the brackets do not match.
  let tokens: [StatementToken]
  let brackets: Brackets
  /// Whether the rules of queries hold for a token: not in the column list of a CREATE TABLE.
  let isActive: [Bool]
  let clauses: [Clause]
  let queries: [Query]
  let tables: [TableReference]
  let chains: [Chain]
  /// The terms of conditions, and the expressions that are none.
  let terms: [Range<Int>]
  /// The term of each token, an index in `terms`.
  let termOfToken: [Int]
  /// The signs that assign in a SET.
  let assignments: Set<Int>
  /// The columns whose names the app or another query reads, where they say none.
  private(set) var unnamedColumns: [Range<Int>] = []
  /// SQLite's numbers of the parameters; 0 where a token is none.
  let parameters: ParameterNumbers
  /// Names in lower case that are no texts though they stand in double quotes.
  let names: Set<String>

  /// The longest text that is taken apart.
  static let longest = 65_536
  /// The most tokens of a statement that is taken apart.
  static let mostTokens = 8192
  /// The most clauses of one; of chains and the like so many are kept.
  static let mostParts = 400

  /// - Parameter names: Names of tables and columns in lower case.
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

  /// The number of tokens up to the end of the statement.
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
  /// True of a question for the schema, which libraries ask too.
  var asksForSchema: Bool {
    verb == .select
      && tables.contains { $0.key.hasPrefix("sqlite_master") || $0.key.hasPrefix("sqlite_schema") }
      || verb == .select && tokens.contains { $0.folded.hasPrefix("PRAGMA_") }
  }

  /// The word of a token in capitals; empty where it is none.
  func word(_ index: Int) -> String { tokens[safe: index]?.folded ?? "" }

  /// The text of a token as it stands there.
  func text(_ index: Int) -> Substring { tokens[safe: index]?.text ?? "" }

  /// The bracket that belongs to one, `END` for `CASE` among them.
  func partner(_ index: Int) -> Int? {
    guard let partner = brackets.partners[safe: index], partner >= 0 else { return nil }
    return partner
  }

  /// The tokens of a part that stand in no brackets within it, and these brackets.
  func level(_ range: Range<Int>) -> [Int] { brackets.level(range) }

  /// The tokens that satisfy a test where the rules of queries hold; not more than are of use.
  func active(where test: (Int) -> Bool) -> [Int] {
    var found: [Int] = []
    for index in tokens.indices where isActive[index] && test(index) {
      found.append(index)
      if found.count == Self.mostParts { break }
    }
    return found
  }

  /// The parts between the commas of a part.
  func list(_ range: Range<Int>) -> [Range<Int>] {
    var (parts, start): ([Range<Int>], Int) = ([], range.lowerBound)
    for index in level(range) where text(index) == "," {
      parts.append(start..<index)
      start = index + 1
    }
    parts.append(start..<range.upperBound)
    return parts.filter { !$0.isEmpty }
  }

  /// The arguments of a function whose name is a token; nil where no parenthesis follows.
  func arguments(of index: Int) -> (inside: Range<Int>, end: Int)? {
    guard text(index + 1) == "(", let end = partner(index + 1) else { return nil }
    return (index + 2..<end, end)
  }

  /// The clause in whose own part a token stands.
  func clause(at index: Int) -> Clause? {
    let group = brackets.openers[safe: index] ?? -1
    return clauses.last { $0.group == group && $0.range.contains(index) }
  }

  /// The query that a token belongs to.
  func query(at index: Int) -> Query? {
    var place = index
    for _ in 0..<8 where place >= 0 {
      let group = brackets.openers[place]
      if let query = queries.last(where: { $0.group == group && $0.range.contains(place) }) { return query }
      place = group
    }
    return nil
  }

  /// The tables whose columns a token can name, those of the innermost query first.
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

  /// A column that a part names and nothing else, with its table.
  func column(
    _ range: Range<Int>, in context: OperatorContext
  ) -> (table: TableReference, column: OperatorContext.Column)? {
    guard isColumn(range) else { return nil }
    let name = tokens[range.upperBound - 1].name.lowercased()
    let qualifier = range.count > 1 ? tokens[range.upperBound - 3].name.lowercased() : nil
    for table in tables(at: range.lowerBound) {
      if let qualifier, qualifier != table.bareCalled.lowercased() { continue }
      if let column = context.tables[table.key]?.first(where: { $0.name.lowercased() == name }) {
        return (table, column)
      }
    }
    return nil
  }

  /// True of a name, with a table's before it or not, that can be a column's.
  func isColumn(_ range: Range<Int>) -> Bool {
    guard let last = range.last, tokens[safe: last]?.isName == true, text(last + 1) != "(" else {
      return false
    }
    if range.count == 1 {
      return text(last - 1) != "." && text(last + 1) != "." && !SQLWords.reserved.contains(word(last))
    }
    return range.count == 3 && text(last - 1) == "." && tokens[last - 2].isName
  }

  /// True of a parameter and nothing else.
  func isParameter(_ range: Range<Int>) -> Bool {
    range.count == 1 && tokens[range.lowerBound].kind == .parameter
  }
}
