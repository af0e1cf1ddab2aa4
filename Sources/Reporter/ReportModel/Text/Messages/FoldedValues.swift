/// Replaces quoted texts, UUIDs, addresses and numbers by one sign each, and cuts a long text.
///
/// - Parameter foldsQuoted: False to fold what is inside quotes instead.
package func foldingValues(in text: String, foldsQuoted: Bool = true) -> String {
  text.replacingParts(longest: longestFolded) { bytes, start, previous in
    foldedValue(in: bytes, from: start, after: previous, foldsQuoted)
  }
}

private let longestFolded = 8 * 1024

private let quotedSign = Array("\"…\"".utf8)
private let numberSign = Array("#".utf8)

private func foldedValue(
  in bytes: [UInt8], from start: Int, after previous: UInt8?, _ foldsQuoted: Bool
) -> (end: Int, sign: [UInt8])? {
  let byte = bytes[start]
  let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "'")
  if isQuote, foldsQuoted {
    // An apostrophe in a word is no quote.
    if byte == UInt8(ascii: "'"), let previous, previous.isWord { return nil }
    return quotedEnd(in: bytes, from: start).map { ($0, quotedSign) }
  }
  guard byte.isWord, previous?.isWord != true else {
    // As in `orders_12`.
    return byte.isDigit ? (digitsEnd(in: bytes, from: start), numberSign) : nil
  }
  let end = bytes[start...].firstIndex { !$0.isWord && $0 != UInt8(ascii: "-") } ?? bytes.count
  if bytes.endOfUUID(at: start) == end || isAddress(bytes[start..<end]) { return (end, numberSign) }
  return byte.isDigit ? (digitsEnd(in: bytes, from: start), numberSign) : nil
}

private func quotedEnd(in bytes: [UInt8], from start: Int) -> Int? {
  let end = bytes[(start + 1)...].firstIndex { $0 == bytes[start] || $0 == UInt8(ascii: "\n") }
  return end.flatMap { bytes[$0] == bytes[start] ? $0 + 1 : nil }
}

private func digitsEnd(in bytes: [UInt8], from start: Int) -> Int {
  var index = start
  while index < bytes.count {
    let isPoint = bytes[index] == UInt8(ascii: ".") && index + 1 < bytes.count && bytes[index + 1].isDigit
    guard bytes[index].isDigit || isPoint else { break }
    index += 1
  }
  return index
}

private func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
  word.count > 2 && word.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")])
    && word.dropFirst(2).allSatisfy(\.isHexadecimal)
}
