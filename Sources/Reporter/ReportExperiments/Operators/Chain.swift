/// Conditions joined by AND or OR.
struct Chain: Sendable {
  var isOr: Bool
  var terms: [Range<Int>]
  var signs: [Int]
  /// True for the whole of a WHERE, ON or HAVING.
  var isWhole: Bool

  var range: Range<Int> { terms[0].lowerBound..<terms[terms.count - 1].upperBound }
}

struct ChainReading {
  private let tokens: [StatementToken]
  private let brackets: Brackets
  private let isActive: [Bool]
  private let clauses: [Int: Clause]
  private let keywords: Set<Int>
  private(set) var chains: [Chain] = []
  private(set) var terms: [Range<Int>] = []
  private(set) var termOfToken: [Int]
  private(set) var assignments: Set<Int> = []

  /// Reads outer brackets first.
  init(_ tokens: [StatementToken], _ brackets: Brackets, _ isActive: [Bool], _ clauses: [Clause]) {
    (self.tokens, self.brackets, self.isActive) = (tokens, brackets, isActive)
    self.clauses = Dictionary(clauses.map { ($0.body.lowerBound, $0) }, uniquingKeysWith: { $1 })
    keywords = Set(clauses.flatMap { Array($0.keyword) })
    termOfToken = Array(repeating: -1, count: tokens.count)
    let openers = tokens.indices.filter { brackets.partners[$0] > $0 }
    for opener in [-1] + openers { read(opener) }
  }

  /// Splits a bracket into expressions.
  private mutating func read(_ opener: Int) {
    let inside = brackets.inside(opener)
    // Bracketed tokens belong to the bracket's term until they have their own.
    let outer = opener < 0 ? -1 : termOfToken[opener]
    let level = brackets.level(inside)
    for index in level { termOfToken[index] = outer }
    let isQuery = outer < 0 || level.contains(where: keywords.contains)
    noteAssignments(level)
    var part: [Int] = []
    for index in level {
      if keywords.contains(index) || assignments.contains(index)
        || Self.borders.contains(tokens[index].folded)
        || tokens[index].text == "," || tokens[index].text == ";"
      {
        note(part, isQuery: isQuery)
        part = []
      } else if isActive[index] {
        part.append(index)
      }
    }
    note(part, isQuery: isQuery)
  }

  /// The first `=` after SET and each comma.
  private mutating func noteAssignments(_ level: [Int]) {
    var (sets, isTarget) = (false, false)
    for index in level {
      let word = tokens[index].folded
      if keywords.contains(index) { sets = word == "SET" }
      if sets, tokens[index].text == "," || word == "SET" { isTarget = true }
      guard sets, isTarget, tokens[index].text == "=" else { continue }
      isTarget = false
      assignments.insert(index)
    }
  }

  private static let borders: Set = ["WHEN", "THEN", "ELSE", "AS", "BEGIN"]

  /// Splits by OR, then by AND.
  private mutating func note(_ part: [Int], isQuery: Bool) {
    guard let first = part.first else { return }
    let isCondition = clauses[first]?.isCondition ?? false
    let sides = split(part, by: "OR")
    if sides.parts.count > 1 {
      add(Chain(isOr: true, terms: sides.parts.map(\.bounds), signs: sides.signs, isWhole: isCondition))
    }
    for side in sides.parts {
      let parts = split(side, by: "AND")
      if parts.parts.count > 1 || isCondition && sides.parts.count == 1 {
        add(
          Chain(
            isOr: false, terms: parts.parts.map(\.bounds), signs: parts.signs,
            isWhole: isCondition && sides.parts.count == 1))
      }
      for term in parts.parts {
        addTerm(term, isOwn: isQuery || isCondition || part.count > term.count || isQuestion(term))
      }
    }
  }

  private mutating func add(_ chain: Chain) {
    if chains.count < ParsedStatement.mostParts { chains.append(chain) }
  }

  private mutating func addTerm(_ term: [Int], isOwn: Bool) {
    terms.append(term.bounds)
    if isOwn { for index in term { termOfToken[index] = terms.count - 1 } }
  }

  private static let questions: Set = ["IS", "IN", "LIKE", "GLOB", "BETWEEN", "ISNULL", "NOTNULL"]

  private func isQuestion(_ part: [Int]) -> Bool {
    part.contains {
      SQLWords.comparisons.contains(String(tokens[$0].text)) || Self.questions.contains(tokens[$0].folded)
    }
  }

  private func split(_ part: [Int], by word: String) -> (parts: [[Int]], signs: [Int]) {
    var (parts, signs, current): ([[Int]], [Int], [Int]) = ([], [], [])
    var between = 0
    for index in part {
      if tokens[index].folded == "BETWEEN" { between += 1 }
      let isOfBetween = tokens[index].folded == "AND" && between > 0
      if isOfBetween { between -= 1 }
      if tokens[index].folded == word, !isOfBetween, !current.isEmpty {
        parts.append(current)
        signs.append(index)
        current = []
      } else {
        current.append(index)
      }
    }
    if current.isEmpty {
      signs = signs.dropLast()
    } else {
      parts.append(current)
    }
    return (parts, signs)
  }
}

extension [Int] {
  fileprivate var bounds: Range<Int> { (first ?? 0)..<(last ?? -1) + 1 }
}
