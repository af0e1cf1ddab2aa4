import ReportModel

/// A clause of a statement: keyword and body.
struct Clause: Sendable, Hashable {
  enum Kind: Sendable {
    case with, select, values, insert, update, delete
    case from, join, on, using, filter, group, having, window, order, limit, offset, compound
    case set, conflict, nothing, act, returning, partition, frame, when
  }

  var kind: Kind
  /// Tokens such as LEFT JOIN or GROUP BY.
  var keyword: Range<Int>
  var body: Range<Int>
  /// The enclosing bracket, or -1.
  var group: Int
  var query: Int

  var range: Range<Int> { keyword.lowerBound..<body.upperBound }

  var isCondition: Bool {
    switch kind {
    case .filter, .on, .having, .when: true
    default: false
    }
  }
}

/// One SELECT, INSERT, UPDATE, DELETE or ON CONFLICT with its clauses; each side of a UNION is one.
struct Query: Sendable {
  var number: Int
  var clauses: [Clause]

  var verb: Clause.Kind { clauses[0].kind }
  /// The enclosing bracket, or -1.
  var group: Int { clauses[0].group }
  var range: Range<Int> { clauses[0].keyword.lowerBound..<clauses[clauses.count - 1].body.upperBound }

  subscript(_ kind: Clause.Kind) -> Clause? { clauses.first { $0.kind == kind } }

  static func all(of clauses: [Clause]) -> [Query] {
    var queries: [Query] = []
    for clause in clauses {
      if queries.last?.number == clause.query {
        queries[queries.count - 1].clauses.append(clause)
      } else {
        queries.append(Query(number: clause.query, clauses: [clause]))
      }
    }
    return queries
  }
}

/// Finds clauses, bracket by bracket.
struct ClauseReading {
  private let tokens: [StatementToken]
  private let brackets: Brackets
  private let isTrigger: Bool
  private var clauses: [Clause] = []
  private var query = 0
  /// The previous clause in the bracket.
  private var current: Clause.Kind?
  private var verb: Clause.Kind?

  private static let usual: Set = [
    "SELECT", "FROM", "WHERE", "JOIN", "ON", "UNION", "VALUES", "SET", "BY", "LIMIT", "HAVING", "WITH",
    "USING", "WHEN",
    "WINDOW", "EXCEPT", "INTERSECT", "INSERT", "UPDATE", "DELETE", "DO", "RETURNING", "OFFSET",
  ]

  /// False for texts with too many clauses.
  static func isReadable(_ tokens: [StatementToken]) -> Bool {
    tokens.count(where: { usual.contains($0.folded) }) <= ParsedStatement.mostParts
  }

  /// Clauses in order, those outside of brackets first.
  static func clauses(
    of tokens: [StatementToken], _ brackets: Brackets, _ isActive: [Bool], isTrigger: Bool
  ) -> [Clause] {
    var reading = ClauseReading(tokens: tokens, brackets: brackets, isTrigger: isTrigger)
    let openers = tokens.indices.filter { brackets.partners[$0] > $0 && tokens[$0].folded != "CASE" }
    for opener in [-1] + openers {
      if opener < 0 || isActive[opener] || isTrigger && tokens[opener].folded == "BEGIN" {
        reading.read(opener, isActive)
      }
    }
    return reading.clauses
  }

  private init(tokens: [StatementToken], brackets: Brackets, isTrigger: Bool) {
    (self.tokens, self.brackets, self.isTrigger) = (tokens, brackets, isTrigger)
  }

  private func word(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].folded : "" }

  private mutating func read(_ group: Int, _ isActive: [Bool]) {
    (current, verb) = (nil, nil)
    query += 1
    let inside = brackets.inside(group)
    let first = clauses.count
    var skipped = 0
    for index in brackets.level(inside) where index >= skipped && isActive[index] {
      if tokens[index].text == ";" { end(at: index, first) }
      guard tokens[index].kind == .word, !isPartOfName(index), let (kind, keyword) = keyword(at: index, group)
      else { continue }
      end(at: keyword.lowerBound, first)
      note(kind)
      skipped = keyword.upperBound
      clauses.append(
        Clause(
          kind: kind, keyword: keyword, body: keyword.upperBound..<max(keyword.upperBound, inside.upperBound),
          group: group, query: query))
    }
  }

  private func isPartOfName(_ index: Int) -> Bool {
    index > 0 && tokens[index - 1].text == "." || index + 1 < tokens.count && tokens[index + 1].text == "."
  }

  private mutating func end(at index: Int, _ first: Int) {
    if clauses.count > first, let last = clauses.indices.last, clauses[last].body.upperBound > index {
      clauses[last].body = clauses[last].body.lowerBound..<max(clauses[last].body.lowerBound, index)
    }
    if tokens[index].text == ";" {
      query += 1
      (current, verb) = (nil, nil)
    }
  }

  /// Begins another query if the clause does.
  private mutating func note(_ kind: Clause.Kind) {
    switch kind {
    case .select, .values, .insert, .update, .delete, .conflict:
      if current != nil { query += 1 }
      if verb == nil { verb = kind }
    default: break
    }
    current = kind
  }

  /// The clause that a word begins, with its keyword.
  private func keyword(at index: Int, _ group: Int) -> (Clause.Kind, Range<Int>)? {
    let one = index..<index + 1, two = index..<min(index + 2, tokens.count)
    let next = word(index + 1)
    switch word(index) {
    case "SELECT": return (.select, one)
    case "VALUES" where tokens.indices.contains(index + 1) && tokens[index + 1].text == "(":
      return (.values, one)
    case "WHERE": return (.filter, one)
    case "FROM": return word(index - 1) == "DISTINCT" && word(index - 2) != "SELECT" ? nil : (.from, one)
    case "GROUP": return next == "BY" ? (.group, two) : nil
    case "ORDER": return next == "BY" ? (.order, two) : nil
    case "PARTITION": return next == "BY" ? (.partition, two) : nil
    case "HAVING": return (.having, one)
    case "LIMIT": return (.limit, one)
    case "OFFSET": return current == .limit ? (.offset, one) : nil
    case "WINDOW": return word(index + 2) == "AS" ? (.window, one) : nil
    case "UNION", "EXCEPT", "INTERSECT": return (.compound, next == "ALL" ? two : one)
    case "WITH": return current == nil ? (.with, next == "RECURSIVE" ? two : one) : nil
    case "WHEN": return isTrigger && group < 0 ? (.when, one) : nil
    case "JOIN": return joins ? (.join, joinStart(index)..<index + 1) : nil
    default: return frame(at: index) ?? write(at: index)
    }
  }

  private var joins: Bool { [.from, .join, .on, .using].contains(current) }

  private static let modifiers: Set = ["LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "OUTER"]

  private func joinStart(_ index: Int) -> Int {
    var start = index
    while Self.modifiers.contains(word(start - 1)), !isPartOfName(start - 1) { start -= 1 }
    return start
  }

  private func frame(at index: Int) -> (Clause.Kind, Range<Int>)? {
    guard ["ROWS", "RANGE", "GROUPS"].contains(word(index)),
      verb == nil, current == nil || current == .order || current == .partition,
      let next = tokens[safe: index + 1]
    else { return nil }
    let begins = ["BETWEEN", "UNBOUNDED", "CURRENT"].contains(next.folded)
    return begins || next.isLiteral || next.kind == .parameter ? (.frame, index..<index + 1) : nil
  }

  private func write(at index: Int) -> (Clause.Kind, Range<Int>)? {
    let two = index..<min(index + 2, tokens.count)
    let next = word(index + 1)
    switch word(index) {
    case "INSERT":
      let into = (index...index + 3).first { word($0) == "INTO" }
      return into.map { (.insert, index..<$0 + 1) }
    case "REPLACE": return next == "INTO" ? (.insert, two) : nil
    case "UPDATE":
      guard word(index - 1) != "ON", current == nil || current == .with else { return nil }
      return (.update, index..<(next == "OR" ? min(index + 3, tokens.count) : index + 1))
    case "DELETE": return next == "FROM" ? (.delete, two) : nil
    case "SET": return current == .update || current == .act ? (.set, index..<index + 1) : nil
    case "ON":
      if next == "CONFLICT" { return (.conflict, two) }
      return joins ? (.on, index..<index + 1) : nil
    case "USING": return joins ? (.using, index..<index + 1) : nil
    case "DO" where current == .conflict || current == .filter:
      return next == "NOTHING" ? (.nothing, two) : next == "UPDATE" ? (.act, two) : nil
    case "RETURNING":
      return verb.map { [.insert, .update, .delete].contains($0) } ?? false
        ? (.returning, index..<index + 1) : nil
    default: return nil
    }
  }
}
