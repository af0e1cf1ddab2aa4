/// Splits at line feeds, by bytes: with a carriage return they are one `Character`.
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

package func shortened(_ text: String, to length: Int) -> String {
  // One character can be megabytes of combining marks.
  guard text.utf8.count > length else { return text }
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
    end < scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}

package func shortenedInside(_ text: String, to length: Int) -> String {
  let scalars = text.unicodeScalars
  guard scalars.count > length else { return text }
  let half = (length - 3) / 2
  return String(scalars.prefix(half)) + " … " + String(scalars.suffix(half))
}

extension String {
  /// - Parameters:
  ///   - longest: Bytes to keep.
  ///   - part: Returns the end and the replacement of a part that begins at `start`.
  package func replacingParts(
    longest: Int = .max,
    _ part: (_ bytes: [UInt8], _ start: Int, _ previous: UInt8?) -> (end: Int, sign: [UInt8])?
  ) -> String {
    let bytes = Array(utf8.prefix(longest))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let part = part(bytes, index, result.last) {
        result.append(contentsOf: part.sign)
        index = part.end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  package var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
