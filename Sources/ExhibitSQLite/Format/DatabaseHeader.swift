/// The first 100 bytes of a database file (https://www.sqlite.org/fileformat2.html, section 1.3).
package struct DatabaseHeader: Sendable, Equatable {
  /// The bytes every database begins with.
  package static let magic = Array("SQLite format 3\u{0}".utf8)
  package static let byteCount = 100
  /// The places of the write and the read version: 1 for rollback journals, 2 for WAL.
  package static let versionOffsets = 18...19
  /// The versions of a database in rollback mode, and of one in WAL mode.
  package static let rollbackVersions: [UInt8] = [1, 1]
  package static let walVersions: [UInt8] = [2, 2]

  /// Bytes, from 512 to 65536.
  package var pageSize: Int
  /// True when the file says that it is read together with a WAL.
  package var isWAL: Bool

  /// The bytes that SQLite leaves unused at the end of every page.
  package var reservedBytes: UInt8
  /// Counts the transactions, in WAL mode those that others can see.
  package var changeCounter: UInt32
  /// Counts the changes of the schema.
  package var schemaCookie: UInt32
  /// True when pages are moved so that the file can shrink.
  package var isAutoVacuum: Bool
  /// 1 to 3; 0 before the first table.
  package var encoding: UInt32
  /// `PRAGMA user_version`.
  package var userVersion: Int32
  package var applicationID: UInt32
  /// The version of the SQLite that wrote last, as one number; 0 before any did.
  package var writerVersion: UInt32

  /// `nil` when these are not the first bytes of a database.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    let size = bytes.withUnsafeBytes { $0.half(16) }
    pageSize = size == 1 ? 65536 : size
    isWAL = bytes[Self.versionOffsets.upperBound] == Self.walVersions[1]
    reservedBytes = bytes[20]
    changeCounter = bytes.word(24)
    schemaCookie = bytes.word(40)
    isAutoVacuum = bytes.word(52) != 0
    encoding = bytes.word(56)
    userVersion = Int32(bitPattern: bytes.word(60))
    applicationID = bytes.word(68)
    writerVersion = bytes.word(96)
  }

  /// The version of the SQLite that wrote last, such as `3.45.1`; `nil` where the number is none.
  package var sqliteVersion: String? {
    let number = Int(writerVersion)
    guard (3_000_000..<5_000_000).contains(number) else { return nil }
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }

  /// Has the first bytes of a database say that there is no WAL: with one, nothing could open a copy without it.
  package static func leaveWALMode<Bytes: MutableCollection>(_ bytes: inout Bytes)
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard bytes.count >= byteCount else { return }
    for (offset, version) in zip(versionOffsets, rollbackVersions) { bytes[offset] = version }
  }
}
