/// The terminal columns of a text: two for East Asian wide characters and emoji, none for combining marks.
///
/// Control characters must be replaced before; see `printedLine`.
func displayWidth(of text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// Truncates to a width, ending with `…`.
func fitted(_ text: String, toWidth width: Int) -> String {
  // Fewer bytes than columns always fit.
  guard text.utf8.count > width, displayWidth(of: text) > width else { return text }
  guard width > 1 else { return width == 1 ? "…" : "" }
  var (result, room) = ("", width - 1)
  for character in text {
    let width = displayWidth(of: character)
    guard width <= room else { break }
    room -= width
    result.append(character)
  }
  return result + "…"
}

private func displayWidth(of character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  guard scalars.count > 1 else { return displayWidth(of: first) }
  // Emoji sequences and flags are one picture.
  if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
  return scalars.reduce(0) { $0 + displayWidth(of: $1) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
  let value = scalar.value
  if value < 0x300 { return value == 0xAD ? 0 : 1 }
  // Hangul vowels and finals join the wide consonant.
  if 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value { return 0 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  // Two form a flag.
  if 0x1F1E6...0x1F1FF ~= value { return 1 }
  return scalar.properties.isEmojiPresentation || isWide(value) ? 2 : 1
}

private func isWide(_ value: UInt32) -> Bool {
  guard value >= 0x1100 else { return false }
  return wideRanges.contains { $0.contains(value) }
}

/// Wide and fullwidth characters except emoji.
///
/// Source: Unicode's EastAsianWidth.txt.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
  0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
  0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
]
