import ExhibitCSystem
import Glibc

/// A set of bytes to search for, in C: a loop in Swift takes fifty times as long in a debug build.
package struct ByteSet: Sendable {
  fileprivate var bits = exhibit_byte_set()

  package init(_ isMember: (UInt8) -> Bool) {
    for byte in UInt8.min...UInt8.max where isMember(byte) { exhibit_byte_set_add(&bits, byte) }
  }

  package func contains(_ byte: UInt8) -> Bool {
    withUnsafePointer(to: byte) { exhibit_bytes_before($0, 1, bits) == 0 }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The index of the first byte in the set, from `start` on.
  package func first(in set: ByteSet, from start: Int = 0) -> Int? {
    guard start < count, let base = baseAddress else { return nil }
    let place = start + exhibit_bytes_before(base + start, count - start, set.bits)
    return place < count ? place : nil
  }

  package func first(_ byte: UInt8, from start: Int = 0) -> Int? {
    guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }
}

extension String {
  package func holds(_ set: ByteSet) -> Bool {
    var text = self
    return text.withUTF8 { $0.first(in: set) != nil }
  }
}

extension String {
  /// True when the first `count` bytes of two texts are equal; shorter texts must have the same length.
  package func begins(as other: String, for count: Int) -> Bool {
    var (one, other) = (self, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        let (first, second) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
        return UnsafeRawBufferPointer(rebasing: first.prefix(count))
          .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: second.prefix(count)))
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let others = other.baseAddress else { return true }
    return memcmp(start, others, count) == 0
  }
}
