/// The text without terminal control sequences (ECMA-48's CSI), which colour what tests print.
///
/// An escape character that begins nothing complete stays, to be shown as a sign.
func withoutTerminalColors(_ text: String) -> String {
  guard text.utf8.contains(escape) else { return text }
  let bytes = Array(text.utf8)
  var kept: [UInt8] = []
  kept.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    if let end = controlSequenceEnd(in: bytes, from: index) {
      index = end
    } else {
      kept.append(bytes[index])
      index += 1
    }
  }
  return String(decoding: kept, as: UTF8.self)
}

private let escape: UInt8 = 0x1B

/// The index after a control sequence that starts here: parameter bytes, intermediate bytes, one final byte.
private func controlSequenceEnd(in bytes: [UInt8], from start: Int) -> Int? {
  guard bytes[start] == escape, start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else {
    return nil
  }
  var index = start + 2
  while index < bytes.count, (0x30...0x3F).contains(bytes[index]) { index += 1 }
  while index < bytes.count, (0x20...0x2F).contains(bytes[index]) { index += 1 }
  guard index < bytes.count, (0x40...0x7E).contains(bytes[index]) else { return nil }
  return index + 1
}
