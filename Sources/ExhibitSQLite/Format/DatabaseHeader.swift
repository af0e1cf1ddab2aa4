/// The first 100 bytes of a database file (https://www.sqlite.org/fileformat2.html, section 1.3).
package struct DatabaseHeader: Sendable, Equatable {
  package static let magic = Array("SQLite format 3\u{0}".utf8)
  package static let byteCount = 100
  /// Write and read version: 1 for rollback journals, 2 for WAL.
  package static let versionOffsets = 18...19
  package static let rollbackVersions: [UInt8] = [1, 1]
  package static let walVersions: [UInt8] = [2, 2]

  /// Bytes, from 512 to 65536.
  package var pageSize: Int
  package var isWAL: Bool

  /// Unused bytes at the end of every page.
  package var reservedBytes: UInt8
  /// Counts transactions, in WAL mode only those that change it.
  package var changeCounter: UInt32
  package var schemaCookie: UInt32
  /// Pages are moved so that the file can shrink.
  package var isAutoVacuum: Bool
  /// 1 to 3; 0 before the first table.
  package var encoding: UInt32
  package var userVersion: Int32
  package var applicationID: UInt32
  package var writerVersion: UInt32

  /// `nil` when these are not a database's first bytes.
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

  /// Such as `3.45.1`; `nil` for an invalid number.
  package var sqliteVersion: String? {
    let number = Int(writerVersion)
    guard (3_000_000..<5_000_000).contains(number) else { return nil }
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }

  /// Sets rollback mode: a database in WAL mode cannot be opened without creating a WAL.
  package static func leaveWALMode<Bytes: MutableCollection>(_ bytes: inout Bytes)
  where Bytes.Element == UInt8, Bytes.Index == Int {
    guard bytes.count >= byteCount else { return }
    for (offset, version) in zip(versionOffsets, rollbackVersions) { bytes[offset] = version }
  }
}
