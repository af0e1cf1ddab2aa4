import ExhibitSystem
import ReportModel

/// Decodes and limits texts of attributes and elements.
///
/// Line breaks in attributes stay, since SwiftPM does not escape them.
struct XMLText {
  static let limit = 1 << 20
  /// Texts behind so many bytes are limited to `shortLimit`.
  private static let totalLimit = 256 << 20
  private static let shortLimit = 1 << 10
  private static let changed = ByteSet { $0 < 0x20 && $0 != .newline && $0 != 0x9 || $0 == .ampersand }
  private static let notASCII = ByteSet { $0 >= 0x80 }

  private(set) var repairs: Set<XMLRepair> = []
  private(set) var cutCount = 0
  private var total = 0

  /// - Parameters:
  ///   - hasReferences: False in CDATA.
  ///   - isProse: True for messages and output, which may have terminal sequences.
  mutating func string(
    _ bytes: UnsafeBufferPointer<UInt8>, hasReferences: Bool = true, isProse: Bool = false
  ) -> String {
    let limit = total > Self.totalLimit ? Self.shortLimit : Self.limit
    let kept = bytes.count > limit ? cut(bytes, limit) : bytes
    total += kept.count
    if kept.first(in: Self.changed) == nil { return decode(kept) }
    let legal = unescape(kept, hasReferences: hasReferences, isProse: isProse)
    return legal.withUnsafeBufferPointer { decode($0) }
  }

  private mutating func cut(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: Int
  ) -> UnsafeBufferPointer<UInt8> {
    cutCount += 1
    var end = limit
    while end > limit - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[..<end])
  }

  private mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if bytes.first(in: Self.notASCII) == nil { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    repairs.insert(.encoding)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - References

  private mutating func unescape(
    _ bytes: UnsafeBufferPointer<UInt8>, hasReferences: Bool, isProse: Bool
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == .ampersand && hasReferences {
        position = appendReference(in: bytes, at: position, isProse: isProse, to: &text)
        continue
      }
      position += 1
      if byte.isIllegalControl {
        append(control: byte, isProse: isProse, to: &text)
      } else if byte != .carriageReturn {
        text.append(byte)
      } else if position == bytes.count || bytes[position] != .newline {
        text.append(.newline)
      }
    }
    return text
  }

  private mutating func append(control: UInt8, isProse: Bool, to text: inout [UInt8]) {
    let isKept = isProse && control == 0x1B
    repairs.insert(isKept ? .escapeCharacters : .controlCharacters)
    if isKept { text.append(control) }
  }

  private mutating func appendReference(
    in bytes: UnsafeBufferPointer<UInt8>, at start: Int, isProse: Bool, to text: inout [UInt8]
  ) -> Int {
    let window = bytes[(start + 1)..<min(start + 12, bytes.count)]
    guard let end = window.firstIndex(of: .semicolon),
      let scalar = Self.scalar(ofReference: String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
    else {
      repairs.insert(.escaping)
      text.append(.ampersand)
      return start + 1
    }
    if scalar.isLegalInXML {
      text.append(contentsOf: String(scalar).utf8)
    } else {
      append(control: UInt8(truncatingIfNeeded: scalar.value), isProse: isProse && scalar.isASCII, to: &text)
    }
    return end + 1
  }

  private static func scalar(ofReference name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let isHexadecimal = digits.hasPrefix("x")
      let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap(Unicode.Scalar.init)
    }
  }
}

extension Unicode.Scalar {
  /// Source: XML 1.0, production 2, `Char`.
  var isLegalInXML: Bool {
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}

extension String {
  package var removingCharactersIllegalInXML: String {
    // Most texts need no copy. U+FFFE and U+FFFF begin with the byte EF.
    if !holds(bytesIllegalInXML) { return self }
    if unicodeScalars.allSatisfy(\.isLegalInXML) { return self }
    var scalars = UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.lazy.filter(\.isLegalInXML))
    return String(scalars)
  }
}

private let bytesIllegalInXML = ByteSet { byte in
  byte < 0x20 && byte != 0x9 && byte != 0xA && byte != 0xD || byte == 0xEF
}
