import ExhibitSQLite

/// Files that may have rows of any table, from which excluded ones cannot be removed.
package enum UnreadRows {
  case sideFile
  case unreadableDatabase
  case packed

  static let prefixBytes = 512

  /// - Parameters:
  ///   - name: Of its name or path.
  ///   - start: Its first 512 bytes.
  package init?(inFileNamed name: [UInt8], beginningWith start: [UInt8]) {
    if start.isEmpty || start.starts(with: DatabaseHeader.magic) { return nil }
    if SideFile(endOf: name) != nil || WALHeader.begins(start) || SideFile.isJournal(start) {
      self = .sideFile
    } else if DatabaseEnding.find(in: String(decoding: name, as: UTF8.self)) != nil {
      self = .unreadableDatabase
    } else if Self.isPacked(start) {
      self = .packed
    } else {
      return nil
    }
  }

  package init?(inFileAt path: String) throws {
    self.init(inFileNamed: Array(path.utf8), beginningWith: try FileCopy.start(of: path, Self.prefixBytes))
  }

  package var reason: String {
    switch self {
    case .sideFile:
      "it is what SQLite keeps beside a database, and stays behind without it; it can hold rows of excluded tables"
    case .unreadableDatabase:
      "it is called a database and cannot be read as one; it can hold rows of excluded tables"
    case .packed: "it is packed, and nobody looks into it; it can hold rows of excluded tables"
    }
  }

  /// Those of zip, gzip, bzip2, xz, Zstandard, 7-Zip, LZ4, Unix compress, RAR and ar.
  private static let magics: [[UInt8]] = [
    [0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6], [0x50, 0x4b, 7, 8], [0x1f, 0x8b], [0x42, 0x5a, 0x68],
    [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], [0x28, 0xb5, 0x2f, 0xfd], [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
    [0x04, 0x22, 0x4d, 0x18], [0x1f, 0x9d], [0x52, 0x61, 0x72, 0x21], Array("!<arch>".utf8),
  ]

  private static let tarPlace = 257

  private static func isPacked(_ start: [UInt8]) -> Bool {
    magics.contains(where: start.starts) || start.dropFirst(tarPlace).starts(with: "ustar".utf8)
  }
}
