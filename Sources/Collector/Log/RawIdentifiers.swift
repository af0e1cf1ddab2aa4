/// Swift's raw identifiers: names between backticks, in which any character may stand.
package enum RawIdentifiers {
  /// Splits text at a separator, except between backticks; empty parts are kept.
  package static func split<Text: StringProtocol>(_ text: Text, at separator: Character) -> [Text.SubSequence]
  {
    var parts: [Text.SubSequence] = []
    var start = text.startIndex
    var isRaw = false
    for index in text.indices {
      switch text[index] {
      case "`": isRaw.toggle()
      case separator where !isRaw:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    parts.append(text[start...])
    return parts
  }
}
