package import ExhibitSystem

/// The first 32 bytes of a WAL (https://www.sqlite.org/fileformat2.html, section 4.1).
package struct WALHeader: Sendable, Equatable {
  package static let byteCount = 32

  /// Bytes, from 512 to 65536.
  package var pageSize: Int
  /// Counts resets by checkpoints.
  package var checkpointSequence: UInt32
  /// One more at every reset.
  package var salt1: UInt32
  /// Random at every reset.
  package var salt2: UInt32
  /// How checksums read the file; all else is big-endian.
  var hasBigEndianChecksums: Bool
  /// The header's, from which the first frame's continues.
  var checksum: WALChecksum

  /// `nil` for a header that SQLite would not read.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    let words = (0..<8).map { bytes.word($0 * 4) }
    guard words[0] & ~1 == 0x377f_0682, words[1] == 3_007_000 else { return nil }
    hasBigEndianChecksums = words[0] & 1 == 1
    checksum = WALChecksum(first: words[6], second: words[7])
    pageSize = Int(words[2])
    checkpointSequence = words[3]
    salt1 = words[4]
    salt2 = words[5]
    guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else { return nil }
    var sum = WALChecksum(first: 0, second: 0)
    bytes.withUnsafeBytes { sum.add($0.prefix(24), bigEndian: hasBigEndianChecksums) }
    guard sum == checksum else { return nil }
  }

  /// False when the WAL was reset since.
  package func begins(_ file: some ReadableFile) throws -> Bool {
    WALHeader(try file.bytes(Self.byteCount)) == self
  }

  /// True for a WAL's magic number.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && bytes.word(0) & ~1 == 0x377f_0682
  }
}
