import ReportModel

extension ParsedStatement {
  private static let longestExcerpt = 72
  private static let reach = 10

  /// Renders words about the statement.
  ///
  /// - Parameter bare: True to replace literals by `?`.
  func words(_ words: Words, bare: Bool) -> String {
    words.pieces.map { piece in
      switch piece {
      case .plain(let text): text
      case .value(let text, bare: let other): bare ? other : text
      case .code(let text): "“\(Self.cut(Self.line(unnumbered(text), bare: bare ? names : nil)))”"
      case .part(let range): "“\(excerpt(range, bare: bare))”"
      case .near(let index): "“\(excerpt(around: index, bare: bare))”"
      }
    }.joined()
  }

  /// Tokens of code, without numbers that only moved parameters have.
  private func unnumbered(_ code: String) -> ArraySlice<StatementToken> {
    guard parameters.hasAnonymous, !parameters.hasNumbered else {
      return StatementToken.all(in: code).prefix(60)
    }
    var (text, place) = ("", code.startIndex)
    for token in StatementToken.all(in: code) where token.kind == .parameter && token.text.first == "?" {
      text += code[place..<token.text.startIndex] + "?"
      place = token.text.endIndex
    }
    return StatementToken.all(in: text + code[place...]).prefix(60)
  }

  private func excerpt(_ range: Range<Int>, bare: Bool) -> String {
    Self.cut(Self.line(tokens[range].prefix(60), bare: bare ? names : nil))
  }

  private func excerpt(around index: Int, bare: Bool) -> String {
    let place = min(index, tokens.count - 1)
    let term = terms[safe: termOfToken[safe: place] ?? -1] ?? clause(at: place)?.range ?? place..<place + 1
    let whole = Self.line(tokens[term].prefix(60), bare: bare ? names : nil)
    guard term.count > 60 || whole.count > Self.longestExcerpt else { return whole }
    let near = term.clamped(to: place - Self.reach..<place + Self.reach)
    let start = near.lowerBound > term.lowerBound ? "…" : ""
    let end = near.upperBound < term.upperBound ? "…" : ""
    return Self.cut(start + Self.line(tokens[near], bare: bare ? names : nil) + end)
  }

  private static func cut(_ text: String) -> String {
    text.count <= longestExcerpt ? text : text.prefix(longestExcerpt - 1) + "…"
  }

  /// Tokens on one line.
  ///
  /// - Parameter bare: Replaces literals except these double-quoted names; `nil` keeps them.
  private static func line(_ tokens: ArraySlice<StatementToken>, bare: Set<String>?) -> String {
    var line = ""
    for (index, token) in zip(tokens.indices, tokens) {
      if index > tokens.startIndex, tokens[index - 1].text.endIndex < token.text.startIndex { line += " " }
      line += bare.map { isLiteral(index, in: tokens, $0) } ?? false ? "?" : token.text
    }
    return line
  }

  private static func isLiteral(_ index: Int, in tokens: ArraySlice<StatementToken>, _ names: Set<String>)
    -> Bool
  {
    let token = tokens[index]
    guard token.kind == .quoted, token.text.first == "\"" else { return token.isLiteral }
    let before = index > tokens.startIndex ? tokens[index - 1] : nil
    let behind = index + 1 < tokens.endIndex ? tokens[index + 1] : nil
    return before?.text != "." && behind?.text != "." && before?.folded != "AS"
      && !names.contains(token.name.lowercased())
  }
}
