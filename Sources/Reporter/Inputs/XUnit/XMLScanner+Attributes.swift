import Foundation

extension XMLScanner {
  /// Reads the rest of a start tag: as XML has it or, where that fails, guessing what its writer meant.
  ///
  /// - Returns: Whether the element is empty; `nil` when the document ends in the tag.
  mutating func readAttributes() -> Bool? {
    let start = position
    if let isEmpty = readStrictly() { return isEmpty }
    position = start
    return readTolerantly()
  }

  // MARK: - As XML has it

  /// - Returns: `nil` when the tag is not well-formed.
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
    guard following.isXMLSpace || following == .greaterThan || following == .slash,
      bytes.first(.lessThan, in: value) == nil
    else { return nil }
    return Attribute(name: name, value: value)
  }

  /// A second attribute of one name is none: it stands in a text that was not escaped.
  ///
  /// - Parameter names: The names of all attributes once they are many.
  private func isRepeated(_ attribute: Attribute, _ names: inout Set<Data>) -> Bool {
    if attributes.count < 16 {
      return attributes.contains { bytes.equal($0.name, attribute.name) }
    }
    if names.isEmpty { names.formUnion(attributes.map { Data(bytes[$0.name]) }) }
    return !names.insert(Data(bytes[attribute.name])).inserted
  }

  // MARK: - As its writer may have meant it

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

  /// Reads up to the quote that markup follows.
  private mutating func readTolerantValue(of name: Range<Int>, quote: UInt8) -> Range<Int>? {
    // Where SwiftPM writes raw identifiers.
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

  /// A quote ends its value when markup follows: the tag's end or the next attribute.
  private func endsValue(at quote: Int) -> Bool {
    let next = range(from: quote + 1, while: \.isXMLSpace).upperBound
    if next >= bytes.count || bytes[next] == .greaterThan { return true }
    if bytes[next] == .slash { return bytes[next + 1] == .greaterThan }
    guard next > quote + 1, bytes[next].isXMLNameStart else { return false }
    let end = range(from: next, while: \.isXMLName).upperBound
    return bytes[end] == .equals && (bytes[end + 1] == .quote || bytes[end + 1] == .apostrophe)
  }

  /// A raw identifier ends at the next backtick, on the same line.
  private func rawIdentifierEnds(after backtick: Int) -> Bool {
    let rest = (backtick + 1)..<bytes.count
    guard let end = bytes.first(.backtick, in: rest) else { return false }
    return bytes.first(.newline, in: (backtick + 1)..<end) == nil
  }

  private mutating func skipSpaces() {
    position = range(from: position, while: \.isXMLSpace).upperBound
  }
}
