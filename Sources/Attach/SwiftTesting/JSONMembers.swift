import Collector
import Glibc

struct JSONBytes {
  fileprivate let start: UnsafePointer<UInt8>?
  fileprivate let count: Int

  fileprivate init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    self.start = start
    self.count = count
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  func isEqual(to text: StaticString) -> Bool {
    guard let start, count == text.utf8CodeUnitCount else { return false }
    return memcmp(start, text.utf8Start, count) == 0
  }

  var isTrue: Bool { isEqual(to: "true") }

  var written: String { String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }

  var integer: Int? { Int(written) }

  var text: String? {
    guard let start, count >= 2, start[0] == 0x22 else { return nil }
    guard memchr(start, 0x5C, count) != nil else {
      return String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 2), as: UTF8.self)
    }
    return JSONValue(UnsafeBufferPointer(start: start, count: count))?.string
  }
}

/// Iterates over a JSON object's members without decoding them.
///
/// In a debug build each access to a collection and each `UInt8(ascii:)` is a call.
struct JSONMembers: Sequence, IteratorProtocol {
  private let start: UnsafePointer<UInt8>?
  private let count: Int
  private var index = 0

  init(of object: JSONBytes) {
    self.init(object, opening: 0x7B)  // {
  }

  private init(_ value: JSONBytes, opening: UInt8) {
    (start, count) = (value.start, value.count)
    skipSpaces()
    if let start, index < count, start[index] == opening { index += 1 } else { index = count }
  }

  mutating func next() -> (name: JSONBytes, value: JSONBytes)? {
    skip(0x2C)  // ,
    guard let start, index < count, start[index] == 0x22, let name = takeValue() else { return nil }
    skip(0x3A)  // :
    guard let value = takeValue(), name.count >= 2, let first = name.start else { return nil }
    return (JSONBytes(first + 1, name.count - 2), value)
  }

  static func elements(of array: JSONBytes) -> [JSONBytes] {
    var members = JSONMembers(array, opening: 0x5B)  // [
    var elements: [JSONBytes] = []
    members.skipSpaces()
    while let element = members.takeValue() {
      elements.append(element)
      members.skip(0x2C)
    }
    return elements
  }

  private mutating func skipSpaces() {
    guard let start else { return }
    while index < count {
      switch start[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func skip(_ separator: UInt8) {
    skipSpaces()
    if let start, index < count, start[index] == separator { index += 1 }
    skipSpaces()
  }

  private mutating func takeValue() -> JSONBytes? {
    guard let start, let end = Self.endOfValue(start, from: index, count), end > index else { return nil }
    let value = JSONBytes(start + index, end - index)
    index = end
    return value
  }

  private static func endOfValue(_ start: UnsafePointer<UInt8>, from first: Int, _ count: Int) -> Int? {
    var (depth, index, end) = (0, first, first)
    while index < count {
      switch start[index] {
      case 0x22:  // "
        guard let quote = endOfString(start, from: index + 1, count) else { return nil }
        index = quote
        if depth == 0 { return index + 1 }
      case 0x7B, 0x5B: depth += 1  // { [
      case 0x7D, 0x5D:  // } ]
        if depth == 0 { return end }
        depth -= 1
        if depth == 0 { return index + 1 }
      case 0x2C where depth == 0: return end  // ,
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
}
