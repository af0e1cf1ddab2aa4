/// The first 100 bytes of a database file (https://www.sqlite.org/fileformat2.html, section 1.3).
package struct DatabaseHeader: Sendable, Equatable {
  /// The bytes every database begins with.
  package static let magic = Array("SQLite format 3\u{0}".utf8)
  static let byteCount = 100
  /// Where the write and the read version stand: 1 for rollback journals, 2 for WAL.
  static let versionOffsets = 18...19

  /// Bytes, from 512 to 65536.
  package var pageSize: Int
  /// Whether the file says that it is read together with a WAL.
  package var isWAL: Bool

  /// `nil` when these are not the first bytes of a database.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65536 : size
    isWAL = bytes[19] == 2
  }
}
