import ReportModel

/// A token of SQL, without comments.
///
/// Unlike `SQLToken` it includes numbers, blobs, parameters and operators.
struct StatementToken: Sendable, Hashable {
  enum Kind: Sendable {
    case word
    /// Quoted by double quotes, backticks or brackets.
    case quoted
    case text, number, blob, parameter, sign
  }

  var kind: Kind
  var text: Substring
  /// Upper-case word, or empty.
  var folded: String

  var isName: Bool { kind == .word || kind == .quoted }

  var isLiteral: Bool { kind == .number || kind == .text || kind == .blob }

  /// The unquoted name, or empty.
  var name: String {
    guard isName else { return "" }
    guard kind == .quoted, text.utf8.count >= 2, let quote = text.last else { return String(text) }
    return String(text.dropFirst().dropLast()).replacing(String([quote, quote]), with: String(quote))
  }

  /// All tokens; an unclosed one reaches to the end.
  static func all(in sql: String) -> [StatementToken] {
    var scanner = StatementScanner(sql: sql)
    var tokens: [StatementToken] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }
}

private struct StatementScanner {
  var sql: String
  var place: String.Index

  init(sql: String) {
    self.sql = sql
    place = sql.utf8.startIndex
  }

  private var utf8: String.UTF8View { sql.utf8 }

  private func byte(_ distance: Int) -> UInt8 {
    guard let index = utf8.index(place, offsetBy: distance, limitedBy: utf8.endIndex), index < utf8.endIndex
    else { return 0 }
    return utf8[index]
  }

  mutating func next() -> StatementToken? {
    skipGaps()
    guard place < utf8.endIndex else { return nil }
    let start = place
    let kind = advance()
    let text = sql[start..<place]
    return StatementToken(kind: kind, text: text, folded: kind == .word ? text.uppercased() : "")
  }

  private mutating func skipGaps() {
    while place < utf8.endIndex {
      let (first, second) = (utf8[place], byte(1))
      if first <= 0x20 {
        place = utf8.index(after: place)
      } else if first == UInt8(ascii: "-"), second == first {
        place = utf8[place...].firstIndex(of: 0x0A) ?? utf8.endIndex
      } else if first == UInt8(ascii: "/"), second == UInt8(ascii: "*") {
        passComment()
      } else {
        return
      }
    }
  }

  private mutating func passComment() {
    var before: UInt8 = 0
    place = utf8.index(place, offsetBy: 2)
    while place < utf8.endIndex {
      let byte = utf8[place]
      place = utf8.index(after: place)
      if before == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { return }
      before = byte
    }
  }

  private mutating func advance() -> StatementToken.Kind {
    let (first, second) = (utf8[place], byte(1))
    switch first {
    case UInt8(ascii: "'"): return passQuotes(first, .text)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return passQuotes(first, .quoted)
    case UInt8(ascii: "["): return passQuotes(UInt8(ascii: "]"), .quoted)
    case UInt8(ascii: "x") where second == UInt8(ascii: "'"),
      UInt8(ascii: "X") where second == UInt8(ascii: "'"):
      place = utf8.index(after: place)
      return passQuotes(second, .blob)
    case _ where first.isDigit || first == UInt8(ascii: ".") && second.isDigit: return passNumber()
    case UInt8(ascii: "?"): return passWord(.parameter)
    case UInt8(ascii: ":") where second.isWord, UInt8(ascii: "@") where second.isWord,
      UInt8(ascii: "$") where second.isWord:
      return passWord(.parameter)
    case _ where first.isWord: return passWord(.word)
    default: return passSign(first, second)
    }
  }

  private mutating func passQuotes(_ quote: UInt8, _ kind: StatementToken.Kind) -> StatementToken.Kind {
    place = utf8.index(after: place)
    while let end = utf8[place...].firstIndex(of: quote) {
      place = utf8.index(after: end)
      guard place < utf8.endIndex, utf8[place] == quote, quote != UInt8(ascii: "]") else { return kind }
      place = utf8.index(after: place)
    }
    place = utf8.endIndex
    return kind
  }

  private mutating func passWord(_ kind: StatementToken.Kind) -> StatementToken.Kind {
    place = utf8.index(after: place)
    while place < utf8.endIndex, utf8[place].isWord || utf8[place] == UInt8(ascii: "$") {
      place = utf8.index(after: place)
    }
    return kind
  }

  private mutating func passNumber() -> StatementToken.Kind {
    var before: UInt8 = 0
    while place < utf8.endIndex {
      let byte = utf8[place]
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      guard byte.isWord || byte == UInt8(ascii: ".") || isSign && before | 0x20 == UInt8(ascii: "e") else {
        break
      }
      (place, before) = (utf8.index(after: place), byte)
    }
    return .number
  }

  private static let pairs: Set = ["<=", ">=", "<>", "!=", "==", "||", "->", "<<", ">>"]

  private mutating func passSign(_ first: UInt8, _ second: UInt8) -> StatementToken.Kind {
    let isPair = Self.pairs.contains(String(decoding: [first, second], as: UTF8.self))
    let isLong = first == UInt8(ascii: "-") && isPair && byte(2) == UInt8(ascii: ">")
    place = utf8.index(place, offsetBy: isLong ? 3 : isPair ? 2 : 1)
    return .sign
  }
}
