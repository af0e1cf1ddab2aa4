/// A word, a sign, a quoted name or a text of a statement; comments, numbers and blobs are none.
struct SQLToken {
  var text: Substring
  /// Whether it stands in quotes, as a text does.
  var isQuoted: Bool

  private var isText: Bool { text.utf8.first == UInt8(ascii: "'") }

  /// Whether it can name something.
  var isName: Bool { isQuoted && !isText || text.utf8.first.map(isWordByte) ?? false }

  /// The keyword it is; empty for a quoted name.
  var folded: String { isQuoted ? "" : text.uppercased() }

  /// Without its quotes; SQLite takes a text for a name where it needs one.
  var name: String? {
    guard isName || isText else { return nil }
    guard isQuoted, text.utf8.count >= 2 else { return String(text) }
    let quote = String(text.last ?? "\"")
    return String(text.dropFirst().dropLast()).replacing(quote + quote, with: quote)
  }

  static func all(in sql: String) -> [SQLToken] { scan(sql).tokens }

  static func literals(in sql: String, names: Set<String>) -> [Range<String.Index>] {
    let (tokens, literals) = scan(sql)
    let unknown = tokens.filter { token in
      token.isQuoted && token.text.first == "\"" && !names.contains(token.name?.lowercased() ?? "")
    }
    return (literals + unknown.map { $0.text.startIndex..<$0.text.endIndex }).sorted {
      $0.lowerBound < $1.lowerBound
    }
  }

  private static func scan(_ sql: String) -> (tokens: [SQLToken], literals: [Range<String.Index>]) {
    let utf8 = sql.utf8
    var (tokens, literals): ([SQLToken], [Range<String.Index>]) = ([], [])
    var place = utf8.startIndex
    while place < utf8.endIndex {
      let start = place
      let (byte, next) = (utf8[place], utf8.index(after: place))
      let second = next < utf8.endIndex ? utf8[next] : 0
      switch byte {
      case UInt8(ascii: "-") where second == UInt8(ascii: "-"):
        place = utf8[place...].firstIndex(of: 0x0A) ?? utf8.endIndex
      case UInt8(ascii: "/") where second == UInt8(ascii: "*"):
        place = sql[next...].dropFirst().firstRange(of: "*/")?.upperBound ?? utf8.endIndex
      case UInt8(ascii: "'"):
        place = quotedEnd(utf8, from: place, byte)
        literals.append(start..<place)
        tokens.append(SQLToken(text: sql[start..<place], isQuoted: true))
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        guard second == UInt8(ascii: "'") else { fallthrough }
        place = quotedEnd(utf8, from: next, second)
        literals.append(start..<place)
      case _ where isWordByte(byte):
        place = utf8[place...].firstIndex { !isWordByte($0) } ?? utf8.endIndex
        if isDigit(byte) {
          // The digits behind a point, and the sign of an exponent, are words of their own.
          literals.append(start..<place)
        } else {
          tokens.append(SQLToken(text: sql[start..<place], isQuoted: false))
        }
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

  /// Behind the quote that ends what begins there; a doubled quote does not.
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

private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

private func isWordByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
}
