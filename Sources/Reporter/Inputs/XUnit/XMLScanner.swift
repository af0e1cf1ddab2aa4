/// Reads XML in one pass over its bytes, also where its writer did not escape what it should have.
///
/// SwiftPM's writers put raw identifiers into attributes unescaped and let control characters pass. Entities are
/// unknown to it, but for XML's own five: a document type is passed over, so that nothing expands and nothing is
/// fetched. What stops in the middle of a tag is not reported.
struct XMLScanner {
  enum Token: Equatable {
    /// An element begins: `name` and `attributes` are set. An empty one gets its `end` at once.
    case start(isEmpty: Bool)
    /// An element ends: `name` is set.
    case end
    /// Text: `text` is set, with references in it unless it is a CDATA section.
    case text(isCDATA: Bool)
    /// There is nothing more.
    case finished
  }

  /// An attribute as it stands in the document.
  struct Attribute {
    var name: Range<Int>
    /// Without the quotes, with references in it.
    var value: Range<Int>
  }

  let bytes: XMLBytes
  var position = 0
  /// What had to be changed to read the document as far as it was read.
  var repairs: Set<XMLRepair> = []
  private(set) var name = 0..<0
  var attributes: [Attribute] = []
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

  /// The value of an attribute, as it stands in the document.
  func attribute(_ name: StaticString) -> Range<Int>? {
    attributes.first { bytes.equals(name, in: $0.name) }?.value
  }

  // MARK: - Markup

  /// - Returns: `nil` for what was passed over.
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

  /// - Parameter search: Where the next `<` is looked for: the one that text begins with is text.
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
    return .start(isEmpty: isEmpty)
  }

  private mutating func readEndTag() -> Token {
    name = range(from: position + 2, while: \.isXMLName)
    guard let end = bytes.first(.greaterThan, in: name.upperBound..<bytes.count) else {
      skip(to: nil)
      return .finished
    }
    position = end + 1
    return .end
  }

  /// `<!DOCTYPE … [ … ]>`, with its quoted texts and comments; entities are declared nowhere else.
  private mutating func skipDocumentType() {
    repairs.insert(.documentType)
    let start = position
    var depth = 0
    // Of several that never end the first has been looked through to the end.
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
    // It never ends: what follows its first line may still be read.
    position = bytes.first(.newline, in: start..<bytes.count) ?? bytes.count
  }

  private mutating func skipQuoted(_ quote: UInt8) {
    if let end = bytes.first(quote, in: position..<bytes.count) { position = end + 1 }
  }

  private mutating func skip(to end: Int?) {
    position = end ?? bytes.count
  }

  /// The bytes from a position on that are of a kind.
  func range(from start: Int, while isPart: (UInt8) -> Bool) -> Range<Int> {
    var end = start
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return start..<max(start, end)
  }
}

/// Something that had to be changed to read a document.
enum XMLRepair: String, Sendable, CaseIterable {
  case controlCharacters = "control characters were removed"
  case escapeCharacters = "escape characters were read as a terminal's"
  case encoding = "bytes that are not UTF-8 were replaced"
  case escaping = "characters that were not escaped were read as text"
  case documentType = "a document type was left out"
  case entities = "the entities it declares were left out"
}
