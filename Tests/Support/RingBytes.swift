package import Collector
import Foundation

/// A ring as docs/artifacts-format.md describes it, written by hand.
package struct RingBytes {
  private let room: Int
  private var data: [UInt8]
  private var first = 0
  private var end = 0
  private var places: [Int] = []
  private var overwritten = 0
  /// What the header says instead.
  package var changesHeader: (inout [UInt8]) -> Void = { _ in }

  package init(room: Int = 8192) {
    self.room = room
    data = Array(repeating: 0, count: room)
  }

  /// The whole file.
  package var bytes: [UInt8] {
    var header = Payload()
    header.raw(Array("Exhibit trace 1\n".utf8))
    header.integer(UInt32(4096))
    header.integer(UInt32(3))
    header.integer(UInt64(room))
    header.integer(UInt64(4711))
    header.integer(UInt64(99))
    header.integer(UInt64(0))
    header.integer(UInt64(1_000_000))
    header.integer(UInt64(first))
    header.integer(UInt64(end))
    header.integer(UInt64(overwritten))
    header.integer(UInt32(1))
    header.integer(UInt32(1))
    var bytes = header.bytes + Array(repeating: 0, count: 4096 - header.bytes.count)
    changesHeader(&bytes)
    return bytes + data
  }

  /// Appends a record and gives its position.
  @discardableResult package mutating func add(
    _ kind: UInt16, flags: UInt16 = 0, time: UInt64 = 0, test: UInt32 = 1, connection: UInt32 = 1,
    _ payload: Payload = Payload()
  ) -> UInt64 {
    let size = (32 + payload.bytes.count + 4 + 7) & ~7
    let rest = room - end % room
    if rest < size {
      free(rest + size)
      if rest >= 32 { write(header(rest, 0, 0, end, 0, 0, 0), at: end) }
      if rest >= 40 { writeSum(end, rest) }
      end += rest
    } else {
      free(size)
    }
    let position = end
    write(header(size, kind, flags, position, time, test, connection), at: position)
    write(payload.bytes + Array(repeating: 0, count: size - 32 - payload.bytes.count), at: position + 32)
    writeSum(position, size)
    places.append(position)
    end += size
    return UInt64(position)
  }

  /// Of the first 48 bytes, as far as the record has them.
  private mutating func writeSum(_ position: Int, _ size: Int) {
    let start = position % room
    let record = Array(data[start..<start + size - 4].prefix(48))
    var sum: UInt64 = 0x9E37_79B9_7F4A_7C15
    for word in 0..<6 {
      let bytes = (word * 8..<word * 8 + 8).map { $0 < record.count ? record[$0] : 0 }
      sum = (sum ^ bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }) &* 0x9FB2_1C65_1E98_DF25
      sum ^= sum >> 32
    }
    write(Payload { $0.integer(UInt32(truncatingIfNeeded: sum)) }.bytes, at: position + size - 4)
  }

  private mutating func free(_ count: Int) {
    while end + count - first > room {
      let next = places.removeFirst()
      let kind = UInt16(data[next % room + 4]) | UInt16(data[next % room + 5]) << 8
      if kind == 10 { overwritten += 1 }
      first = places.first ?? end
    }
  }

  /// An entry of a passes file with this ring.
  package func pass(_ head: PassHead) -> [UInt8] {
    let image = bytes
    return head.withLine { line in
      var entry = [UInt8](repeating: 0, count: PassesFile.headerSize + line.count)
      entry += image[..<96] + image[4096...]
      entry.withUnsafeMutableBytes { PassesFile.seal($0, line: line) }
      return entry
    }
  }

  private func header(
    _ size: Int, _ kind: UInt16, _ flags: UInt16, _ position: Int, _ time: UInt64, _ test: UInt32,
    _ connection: UInt32
  ) -> [UInt8] {
    var header = Payload()
    header.integer(UInt32(size))
    header.integer(kind)
    header.integer(flags)
    header.integer(UInt64(position))
    header.integer(time)
    header.integer(test)
    header.integer(connection)
    return header.bytes
  }

  private mutating func write(_ bytes: [UInt8], at position: Int) {
    for (offset, byte) in bytes.enumerated() { data[position % room + offset] = byte }
  }

  // Records

  package mutating func text(_ text: String) -> UInt64 {
    add(
      1, test: 0, connection: 0,
      Payload {
        $0.integer(UInt64.max)
        $0.sized(Array(text.utf8), size: text.utf8.count)
      })
  }

  package mutating func step(
    _ number: UInt64, _ text: UInt64, flags: UInt16 = 2, test: UInt32 = 1, connection: UInt32 = 1,
    expanded: String = "", ordinal: UInt32 = 0
  ) {
    add(
      10, flags: flags, time: number &* 1000, test: test, connection: connection,
      Payload {
        $0.integer(number)
        $0.integer(text)
        $0.integer(UInt64.max)
        $0.string(expanded)
        // How it ended stands right before the sum; here another record says that.
        $0.fill(to: 8, less: 4)
        for number in [0, 0, UInt32.max, 0, ordinal, 0] { $0.integer(number) }
      })
  }

  package mutating func row(_ step: UInt64, _ values: [[UInt8]], test: UInt32 = 1) {
    add(
      13, test: test,
      Payload {
        $0.integer(step)
        $0.integer(UInt64(0))
        $0.integer(UInt16(values.count))
        for value in values { $0.raw(value) }
      })
  }

  package mutating func change(
    _ step: UInt64, _ operation: UInt8, old: [[UInt8]], new: [[UInt8]], key: Int64 = 1, flags: UInt16 = 0
  ) {
    add(
      14, flags: flags,
      Payload {
        $0.integer(step)
        $0.integer(operation)
        $0.integer(UInt8(0))
        $0.integer(UInt16(bitPattern: -1))
        $0.integer(UInt64(bitPattern: key))
        $0.integer(UInt64(bitPattern: key))
        $0.string("main")
        $0.string("t")
        $0.integer(UInt16(max(old.count, new.count)))
        for value in old + new { $0.raw(value) }
      })
  }

  package mutating func end(
    _ step: UInt64, rows: UInt64 = 0, changed: UInt64 = 0, unkept: UInt64 = 0, flags: UInt16 = 0
  ) {
    add(
      15, flags: flags,
      Payload {
        $0.integer(step)
        for number in [1000, rows, changed, changed, unkept] { $0.integer(number) }
        $0.integer(UInt8(1))
      })
  }

  /// The end of a connection.
  package mutating func close(connection: UInt32 = 1) {
    add(3, test: 0, connection: connection, Payload { $0.integer(UInt64.max) })
  }

  package mutating func error(_ step: UInt64, code: UInt32, _ message: String) {
    add(
      16,
      Payload {
        $0.integer(step)
        $0.integer(code)
        $0.string(message)
      })
  }
}

/// The bytes of a record behind its header.
package struct Payload {
  package private(set) var bytes: [UInt8] = []

  package init() {}
  package init(_ fill: (inout Payload) -> Void) { fill(&self) }

  package mutating func integer<Integer: FixedWidthInteger>(_ value: Integer) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  package mutating func raw(_ more: [UInt8]) { bytes += more }

  /// Adds zeros until so many bytes lack to a multiple.
  package mutating func fill(to multiple: Int, less rest: Int) {
    while (bytes.count + rest) % multiple != 0 { bytes.append(0) }
  }

  package mutating func string(_ text: String) {
    integer(UInt32(text.utf8.count))
    raw(Array(text.utf8))
  }

  package mutating func sized(_ kept: [UInt8], size: Int) {
    integer(UInt32(size))
    integer(UInt32(kept.count))
    raw(kept)
  }

  package static func integer(_ value: Int64) -> [UInt8] {
    Payload {
      $0.integer(UInt8(1))
      $0.integer(UInt64(bitPattern: value))
    }.bytes
  }

  package static func real(_ value: Double) -> [UInt8] {
    Payload {
      $0.integer(UInt8(2))
      $0.integer(value.bitPattern)
    }.bytes
  }

  package static func text(_ kept: [UInt8], size: Int? = nil) -> [UInt8] {
    Payload {
      $0.integer(UInt8(3))
      $0.sized(kept, size: size ?? kept.count)
    }.bytes
  }

  package static func blob(_ kept: [UInt8], size: Int? = nil) -> [UInt8] {
    [4] + text(kept, size: size).dropFirst()
  }
  package static let null: [UInt8] = [5]
  package static let unknown: [UInt8] = [0]
}
