import ExhibitSystem
import Foundation
import ReportModel

/// One line of `swift test` or a test process.
///
/// Bytes are searched before a string is made, since output can be huge.
struct ConsoleLine {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Passes each line; an array of lines would need more memory than the text.
  static func read(_ bytes: Data, _ body: (_ line: ConsoleLine, _ place: Range<Int>) -> Void) {
    bytes.withUnsafeBytes { raw in
      let all = raw.bindMemory(to: UInt8.self)
      var start = 0
      while start < all.count {
        let end = all.first(.newline, from: start) ?? all.count
        body(ConsoleLine(bytes: UnsafeBufferPointer(rebasing: all[start..<end])), start..<end)
        start = end + 1
      }
    }
  }

  var count: Int { bytes.count }
  var isEmpty: Bool { bytes.isEmpty }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func begins(with text: StaticString) -> Bool { holds(text, at: 0) }

  func ends(with text: StaticString) -> Bool { holds(text, at: bytes.count - text.utf8CodeUnitCount) }

  func contains(_ text: StaticString) -> Bool {
    var position = 0
    while let found = bytes.first(text.utf8Start.pointee, from: position) {
      if holds(text, at: found) { return true }
      position = found + 1
    }
    return false
  }

  private func holds(_ text: StaticString, at position: Int) -> Bool {
    guard let start = bytes.baseAddress, position >= 0, bytes.count - position >= text.utf8CodeUnitCount
    else {
      return false
    }
    return memcmp(start + position, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  var beginsLikeAPlace: Bool {
    guard let end = bytes.first(.slash), end > 0 else { return false }
    return bytes[..<end].allSatisfy { $0.isXMLName && $0 != UInt8(ascii: ".") }
  }

  // MARK: - What stands around it

  var isPlain: Bool { bytes.first(.carriageReturn) == nil && bytes.first(0x1B) == nil }

  var cleaned: [UInt8] {
    var line = bytes[stampEnd...]
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    while line.last == .carriageReturn { line.removeLast() }
    let printed: [UInt8]
    if contains(": error: ") || contains(" recorded an issue") {
      printed = line.map { $0 == .carriageReturn ? .newline : $0 }
    } else {
      // Text before a carriage return was overwritten.
      printed = Array(line[(line.lastIndex(of: .carriageReturn).map { $0 + 1 } ?? line.startIndex)...])
    }
    guard printed.contains(0x1B) else { return printed }
    return Array(withoutTerminalSequences(String(decoding: printed, as: UTF8.self)).utf8)
  }

  /// The length of a CI timestamp at its start.
  ///
  /// GitHub and GitLab write `2026-11-27T22:46:00.123Z `, GitLab adds `00O `, Jenkins writes
  /// `[2026-11-27T22:46:00.123Z] `; `gh run view --log` puts job and step before it, each with a tab.
  var stampEnd: Int {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let tab = UInt8(ascii: "\t")
    if let first = bytes.first(tab), let second = bytes.first(tab, from: first + 1), first > 0 {
      start = second + 1
    }
    if start < bytes.count, bytes[start] == UInt8(ascii: "[") { start += 1 }
    let form = "0000-00-00T00:00:00".utf8
    guard bytes.count > start + form.count,
      zip(form, bytes[start...]).allSatisfy({ $0 == UInt8(ascii: "0") ? $1.isDigit : $0 == $1 })
    else { return 0 }
    let end = bytes[(start + form.count)...].firstIndex { !($0.isDigit || ".,:+-Z]".utf8.contains($0)) }
    guard let end, bytes[end] == UInt8(ascii: " ") else { return 0 }
    let stream = bytes[(end + 1)...].prefix(4)
    let isGitLab =
      stream.count == 4 && stream.prefix(2).allSatisfy(\.isDigit) && "OE".utf8.contains(stream[end + 3])
      && " +".utf8.contains(stream[end + 4])
    return isGitLab ? end + 5 : end + 1
  }
}
