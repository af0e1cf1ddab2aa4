/// A binary property list, whose objects are read when they are asked for.
///
/// The bytes are untrusted: no object is read outside of them, and nothing here recurses. Foundation reads such lists too, but
/// on Linux tells no number of a reference in a keyed archive. The format is that of Apple's CFBinaryPList.c:
/// https://github.com/swiftlang/swift-corelibs-foundation.
struct BinaryPropertyList {
  /// Objects by their numbers.
  enum Node {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case text(String)
    /// A reference of a keyed archive, to an object of `$objects`.
    case reference(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  private let bytes: [UInt8]
  private let offsets: Range<Int>
  private let offsetSize: Int
  private let numberSize: Int
  /// The number of objects.
  let count: Int
  let top: Int

  static let magic = Array("bplist00".utf8)
  private static let trailer = 32

  /// - Returns: `nil` for bytes that are no binary property list.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count + Self.trailer else { return nil }
    let trailer = bytes.count - Self.trailer
    func long(at place: Int) -> Int? {
      Int(exactly: bytes[place..<(place + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    (offsetSize, numberSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(numberSize), let count = long(at: trailer + 8),
      let top = long(at: trailer + 16), let start = long(at: trailer + 24), count > 0, top < count,
      start >= Self.magic.count, start <= trailer, count <= (trailer - start) / offsetSize
    else { return nil }
    (self.bytes, self.count, self.top) = (bytes, count, top)
    offsets = start..<(start + count * offsetSize)
  }

  /// An object; `nil` where it does not lie in the bytes.
  func node(_ index: Int) -> Node? {
    guard (0..<count).contains(index),
      let start = number(at: offsets.lowerBound + index * offsetSize, size: offsetSize),
      start >= Self.magic.count, start < offsets.lowerBound
    else { return nil }
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0xF))
    switch (kind, low) {
    case (0x0, 0x0): return .null
    case (0x0, 0x8): return .bool(false)
    case (0x0, 0x9): return .bool(true)
    case (0x1, 0...4):
      let (size, place) = (1 << low, start + 1)
      guard let low = number(at: place + max(0, size - 8), size: min(size, 8), isSigned: size >= 8) else {
        return nil
      }
      return .integer(Int64(low))
    case (0x2, 2):
      return bits(at: start + 1, size: 4).map { .real(Double(Float(bitPattern: UInt32($0)))) }
    case (0x2, 3): return bits(at: start + 1, size: 8).map { .real(Double(bitPattern: $0)) }
    case (0x3, 3): return bits(at: start + 1, size: 8).map { .date(Double(bitPattern: $0)) }
    case (0x8, _): return number(at: start + 1, size: low + 1).map { .reference($0) }
    default: return counted(kind, low, at: start + 1)
    }
  }

  func text(_ index: Int) -> String? {
    if case .text(let text)? = node(index) { text } else { nil }
  }

  /// An object that begins with its count.
  private func counted(_ kind: UInt8, _ low: Int, at place: Int) -> Node? {
    guard let (count, start) = low < 0xF ? (low, place) : longCount(at: place) else { return nil }
    func slice(_ size: Int) -> ArraySlice<UInt8>? {
      guard count <= (offsets.lowerBound - start) / size else { return nil }
      return bytes[start..<(start + count * size)]
    }
    func numbers(from start: Int) -> [Int]? {
      guard start <= offsets.lowerBound, count <= (offsets.lowerBound - start) / numberSize else {
        return nil
      }
      let all = (0..<count).compactMap { number(at: start + $0 * numberSize, size: numberSize) }
      return all.count == count ? all : nil
    }
    switch kind {
    case 0x4: return slice(1).map { .data(Array($0)) }
    case 0x5, 0x7: return slice(1).map { .text(String(decoding: $0, as: UTF8.self)) }
    case 0x6:
      return slice(2).map { units in
        let units = stride(from: units.startIndex, to: units.endIndex, by: 2).map {
          UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
        }
        return .text(String(decoding: units, as: UTF16.self))
      }
    case 0xA, 0xB, 0xC: return numbers(from: start).map { .array($0) }
    case 0xD:
      guard let keys = numbers(from: start), let values = numbers(from: start + count * numberSize) else {
        return nil
      }
      return .dictionary(zip(keys, values).map { ($0, $1) })
    default: return nil
    }
  }

  private func longCount(at place: Int) -> (count: Int, start: Int)? {
    guard place < offsets.lowerBound, bytes[place] >> 4 == 1, bytes[place] & 0xF <= 3 else { return nil }
    let size = 1 << Int(bytes[place] & 0xF)
    return number(at: place + 1, size: size).map { ($0, place + 1 + size) }
  }

  private func bits(at place: Int, size: Int) -> UInt64? {
    guard place >= 0, place + size <= bytes.count - Self.trailer else { return nil }
    return bytes[place..<(place + size)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// - Returns: `nil` for a negative number, unless it may have a sign.
  private func number(at place: Int, size: Int, isSigned: Bool = false) -> Int? {
    guard let bits = bits(at: place, size: size) else { return nil }
    return isSigned ? Int(Int64(bitPattern: bits)) : Int(exactly: bits)
  }
}
