/// The lines of a text between its line feeds; a carriage return before one stays with its line.
///
/// It splits by bytes, because to Swift a carriage return and a line feed are one `Character`.
package func textLines(of text: String) -> [Substring] {
  text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
}

/// The first line that is not blank; the whole text when all are.
package func firstLine(_ text: String) -> String {
  var rest = Substring(text)
  while !rest.isEmpty {
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let line = rest[..<end]
    if !line.allSatisfy(\.isWhitespace) { return String(line) }
    rest = Substring(rest.utf8[end...].dropFirst())
  }
  return text
}

/// Cuts a text after this many Unicode scalars, and adds a sign if there were more.
package func shortened(_ text: String, to length: Int) -> String {
  // Scalars, because one character can be megabytes of combining marks.
  guard text.utf8.count > length else { return text }
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
    end < scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}

extension String {
  /// The text without white space and line feeds at both ends.
  package var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
