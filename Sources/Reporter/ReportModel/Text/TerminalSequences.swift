/// Removes complete control sequences of terminals (ECMA-48): colours, cursor movements, titles, links.
package func withoutTerminalSequences(_ text: String) -> String {
  guard text.utf8.contains(escape) else { return text }
  return text.replacingParts { bytes, start, _ in sequenceEnd(in: bytes, from: start).map { ($0, []) } }
}

private let escape: UInt8 = 0x1B

/// Sources: ECMA-48, 5.4 (control sequences) and 5.6 (control strings), and ECMA-35, 13 (other sequences).
private func sequenceEnd(in bytes: [UInt8], from start: Int) -> Int? {
  guard bytes[start] == escape, start + 1 < bytes.count else { return nil }
  return switch bytes[start + 1] {
  case UInt8(ascii: "["): controlSequenceEnd(in: bytes, from: start + 2)
  case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
    controlStringEnd(in: bytes, from: start + 2)
  default: endOfIntermediates(in: bytes, from: start + 1, finals: 0x30...0x7E)
  }
}

private func controlSequenceEnd(in bytes: [UInt8], from start: Int) -> Int? {
  let end = bytes[start...].firstIndex { !(0x30...0x3F).contains($0) } ?? bytes.count
  return endOfIntermediates(in: bytes, from: end, finals: 0x40...0x7E)
}

private func endOfIntermediates(in bytes: [UInt8], from start: Int, finals: ClosedRange<UInt8>) -> Int? {
  let end = bytes[start...].firstIndex { !(0x20...0x2F).contains($0) }
  return end.flatMap { finals.contains(bytes[$0]) ? $0 + 1 : nil }
}

private func controlStringEnd(in bytes: [UInt8], from start: Int) -> Int? {
  var index = start
  while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
    if bytes[index] == 0x07 { return index + 1 }
    if bytes[index] == escape, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\") {
      return index + 2
    }
    index += 1
  }
  return nil
}
