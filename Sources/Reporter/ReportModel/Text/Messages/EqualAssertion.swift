import Glibc

/// Reads corelibs XCTest's `XCTAssertEqual failed: ("a") is not equal to ("b") - note`.
///
/// - Returns: `nil` for another wording, and when a value contains this one.
func readEqualAssertion(_ text: String) -> FailureMessage.Comparison? {
  let opening = "XCTAssertEqual failed: (\""
  guard text.hasPrefix(opening) else { return nil }
  let sides = text.dropFirst(opening.count).pieces(separatedBy: "\") is not equal to (\"")
  guard sides.count == 2, !sides[1].contains("\") +/- (\"") else { return nil }
  let end = sides[1].pieces(separatedBy: "\") - ")
  guard end.count == 2 || sides[1].hasSuffix("\")") else { return nil }
  let right = end.count == 2 ? end[0] : sides[1].dropLast(2)
  let note = end.count == 2 ? String(end[1]) : ""
  return FailureMessage.Comparison(
    headline: "XCTAssertEqual failed", left: .init(label: "first", value: String(sides[0])),
    right: .init(label: "second", value: String(right)), note: note.isEmpty ? nil : note)
}

extension StringProtocol where SubSequence == Substring {
  /// Compares bytes.
  package func pieces(separatedBy separator: String) -> [Substring] {
    var pieces: [Substring] = []
    var start = startIndex
    for place in places(of: separator) where place.lowerBound >= start {
      pieces.append(self[start..<place.lowerBound])
      start = place.upperBound
    }
    return pieces + [self[start..<endIndex]]
  }

  package func places(of text: String) -> [Range<String.Index>] {
    let wanted = Array(text.utf8)
    let offsets =
      utf8.withContiguousStorageIfAvailable { offsetsOf(wanted, in: $0) }
      ?? Array(utf8).withUnsafeBufferPointer { offsetsOf(wanted, in: $0) }
    return offsets.map { offset in
      let start = utf8.index(utf8.startIndex, offsetBy: offset)
      return start..<utf8.index(start, offsetBy: wanted.count)
    }
  }
}

private func offsetsOf(_ wanted: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
  guard let initial = wanted.first, let first = bytes.baseAddress else { return [] }
  var found: [Int] = []
  var start = 0
  while start + wanted.count <= bytes.count,
    let place = memchr(first + start, Int32(initial), bytes.count - wanted.count + 1 - start)
  {
    let offset = UnsafeRawPointer(first).distance(to: place)
    if memcmp(place, wanted, wanted.count) == 0 { found.append(offset) }
    start = offset + 1
  }
  return found
}
