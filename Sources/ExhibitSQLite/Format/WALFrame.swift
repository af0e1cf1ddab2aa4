import ExhibitCSystem

/// The running checksum of a WAL (https://www.sqlite.org/fileformat2.html, section 4.2).
struct WALChecksum: Sendable, Equatable {
  var first: UInt32
  var second: UInt32

  /// - Parameter bytes: A multiple of 8, at an address that is a multiple of 4.
  mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>, bigEndian: Bool) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    guard let start = bytes.baseAddress else { return }
    let sum = exhibit_wal_checksum_add(
      exhibit_wal_checksum(first: first, second: second), start, bytes.count, bigEndian)
    (first, second) = (sum.first, sum.second)
  }
}

/// The 24 bytes before every page in a WAL.
package struct WALFrame {
  package static let headerBytes = 24

  /// From 1; 0 is invalid.
  package let page: UInt32
  /// At a commit the database's size in pages, else 0.
  package let databasePages: UInt32
  private let salt1: UInt32
  private let salt2: UInt32
  private let checksum: WALChecksum

  package init(_ bytes: UnsafeRawBufferPointer) {
    page = bytes.word(0)
    databasePages = bytes.word(4)
    salt1 = bytes.word(8)
    salt2 = bytes.word(12)
    checksum = WALChecksum(first: bytes.word(16), second: bytes.word(20))
  }

  /// True when it was written since the last reset.
  package func belongs(to header: WALHeader) -> Bool {
    salt1 == header.salt1 && salt2 == header.salt2
  }

  /// - Parameter sum: The checksum of the frames before, which becomes this frame's.
  func continues(_ sum: inout WALChecksum, of header: WALHeader, bytes: UnsafeRawBufferPointer) -> Bool {
    guard page > 0, belongs(to: header) else { return false }
    sum.add(bytes.prefix(8), bigEndian: header.hasBigEndianChecksums)
    sum.add(bytes.dropFirst(Self.headerBytes), bigEndian: header.hasBigEndianChecksums)
    return sum == checksum
  }
}
