/// Swift's raw identifiers: names between backticks, in which any character may stand.
package enum RawIdentifiers {
  /// Splits text at an ASCII separator, except between backticks; empty parts are kept.
  ///
  /// Each passing test needs it once, so it goes through the bytes themselves.
  package static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
    var text = text
    return text.withUTF8 { bytes in
      var parts: [String] = []
      var start = bytes.startIndex
      var isRaw = false
      for (index, byte) in bytes.enumerated() {
        if byte == UInt8(ascii: "`") { isRaw.toggle() }
        guard UInt32(byte) == separator.value, !isRaw else { continue }
        parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
        start = index + 1
      }
      parts.append(String(decoding: bytes[start...], as: UTF8.self))
      return parts
    }
  }
}
