import Glibc

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
  ///
  /// Written with pointers and literals: most tests are built for debugging, in which a collection's every byte and
  /// every `UInt8(ascii:)` is a call.
  private static func endOfValue(in bytes: Bytes) -> Int? {
    let buffer = UnsafeRawBufferPointer(rebasing: bytes)
    guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let count = buffer.count
    var (depth, index, end) = (0, 0, 0)
    while index < count {
      switch start[index] {
      case 0x22:  // "
        guard let quote = endOfString(start, from: index + 1, count) else { return nil }
        index = quote
        if depth == 0 { return bytes.startIndex + index + 1 }
      case 0x7B, 0x5B: depth += 1  // { [
      case 0x7D, 0x5D:  // } ]
        if depth == 0 { return bytes.startIndex + end }
        depth -= 1
        if depth == 0 { return bytes.startIndex + index + 1 }
      case 0x2C where depth == 0: return bytes.startIndex + end  // ,
      case 0x20, 0x0A, 0x0D, 0x09:
        index += 1
        continue
      default: break
      }
      index += 1
      end = index
    }
    return nil
  }

  /// The place of the quotation mark that ends a string.
  private static func endOfString(_ start: UnsafePointer<UInt8>, from first: Int, _ count: Int) -> Int? {
    var index = first
    while index < count, let found = memchr(start + index, 0x22, count - index) {
      let quote = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      var escapes = 0
      while quote - escapes > first, start[quote - escapes - 1] == 0x5C { escapes += 1 }
      if escapes % 2 == 0 { return quote }
      index = quote + 1
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
    return JSONString(bytes: UnsafeRawBufferPointer(rebasing: dropFirst().dropLast())).text
  }
}

/// What stands between the quotation marks of a string.
private struct JSONString {
  let bytes: UnsafeRawBufferPointer

  var text: String {
    guard var backslash = backslash(from: 0) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = 0
    while backslash + 1 < bytes.count {
      text.append(contentsOf: bytes[index..<backslash])
      index = backslash + 2
      if bytes[backslash + 1] == 0x75, let scalar = takeScalar(at: &index) {  // u
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        text.append(Self.character(bytes[backslash + 1]))
      }
      guard let next = self.backslash(from: index) else { break }
      backslash = next
    }
    text.append(contentsOf: bytes[index...])
    return String(decoding: text, as: UTF8.self)
  }

  private func backslash(from index: Int) -> Int? {
    guard let start = bytes.baseAddress, index < bytes.count else { return nil }
    return memchr(start + index, 0x5C, bytes.count - index).map { UnsafeRawPointer($0) - start }
  }

  /// Takes the digits at `index`, and the other half of a pair; what is half a pair is a replacement character.
  private func takeScalar(at index: inout Int) -> Unicode.Scalar? {
    guard let unit = unit(at: index) else { return nil }
    index += 4
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), index + 1 < bytes.count, bytes[index] == 0x5C,
      bytes[index + 1] == 0x75, let trail = self.unit(at: index + 2), UTF16.isTrailSurrogate(trail)
    else { return "\u{FFFD}" }
    index += 6
    return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
  }

  /// Four hexadecimal digits.
  private func unit(at index: Int) -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[index..<index + 4] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      unit = unit << 4 + UInt16(digit)
    }
    return unit
  }

  /// RFC 8259, section 7.
  private static func character(_ letter: UInt8) -> UInt8 {
    switch letter {
    case 0x62: 0x08  // b
    case 0x66: 0x0C  // f
    case 0x6E: 0x0A  // n
    case 0x72: 0x0D  // r
    case 0x74: 0x09  // t
    default: letter
    }
  }
}
