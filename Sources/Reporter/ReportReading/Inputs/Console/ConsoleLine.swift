import ExhibitSystem
import Foundation

/// A line that `swift test` or one of its test processes printed.
///
/// Tests print as much as they like, so only bytes are searched until a line is known to tell something.
struct ConsoleLine {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Reads lines one after another, since a list of many short ones takes more room than their bytes.
  ///
  /// - Parameter body: Receives each line with its place in the bytes.
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
    guard let start = bytes.baseAddress, position >= 0, bytes.count - position >= text.utf8CodeUnitCount else {
      return false
    }
    return memcmp(start + position, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// True when what stands before the first solidus can be the name of a module.
  var beginsLikeAPlace: Bool {
    guard let end = bytes.first(.slash), end > 0 else { return false }
    return bytes[..<end].allSatisfy { $0.isXMLName && $0 != UInt8(ascii: ".") }
  }
}
