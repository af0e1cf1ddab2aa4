import ExhibitSystem
import Glibc
import ReportModel

/// A document's UTF-8 bytes with searches that are fast even in debug builds.
struct XMLBytes {
  private let base: UnsafePointer<UInt8>
  let count: Int

  /// - Parameter bytes: Must outlive the value.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else { return nil }
    self.base = base
    count = bytes.count
  }

  subscript(position: Int) -> UInt8 {
    position >= 0 && position < count ? base[position] : 0
  }

  subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let range = range.clamped(to: 0..<count)
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    return UnsafeBufferPointer(start: base, count: range.upperBound).first(byte, from: range.lowerBound)
  }

  func end(of text: StaticString, from start: Int) -> Int? {
    var position = start
    while let found = first(text.utf8Start.pointee, in: position..<max(position, count)) {
      if holds(text, at: found) { return found + text.utf8CodeUnitCount }
      position = found + 1
    }
    return nil
  }

  func holds(_ text: StaticString, at position: Int) -> Bool {
    equals(text, in: position..<(position + text.utf8CodeUnitCount))
  }

  func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
    range.count == text.utf8CodeUnitCount && range.upperBound <= count
      && memcmp(base + range.lowerBound, text.utf8Start, range.count) == 0
  }

  func equal(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.count == right.count && memcmp(base + left.lowerBound, base + right.lowerBound, left.count) == 0
  }
}

extension UInt8 {
  static let lessThan = UInt8(ascii: "<")
  static let greaterThan = UInt8(ascii: ">")
  static let ampersand = UInt8(ascii: "&")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let backtick = UInt8(ascii: "`")
  static let slash = UInt8(ascii: "/")
  static let questionMark = UInt8(ascii: "?")
  static let equals = UInt8(ascii: "=")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let numberSign = UInt8(ascii: "#")
  static let semicolon = UInt8(ascii: ";")

  var isIllegalControl: Bool { self < 0x20 && !isSpace }

  var isXMLNameStart: Bool {
    isLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || self >= 0x80
  }

  var isXMLName: Bool {
    isXMLNameStart || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
  }
}
