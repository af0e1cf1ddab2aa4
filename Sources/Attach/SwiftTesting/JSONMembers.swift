/// The members of a JSON object, read as they come; nothing is decoded that nobody asks for.
///
/// The object is one that Swift Testing has just written, so what is no JSON ends it.
struct JSONMembers: Sequence, IteratorProtocol {
  /// The bytes of a value or of a name, as they are written.
  typealias Bytes = Slice<UnsafeRawBufferPointer>

  private var rest: Bytes

  init(of object: Bytes) {
    rest = object
    skipSpaces()
    if rest.first == UInt8(ascii: "{") { rest.removeFirst() } else { rest = rest[rest.endIndex...] }
  }

  mutating func next() -> (name: Bytes, value: Bytes)? {
    skip(UInt8(ascii: ","))
    guard rest.first == UInt8(ascii: "\""), let name = takeValue() else { return nil }
    skip(UInt8(ascii: ":"))
    guard let value = takeValue() else { return nil }
    return (name.dropFirst().dropLast(), value)
  }

  private mutating func skipSpaces() {
    while let byte = rest.first, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      rest.removeFirst()
    }
  }

  /// Passes over a separator and the spaces around it.
  private mutating func skip(_ separator: UInt8) {
    skipSpaces()
    if rest.first == separator { rest.removeFirst() }
    skipSpaces()
  }

  private mutating func takeValue() -> Bytes? {
    guard let end = Self.endOfValue(in: rest), end > rest.startIndex else { return nil }
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  /// Where the value ends that begins at the first byte.
  private static func endOfValue(in bytes: Bytes) -> Int? {
    var (depth, isString) = (0, false)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      if isString {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "\"") { isString = false }
        if !isString && depth == 0 { return index }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index - 1 }
        depth -= 1
        if depth == 0 { return index }
      case UInt8(ascii: ","): if depth == 0 { return index - 1 }
      default: break
      }
    }
    return nil
  }

  /// The elements of an array.
  static func elements(of array: Bytes) -> [Bytes] {
    guard array.first == UInt8(ascii: "[") else { return [] }
    var members = JSONMembers(of: array[array.endIndex...])
    members.rest = array.dropFirst()
    var elements: [Bytes] = []
    members.skipSpaces()
    while let element = members.takeValue() {
      elements.append(element)
      members.skip(UInt8(ascii: ","))
    }
    return elements
  }
}

extension JSONMembers.Bytes {
  /// Whether these are the bytes of a text.
  func isEqual(to text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && zip(self, UnsafeBufferPointer(start: text.utf8Start, count: count)).allSatisfy { $0 == $1 }
  }

  var isTrue: Bool { isEqual(to: "true") }

  var integer: Int? { Int(String(decoding: self, as: UTF8.self)) }

  /// What a string says; `nil` of another value.
  var text: String? {
    guard count >= 2, first == UInt8(ascii: "\"") else { return nil }
    let inner = dropFirst().dropLast()
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    return Self.unescaped(inner)
  }

  private static func unescaped(_ bytes: Self) -> String {
    var units: [UInt16] = []
    var index = bytes.startIndex
    var plain = index
    func takePlain(upTo end: Int) {
      if plain < end { units += String(decoding: bytes[plain..<end], as: UTF8.self).utf16 }
    }
    while index + 1 < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      takePlain(upTo: index)
      let letter = bytes[index + 1]
      index += 2
      if letter == UInt8(ascii: "u"), index + 4 <= bytes.endIndex {
        units.append(UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16) ?? 0xFFFD)
        index += 4
      } else {
        units.append(UInt16(escapes[letter] ?? letter))
      }
      plain = index
    }
    takePlain(upTo: bytes.endIndex)
    return String(decoding: units, as: UTF16.self)
  }

  /// RFC 8259, section 7.
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]
}
