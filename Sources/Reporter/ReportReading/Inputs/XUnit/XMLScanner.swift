import Foundation
import ReportModel

/// Reads XML in one pass, tolerating unescaped text and a cut tag at the end.
///
/// SwiftPM does not escape raw identifiers in attributes and passes control characters. Document types and
/// entities are skipped, so nothing expands or is fetched.
struct XMLScanner {
  enum Token: Equatable {
    /// Sets `name` and `attributes`; an empty element's `end` follows.
    case start(isEmpty: Bool)
    case end
    /// Sets `text`, which has references unless it is CDATA.
    case text(isCDATA: Bool)
    case finished
  }

  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  let bytes: XMLBytes
  private(set) var position = 0
  private(set) var repairs: Set<XMLRepair> = []
  private(set) var name = 0..<0
  private(set) var tag = 0..<0
  private(set) var attributes: [Attribute] = []
  private(set) var text = 0..<0
  private var hasEndlessDocumentType = false

  init(_ bytes: XMLBytes) {
    self.bytes = bytes
  }

  mutating func next() -> Token {
    while position < bytes.count {
      guard bytes[position] == .lessThan else { return readText(from: position) }
      if let token = readMarkup() { return token }
    }
    return .finished
  }

  func attribute(_ name: StaticString) -> Range<Int>? {
    attributes.first { bytes.equals(name, in: $0.name) }?.value
  }

  // MARK: - Markup

  private mutating func readMarkup() -> Token? {
    let following = bytes[position + 1]
    if following.isXMLNameStart { return readStartTag() }
    if following == .slash && bytes[position + 2].isXMLNameStart { return readEndTag() }
    if following == .questionMark {
      skip(to: bytes.end(of: "?>", from: position))
    } else if bytes.holds("<!--", at: position) {
      skip(to: bytes.end(of: "-->", from: position + 4))
    } else if bytes.holds("<![CDATA[", at: position) {
      return readCharacterData()
    } else if bytes.holds("<!DOCTYPE", at: position) {
      skipDocumentType()
    } else {
      repairs.insert(.escaping)
      return readText(from: position + 1)
    }
    return nil
  }

  /// - Parameter search: Where to search for `<`; one at the start is text.
  private mutating func readText(from search: Int) -> Token {
    let end = bytes.first(.lessThan, in: search..<bytes.count) ?? bytes.count
    text = position..<end
    position = end
    return .text(isCDATA: false)
  }

  private mutating func readCharacterData() -> Token {
    let start = position + 9
    let after = bytes.end(of: "]]>", from: start)
    text = start..<(after.map { $0 - 3 } ?? bytes.count)
    skip(to: after)
    return .text(isCDATA: true)
  }

  private mutating func readStartTag() -> Token {
    let start = position
    name = range(from: position + 1, while: \.isXMLName)
    position = name.upperBound
    guard let isEmpty = readAttributes() else {
      position = start
      text = start..<start
      skip(to: nil)
      return .finished
    }
    tag = start..<position
    return .start(isEmpty: isEmpty)
  }

  private mutating func readEndTag() -> Token {
    name = range(from: position + 2, while: \.isXMLName)
    guard let end = bytes.first(.greaterThan, in: name.upperBound..<bytes.count) else {
      skip(to: nil)
      return .finished
    }
    tag = position..<(end + 1)
    position = end + 1
    return .end
  }

  private mutating func skipDocumentType() {
    repairs.insert(.documentType)
    let start = position
    var depth = 0
    // Only the first unterminated one is searched, for linear time.
    while position < bytes.count && !hasEndlessDocumentType {
      let byte = bytes[position]
      if bytes.holds("<!--", at: position) {
        skip(to: bytes.end(of: "-->", from: position))
        continue
      }
      if bytes.holds("<!ENTITY", at: position) { repairs.insert(.entities) }
      position += 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == .quote || byte == .apostrophe { skipQuoted(byte) }
      if byte == .greaterThan && depth <= 0 { return }
    }
    hasEndlessDocumentType = true
    // What follows its first line may be readable.
    position = bytes.first(.newline, in: start..<bytes.count) ?? bytes.count
  }

  private mutating func skipQuoted(_ quote: UInt8) {
    if let end = bytes.first(quote, in: position..<bytes.count) { position = end + 1 }
  }

  private mutating func skip(to end: Int?) {
    position = end ?? bytes.count
  }

  private func range(from start: Int, while isPart: (UInt8) -> Bool) -> Range<Int> {
    var end = start
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return start..<max(start, end)
  }

  // MARK: - Attributes

  /// - Returns: True for an empty element; `nil` when the document ends.
  private mutating func readAttributes() -> Bool? {
    let start = position
    if let isEmpty = readStrictly() { return isEmpty }
    position = start
    return readTolerantly()
  }

  // MARK: - Strict reading

  private mutating func readStrictly() -> Bool? {
    attributes.removeAll(keepingCapacity: true)
    var names: Set<Data> = []
    while true {
      skipSpaces()
      if bytes[position] == .greaterThan {
        position += 1
        return false
      }
      if bytes[position] == .slash && bytes[position + 1] == .greaterThan {
        position += 2
        return true
      }
      guard let attribute = readAttribute(), !isRepeated(attribute, &names) else { return nil }
      attributes.append(attribute)
    }
  }

  private mutating func readAttribute() -> Attribute? {
    let name = range(from: position, while: \.isXMLName)
    position = name.upperBound
    skipSpaces()
    guard !name.isEmpty, bytes[position] == .equals else { return nil }
    position += 1
    skipSpaces()
    let quote = bytes[position]
    guard quote == .quote || quote == .apostrophe,
      let end = bytes.first(quote, in: (position + 1)..<bytes.count)
    else { return nil }
    let value = (position + 1)..<end
    position = end + 1
    let following = bytes[position]
    guard following.isSpace || following == .greaterThan || following == .slash,
      bytes.first(.lessThan, in: value) == nil
    else { return nil }
    return Attribute(name: name, value: value)
  }

  /// True for a repeated name, which means unescaped text.
  private func isRepeated(_ attribute: Attribute, _ names: inout Set<Data>) -> Bool {
    if attributes.count < 16 {
      return attributes.contains { bytes.equal($0.name, attribute.name) }
    }
    if names.isEmpty { names.formUnion(attributes.map { Data(bytes[$0.name]) }) }
    return !names.insert(Data(bytes[attribute.name])).inserted
  }

  // MARK: - Tolerant reading

  private mutating func readTolerantly() -> Bool? {
    attributes.removeAll(keepingCapacity: true)
    repairs.insert(.escaping)
    var name = position..<position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == .greaterThan {
        position += 1
        return bytes[position - 2] == .slash
      } else if byte.isXMLNameStart {
        name = range(from: position, while: \.isXMLName)
        position = name.upperBound
      } else if byte == .quote || byte == .apostrophe {
        guard let value = readTolerantValue(of: name, quote: byte) else { return nil }
        attributes.append(Attribute(name: name, value: value))
        name = position..<position
      } else {
        position += 1
      }
    }
    return nil
  }

  private mutating func readTolerantValue(of name: Range<Int>, quote: UInt8) -> Range<Int>? {
    // SwiftPM writes raw identifiers here.
    let isName = bytes.equals("name", in: name) || bytes.equals("classname", in: name)
    let start = position + 1
    var isRawIdentifier = false
    position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == .backtick && isName {
        isRawIdentifier = !isRawIdentifier && rawIdentifierEnds(after: position)
      }
      if byte == quote && !isRawIdentifier && endsValue(at: position) {
        position += 1
        return start..<(position - 1)
      }
      position += 1
    }
    return nil
  }

  /// True when the tag's end or another attribute follows a quote.
  private func endsValue(at quote: Int) -> Bool {
    let next = range(from: quote + 1, while: \.isSpace).upperBound
    if next >= bytes.count || bytes[next] == .greaterThan { return true }
    if bytes[next] == .slash { return bytes[next + 1] == .greaterThan }
    guard next > quote + 1, bytes[next].isXMLNameStart else { return false }
    let end = range(from: next, while: \.isXMLName).upperBound
    return bytes[end] == .equals && (bytes[end + 1] == .quote || bytes[end + 1] == .apostrophe)
  }

  private func rawIdentifierEnds(after backtick: Int) -> Bool {
    let rest = (backtick + 1)..<bytes.count
    guard let end = bytes.first(.backtick, in: rest) else { return false }
    return bytes.first(.newline, in: (backtick + 1)..<end) == nil
  }

  private mutating func skipSpaces() {
    position = range(from: position, while: \.isSpace).upperBound
  }
}
