/// A binary property list, whose objects are read when they are asked for.
///
/// The bytes are untrusted: no object is read outside of them, nothing here recurses, texts and data are read in part, and
/// all reading together has a limit. Foundation reads such lists too, but on Linux tells no number of a reference in a keyed
/// archive. The format is that of Apple's CFBinaryPList.c: https://github.com/swiftlang/swift-corelibs-foundation.
struct BinaryPropertyList {
  /// Objects by their numbers.
  enum Node {
    case null
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    /// The first bytes.
    case data([UInt8], count: Int)
    /// The beginning of a long one.
    case text(String)
    /// A reference of a keyed archive, to an object of `$objects`.
    case reference(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  /// What may still be read: an object, a member of one, or sixteen bytes of a text.
  private final class Work {
    var left: Int
    init(_ left: Int) { self.left = left }
  }

  private let bytes: [UInt8]
  private let work: Work
  private let offsets: Range<Int>
  private let offsetSize: Int
  private let numberSize: Int
  /// The number of objects.
  let count: Int
  let top: Int

  static let magic = Array("bplist00".utf8)
  private static let trailer = 32
  private static let (mostData, mostText) = (64, 4000)

  /// Finds the objects.
  ///
  /// - Parameters:
  ///   - bytes: All of it.
  ///   - work: The most objects and members that are read.
  /// - Returns: `nil` for bytes that are no binary property list.
  init?(_ bytes: [UInt8], work: Int = 200_000) {
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
    (self.bytes, self.work, self.count, self.top) = (bytes, Work(work), count, top)
    offsets = start..<(start + count * offsetSize)
  }

  /// True until all was read that may be.
  var hasWork: Bool { work.left > 0 }
  /// What may still be read.
  var workLeft: Int { max(0, work.left) }

  /// An object; `nil` where it does not lie in the bytes, or no more is read.
  func node(_ index: Int) -> Node? {
    guard let start = place(of: index) else { return nil }
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0xF))
    switch (kind, low) {
    case (0x0, 0x0): return .null
    case (0x0, 0x8): return .bool(false)
    case (0x0, 0x9): return .bool(true)
    case (0x1, 0...3):
      // Only of eight bytes it has a sign.
      return bits(at: start + 1, size: 1 << low).map {
        .integer(low == 3 ? Int128(Int64(bitPattern: $0)) : Int128($0))
      }
    case (0x1, 4):
      guard let high = bits(at: start + 1, size: 8), let rest = bits(at: start + 9, size: 8) else {
        return nil
      }
      return .integer(Int128(bitPattern: UInt128(high) << 64 | UInt128(rest)))
    case (0x2, 2):
      return bits(at: start + 1, size: 4).map { .real(Double(Float(bitPattern: UInt32($0)))) }
    case (0x2, 3): return bits(at: start + 1, size: 8).map { .real(Double(bitPattern: $0)) }
    case (0x3, 3): return bits(at: start + 1, size: 8).map { .date(Double(bitPattern: $0)) }
    case (0x8, 0...7): return number(at: start + 1, size: low + 1).map { .reference($0) }
    default: return counted(kind, low, at: start + 1)
    }
  }

  /// Where an object begins; what asks pays.
  private func place(of index: Int) -> Int? {
    work.left -= 1
    guard work.left > 0, (0..<count).contains(index),
      let start = number(at: offsets.lowerBound + index * offsetSize, size: offsetSize),
      start >= Self.magic.count, start < offsets.lowerBound
    else { return nil }
    return start
  }

  func text(_ index: Int) -> String? {
    if case .text(let text)? = node(index) { text } else { nil }
  }

  /// True for an object that is that text, in ASCII, as the names are that archives use; nothing is decoded.
  func isText(_ index: Int, _ name: String) -> Bool {
    guard let start = place(of: index), bytes[start] >> 4 == 0x5 else { return false }
    let low = Int(bytes[start] & 0xF)
    guard let (count, first) = low < 0xF ? (low, start + 1) : longCount(at: start + 1),
      count == name.utf8.count, count <= offsets.lowerBound - first
    else { return false }
    return bytes[first..<(first + count)].elementsEqual(name.utf8)
  }

  /// A value of a dictionary, whose name is ASCII; `nil` of any other object.
  func member(_ name: String, of dictionary: Int) -> Int? {
    guard case .dictionary(let members)? = node(dictionary) else { return nil }
    return members.first { isText($0.key, name) }?.value
  }

  /// An object that begins with its count.
  private func counted(_ kind: UInt8, _ low: Int, at place: Int) -> Node? {
    guard let (count, start) = low < 0xF ? (low, place) : longCount(at: place) else { return nil }
    func slice(_ size: Int, most: Int) -> ArraySlice<UInt8>? {
      guard count <= (offsets.lowerBound - start) / size else { return nil }
      let read = min(count, most)
      work.left -= read / 16
      return bytes[start..<(start + read * size)]
    }
    func numbers(from start: Int) -> [Int]? {
      guard start <= offsets.lowerBound, count <= (offsets.lowerBound - start) / numberSize else {
        return nil
      }
      work.left -= count
      guard work.left > 0 else { return nil }
      let all = (0..<count).compactMap { number(at: start + $0 * numberSize, size: numberSize) }
      return all.count == count ? all : nil
    }
    switch kind {
    case 0x4: return slice(1, most: Self.mostData).map { .data(Array($0), count: count) }
    case 0x5, 0x7: return slice(1, most: Self.mostText).map { .text(String(decoding: $0, as: UTF8.self)) }
    case 0x6:
      return slice(2, most: Self.mostText).map { units in
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

  /// - Returns: `nil` for one of more than 63 bits.
  private func number(at place: Int, size: Int) -> Int? {
    bits(at: place, size: size).flatMap { Int(exactly: $0) }
  }
}
