import ExhibitSystem

/// Replaces characters that hide, move or control other text by signs.
///
/// Control characters become names (`⟨ESC⟩`); bidirectional controls, zero-width characters and line
/// separators become code points (`⟨U+202E⟩`). Line feeds and tabs stay.
package func visible(_ text: String) -> String {
  if !text.holds(hiddenBytes) { return text }
  var result: [UInt8] = []
  result.reserveCapacity(text.utf8.count + 64)
  var text = text
  text.withUTF8 { utf8 in
    var start = 0
    var next = utf8.first(in: hiddenBytes)
    while let place = next {
      next = utf8.first(in: hiddenBytes, from: place + 1)
      let rest = String(decoding: utf8[place..<min(place + 4, utf8.count)], as: UTF8.self)
      guard let scalar = rest.unicodeScalars.first, let sign = visibleSign(of: scalar) else { continue }
      result.append(contentsOf: utf8[start..<place])
      result.append(contentsOf: sign.utf8)
      start = place + UTF8.width(scalar)
    }
    result.append(contentsOf: utf8[start...])
  }
  return String(decoding: result, as: UTF8.self)
}

package func visibleOnOneLine(_ text: String) -> String {
  if !text.holds(bytesNotOnALine) { return text }
  var result = ""
  for scalar in visible(text).unicodeScalars {
    switch scalar {
    case "\n": result += "⏎"
    case "\t": result += " "
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private let hiddenBytes = ByteSet { byte in
  switch byte {
  case 0x09, 0x0A: false
  case ..<0x20, 0x7F, 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
  default: false
  }
}

private let bytesNotOnALine = ByteSet { $0 == 0x09 || $0 == 0x0A || hiddenBytes.contains($0) }

private func visibleSign(of scalar: Unicode.Scalar) -> String? {
  switch scalar.value {
  case 0x09, 0x0A: nil
  case ..<0x20: "⟨\(controlNames[Int(scalar.value)])⟩"
  case 0x7F: "⟨DEL⟩"
  case 0x80...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
    0xFFF9...0xFFFB, 0xE0001...0xE001F:
    "⟨U+\(padded(String(scalar.value, radix: 16, uppercase: true), to: 4, with: "0"))⟩"
  default: nil
  }
}

private let controlNames = [
  "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
  "DLE",
  "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
]

package func padded(_ text: String, to length: Int, with sign: Character) -> String {
  String(repeating: sign, count: max(0, length - text.count)) + text
}
