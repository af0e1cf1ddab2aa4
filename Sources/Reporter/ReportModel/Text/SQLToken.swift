/// A word, sign, quoted name or text of a statement, but no comment, number or blob.
package struct SQLToken {
  package var text: Substring
  package var isQuoted: Bool

  private var isText: Bool { text.utf8.first == UInt8(ascii: "'") }

  package var isName: Bool { isQuoted && !isText || text.utf8.first.map(isWordByte) ?? false }

  /// In capitals; empty for a quoted token.
  package var folded: String { isQuoted ? "" : text.uppercased() }

  /// Without quotes; SQLite accepts a text as a name.
  package var name: String? {
    guard isName || isText else { return nil }
    guard isQuoted, text.utf8.count >= 2 else { return String(text) }
    let quote = String(text.last ?? "\"")
    return String(text.dropFirst().dropLast()).replacing(quote + quote, with: quote)
  }

  package static func all(in sql: String) -> [SQLToken] { scan(sql).tokens }

  /// A statement's literals and comments in order.
  ///
  /// SQLite takes an unknown double-quoted name for a text where a text can be.
  ///
  /// - Parameter names: Known names in lower case.
  package static func literals(in sql: String, names: Set<String>) -> [Literal] {
    let scan = scan(sql)
    let unknown = scan.tokens.indices.filter { index in
      let token = scan.tokens[index]
      guard token.isQuoted, token.text.first == "\"", !names.contains(token.name?.lowercased() ?? "") else {
        return false
      }
      let before = scan.tokens[..<index].last, behind = scan.tokens[(index + 1)...].first
      return before?.folded != "AS" && before?.text != "." && behind?.text != "."
    }.map { Literal(place: scan.tokens[$0].text.startIndex..<scan.tokens[$0].text.endIndex) }
    return (scan.literals + unknown).sorted { $0.place.lowerBound < $1.place.lowerBound }
  }

  package struct Literal {
    package var place: Range<String.Index>
    package var isComment = false
  }

  private static func scan(_ sql: String) -> (tokens: [SQLToken], literals: [Literal]) {
    let utf8 = sql.utf8
    var (tokens, literals): ([SQLToken], [Literal]) = ([], [])
    var place = utf8.startIndex
    while place < utf8.endIndex {
      let start = place
      let (byte, next) = (utf8[place], utf8.index(after: place))
      let second = next < utf8.endIndex ? utf8[next] : 0
      switch byte {
      case UInt8(ascii: "-") where second == UInt8(ascii: "-"):
        place = utf8[place...].firstIndex(of: 0x0A) ?? utf8.endIndex
        literals.append(Literal(place: start..<place, isComment: true))
      case UInt8(ascii: "/") where second == UInt8(ascii: "*"):
        place = sql[next...].dropFirst().firstRange(of: "*/")?.upperBound ?? utf8.endIndex
        literals.append(Literal(place: start..<place, isComment: true))
      case UInt8(ascii: "'"):
        place = quotedEnd(utf8, from: place, byte)
        literals.append(Literal(place: start..<place))
        tokens.append(SQLToken(text: sql[start..<place], isQuoted: true))
      case _ where byte.isDigit || byte == UInt8(ascii: ".") && second.isDigit:
        place = numberEnd(utf8, from: place)
        literals.append(Literal(place: start..<place))
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        guard second == UInt8(ascii: "'") else { fallthrough }
        place = quotedEnd(utf8, from: next, second)
        literals.append(Literal(place: start..<place))
      case _ where isWordByte(byte):
        place = utf8[place...].firstIndex { !isWordByte($0) } ?? utf8.endIndex
        tokens.append(SQLToken(text: sql[start..<place], isQuoted: false))
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        place = quotedEnd(utf8, from: place, byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte)
        tokens.append(SQLToken(text: sql[start..<place], isQuoted: true))
      default:
        place = next
        if byte > 0x20 { tokens.append(SQLToken(text: sql[start..<place], isQuoted: false)) }
      }
    }
    return (tokens, literals)
  }

  private static func numberEnd(_ utf8: String.UTF8View, from start: String.Index) -> String.Index {
    var (place, before) = (start, UInt8(0))
    while place < utf8.endIndex {
      let byte = utf8[place]
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      guard isWordByte(byte) || byte == UInt8(ascii: ".") || isSign && before | 0x20 == UInt8(ascii: "e")
      else {
        break
      }
      (place, before) = (utf8.index(after: place), byte)
    }
    return place
  }

  private static func quotedEnd(
    _ utf8: String.UTF8View, from start: String.Index, _ quote: UInt8
  ) -> String.Index {
    var place = utf8.index(after: start)
    while let end = utf8[place...].firstIndex(of: quote) {
      place = utf8.index(after: end)
      guard place < utf8.endIndex, utf8[place] == quote else { return place }
      place = utf8.index(after: place)
    }
    return utf8.endIndex
  }
}

private func isWordByte(_ byte: UInt8) -> Bool { byte.isWord || byte == UInt8(ascii: "$") }

extension [SQLToken] {
  package var outside: [SQLToken] {
    var depth = 0
    return filter { token in
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      return depth == 0 && token.text != ")"
    }
  }
}
