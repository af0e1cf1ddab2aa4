import Foundation

/// Makes XML that its writer did not escape readable, byte by byte over UTF-8.
///
/// SwiftPM's writers put raw identifiers into attributes unescaped and let control characters pass. What an XML
/// parser cannot be given safely, a document type with its entities, is left out.
struct XMLRepair {
  /// The document in UTF-8, without declaration and document type.
  private(set) var bytes: [UInt8] = []
  /// What was changed; empty for a document that needed nothing.
  private(set) var repairs: Set<Repair> = []

  enum Repair: String, Sendable, CaseIterable {
    case controlCharacters = "control characters were removed"
    case encoding = "bytes that are not UTF-8 were replaced"
    case escaping = "characters that were not escaped were read as text"
    case documentType = "a document type was left out"
  }

  private let input: [UInt8]
  private var position = 0

  init(_ data: Data) {
    input = [UInt8](data)
    bytes.reserveCapacity(input.count)
    while position < input.count { copyNext() }
    removeIllegalCharacters()
  }

  // MARK: - Markup

  private mutating func copyNext() {
    guard input[position] == .lessThan else { return copyText() }
    if starts(with: "<!--") { return copy(through: "-->") }
    if starts(with: "<![CDATA[") { return copy(through: "]]>") }
    if starts(with: "<?") { return skip(through: "?>") }
    if starts(with: "<!DOCTYPE") { return skipDocumentType() }
    startsTag ? copyTag() : copyEscaped(.lessThan)
  }

  /// A tag begins with a letter or an underscore, after a slash if it ends an element.
  private var startsTag: Bool {
    guard var next = byte(at: position + 1) else { return false }
    if next == .slash, let name = byte(at: position + 2) { next = name }
    return next.isNameStart
  }

  private mutating func copyText() {
    let byte = input[position]
    if byte == .ampersand { copyAmpersand() } else { copyByte() }
  }

  private mutating func copyTag() {
    copyByte()
    while let byte = byte(at: position), byte != .greaterThan {
      if byte == .quote || byte == .apostrophe { copyAttributeValue(quote: byte) } else { copyByte() }
    }
    if position < input.count { copyByte() }
  }

  // MARK: - Attributes

  private mutating func copyAttributeValue(quote: UInt8) {
    // `name` and `classname` are where SwiftPM writes raw identifiers.
    let isName = input[..<position].suffix(5).elementsEqual("name=".utf8)
    copyByte()
    var isRawIdentifier = false
    while let byte = byte(at: position) {
      if byte == .backtick && isName {
        isRawIdentifier = !isRawIdentifier && rawIdentifierEnds(after: position)
      }
      if byte == quote && !isRawIdentifier && endsValue(at: position) { return copyByte() }
      switch byte {
      case quote, .lessThan: copyEscaped(byte)
      case .ampersand: copyAmpersand()
      default: copyByte()
      }
    }
  }

  /// A quote ends its value when markup follows: the tag's end or the next attribute.
  private func endsValue(at quote: Int) -> Bool {
    var next = quote + 1
    while let byte = byte(at: next), byte.isSpace { next += 1 }
    guard let byte = byte(at: next) else { return true }
    if byte == .greaterThan { return true }
    if byte == .slash || byte == .questionMark { return self.byte(at: next + 1) == .greaterThan }
    guard next > quote + 1, byte.isNameStart else { return false }
    while let byte = self.byte(at: next), byte.isName { next += 1 }
    return self.byte(at: next) == .equals
      && (self.byte(at: next + 1) == .quote || self.byte(at: next + 1) == .apostrophe)
  }

  /// A raw identifier ends at the next backtick, on the same line.
  private func rawIdentifierEnds(after backtick: Int) -> Bool {
    var next = backtick + 1
    while let byte = byte(at: next), byte != .newline {
      if byte == .backtick { return true }
      next += 1
    }
    return false
  }

  // MARK: - References

  /// Keeps the references that XML knows; any other ampersand is text.
  private mutating func copyAmpersand() {
    guard let end = referenceEnd else { return copyEscaped(.ampersand) }
    let name = input[(position + 1)..<end]
    if name.first == .numberSign {
      guard let scalar = Self.scalar(ofReference: name.dropFirst()) else { return copyEscaped(.ampersand) }
      if !scalar.isLegalInXML {
        repairs.insert(.controlCharacters)
        position = end + 1
        return
      }
    } else if !["amp", "lt", "gt", "quot", "apos"].contains(String(decoding: name, as: UTF8.self)) {
      return copyEscaped(.ampersand)
    }
    bytes.append(contentsOf: input[position...end])
    position = end + 1
  }

  /// The position of the semicolon, where a name or number stands before it.
  private var referenceEnd: Int? {
    var next = position + 1
    while let byte = byte(at: next), byte.isName || byte == .numberSign, next < position + 12 { next += 1 }
    return byte(at: next) == .semicolon && next > position + 1 ? next : nil
  }

  private static func scalar(ofReference digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let text = String(decoding: digits, as: UTF8.self)
    let isHexadecimal = text.hasPrefix("x")
    let number = isHexadecimal ? UInt32(text.dropFirst(), radix: 16) : UInt32(text)
    return number.flatMap(Unicode.Scalar.init)
  }

  // MARK: - Copying

  private mutating func copyByte() {
    bytes.append(input[position])
    position += 1
  }

  private mutating func copyEscaped(_ byte: UInt8) {
    let escaped =
      switch byte {
      case .lessThan: "&lt;"
      case .ampersand: "&amp;"
      case .apostrophe: "&apos;"
      default: "&quot;"
      }
    bytes.append(contentsOf: escaped.utf8)
    repairs.insert(.escaping)
    position += 1
  }

  private mutating func copy(through end: String) {
    let stop = index(after: end)
    bytes.append(contentsOf: input[position..<stop])
    position = stop
  }

  private mutating func skip(through end: String) {
    position = index(after: end)
  }

  /// `<!DOCTYPE … [ … ]>`; entities are declared nowhere else.
  private mutating func skipDocumentType() {
    repairs.insert(.documentType)
    var depth = 0
    while let byte = byte(at: position) {
      position += 1
      if byte == .openBracket { depth += 1 }
      if byte == .closeBracket { depth -= 1 }
      if byte == .greaterThan && depth <= 0 { return }
    }
  }

  private func starts(with text: String) -> Bool { input[position...].starts(with: text.utf8) }

  private func byte(at index: Int) -> UInt8? { index < input.count ? input[index] : nil }

  private func index(after text: String) -> Int {
    let text = Array(text.utf8)
    var start = position
    while start + text.count <= input.count {
      if input[start..<(start + text.count)].elementsEqual(text) { return start + text.count }
      start += 1
    }
    return input.count
  }

  // MARK: - Characters

  private mutating func removeIllegalCharacters() {
    var text = String(decoding: bytes, as: UTF8.self)
    if !text.utf8.elementsEqual(bytes) { repairs.insert(.encoding) }
    if !text.unicodeScalars.allSatisfy(\.isLegalInXML) {
      repairs.insert(.controlCharacters)
      text = text.removingCharactersIllegalInXML
    }
    bytes = Array(text.utf8)
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
  var removingCharactersIllegalInXML: String {
    var scalars = UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.lazy.filter(\.isLegalInXML))
    return String(scalars)
  }
}

extension UInt8 {
  fileprivate static let lessThan = UInt8(ascii: "<")
  fileprivate static let greaterThan = UInt8(ascii: ">")
  fileprivate static let ampersand = UInt8(ascii: "&")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let apostrophe = UInt8(ascii: "'")
  fileprivate static let backtick = UInt8(ascii: "`")
  fileprivate static let slash = UInt8(ascii: "/")
  fileprivate static let questionMark = UInt8(ascii: "?")
  fileprivate static let equals = UInt8(ascii: "=")
  fileprivate static let newline = UInt8(ascii: "\n")
  fileprivate static let numberSign = UInt8(ascii: "#")
  fileprivate static let semicolon = UInt8(ascii: ";")
  fileprivate static let openBracket = UInt8(ascii: "[")
  fileprivate static let closeBracket = UInt8(ascii: "]")

  fileprivate var isSpace: Bool { self == 0x20 || self == 0x9 || self == 0xA || self == 0xD }

  fileprivate var isNameStart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  fileprivate var isName: Bool {
    isNameStart || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }
}
