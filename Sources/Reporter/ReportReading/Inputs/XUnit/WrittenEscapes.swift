import ReportModel

/// Restores escape characters that writers spelled out, where a colour sequence follows.
///
/// Sources: pytest's `bin_xml_escape` (`#x1B`), Surefire's `StatelessXmlReporter` (`&#27;` in attributes,
/// `&amp#27;` in texts).
func readingWrittenEscapes(_ text: String) -> String {
  if !text.utf8.contains(.numberSign) { return text }
  return text.replacingParts { bytes, start, _ in
    guard let word = writtenEscapes.first(where: { bytes[start...].starts(with: $0) }),
      isRendition(bytes[(start + word.count)...])
    else { return nil }
    return (start + word.count, [0x1B])
  }
}

private let writtenEscapes = ["#x1B", "&#27;", "&amp#27;"].map { Array($0.utf8) }

/// True for the rest of a Select Graphic Rendition or Erase in Line sequence.
private func isRendition(_ bytes: ArraySlice<UInt8>) -> Bool {
  guard bytes.first == UInt8(ascii: "[") else { return false }
  let end = bytes.dropFirst().first { !(UInt8(ascii: "0")...UInt8(ascii: ";")).contains($0) }
  return end == UInt8(ascii: "m") || end == UInt8(ascii: "K")
}
