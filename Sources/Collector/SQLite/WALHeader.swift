/// The first 32 bytes of a WAL (https://www.sqlite.org/fileformat2.html, section 4.1).
package struct WALHeader: Sendable, Equatable {
  static let byteCount = 32

  /// Bytes, from 512 to 65536.
  package var pageSize: Int
  /// Counts the checkpoints that reset the WAL.
  package var checkpointSequence: UInt32
  /// One more at every reset.
  package var salt1: UInt32
  /// Random at every reset.
  package var salt2: UInt32

  /// `nil` when SQLite would ignore the file: no magic number, an unknown version or a wrong checksum.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    let words = (0..<8).map { Self.word(bytes, at: $0 * 4, bigEndian: true) }
    guard words[0] & ~1 == 0x377f_0682, words[1] == 3_007_000 else { return nil }
    guard Self.checksum(bytes.prefix(24), bigEndian: words[0] & 1 == 1) == (words[6], words[7]) else {
      return nil
    }
    pageSize = Int(words[2])
    checkpointSequence = words[3]
    salt1 = words[4]
    salt2 = words[5]
  }

  /// Whether a file begins like a WAL, as opposed to a rollback journal.
  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && word(bytes, at: 0, bigEndian: true) & ~1 == 0x377f_0682
  }

  /// The checksum of section 4.2, from zero; `bytes` are pairs of 32-bit words.
  private static func checksum(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> (UInt32, UInt32) {
    let bytes = Array(bytes)
    var (first, second): (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      first &+= word(bytes, at: offset, bigEndian: bigEndian) &+ second
      second &+= word(bytes, at: offset + 4, bigEndian: bigEndian) &+ first
    }
    return (first, second)
  }

  private static func word(_ bytes: [UInt8], at offset: Int, bigEndian: Bool) -> UInt32 {
    let big = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    return bigEndian ? big : big.byteSwapped
  }
}
