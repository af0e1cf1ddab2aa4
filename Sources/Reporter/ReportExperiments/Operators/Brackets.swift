/// Pairs of parentheses, of CASE and END, and of a trigger's BEGIN and END.
struct Brackets: Sendable {
  /// By token; -1 for other tokens.
  private(set) var partners: [Int]
  /// The enclosing bracket by token; -1 outside.
  private(set) var openers: [Int]
  private(set) var areBalanced = true

  /// Stops at unbalanced brackets.
  init(_ tokens: [StatementToken], isTrigger: Bool) {
    partners = Array(repeating: -1, count: tokens.count)
    openers = partners
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      let isName = index > 0 && tokens[index - 1].text == "."
      let isClosing =
        token.text == ")"
        || token.folded == "END" && !isName && (open.last.map { tokens[$0].text != "(" } ?? false)
      if isClosing {
        guard let last = open.popLast(), (tokens[last].text == "(") == (token.text == ")") else {
          areBalanced = false
          return
        }
        (partners[last], partners[index]) = (index, last)
      }
      openers[index] = open.last ?? -1
      let isCase = token.folded == "CASE" && !isName
      if token.text == "(" || isCase || isTrigger && token.folded == "BEGIN" { open.append(index) }
    }
    areBalanced = open.isEmpty
  }

  /// Tokens of a range outside of inner brackets, and these brackets.
  func level(_ range: Range<Int>) -> [Int] {
    var (found, index): ([Int], Int) = ([], range.lowerBound)
    while index < range.upperBound {
      found.append(index)
      let partner = partners[index]
      if partner > index, partner < range.upperBound {
        found.append(partner)
        index = partner
      }
      index += 1
    }
    return found
  }

  /// The tokens inside a bracket; all for -1.
  func inside(_ opener: Int) -> Range<Int> {
    opener < 0 ? 0..<partners.count : opener + 1..<max(opener + 1, partners[opener])
  }
}

/// Marks the parts of a statement that contain queries.
enum ActiveParts {
  static func of(
    _ tokens: [StatementToken], _ brackets: Brackets, _ verb: StatementVerb
  ) -> [Bool] {
    var active = Array(repeating: false, count: tokens.count)
    func mark(_ range: Range<Int>) { range.forEach { active[$0] = true } }
    func top(_ word: String) -> Int? {
      tokens.indices.first { tokens[$0].folded == word && brackets.openers[$0] < 0 }
    }
    switch verb {
    case .select, .insert, .update, .delete: mark(tokens.indices)
    case .trigger:
      guard let begin = top("BEGIN") else { break }
      mark(begin + 1..<max(begin + 1, tokens.count - 1))
      if let when = tokens[..<begin].firstIndex(where: { $0.folded == "WHEN" }) { mark(when..<begin) }
    case .view: if let start = top("AS") { mark(start + 1..<tokens.count) }
    case .index: if let start = top("WHERE") { mark(start..<tokens.count) }
    case .table:
      if let start = top("AS") { mark(start + 1..<tokens.count) }
      for index in tokens.indices where tokens[index].text == "(" && index > 0 {
        guard tokens[index - 1].folded == "CHECK" || tokens[index - 1].folded == "AS" else { continue }
        mark(brackets.inside(index))
      }
    default: break
    }
    return active
  }
}
