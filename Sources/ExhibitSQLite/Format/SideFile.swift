/// A file beside a database, named by a suffix.
///
/// Source: https://www.sqlite.org/tempfiles.html.
package enum SideFile: String, Sendable, CaseIterable {
  case wal = "-wal"
  /// The WAL's index, which SQLite makes anew from the WAL.
  case sharedMemory = "-shm"
  case journal = "-journal"

  /// The files that a copy of the database needs.
  package static let withRows: [SideFile] = [.wal, .journal]

  package var suffix: String { rawValue }

  package func path(beside database: String) -> String { database + suffix }

  /// A rollback journal's first bytes, until it is spent.
  package static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  package static func isJournal(_ bytes: [UInt8]) -> Bool { bytes.starts(with: journalMagic) }

  package init?(endOf name: some BidirectionalCollection<UInt8>) {
    let found = Self.allCases.first { side in
      name.count > side.suffix.utf8.count
        && name.suffix(side.suffix.utf8.count).elementsEqual(side.suffix.utf8)
    }
    guard let found else { return nil }
    self = found
  }
}

/// The endings of databases' names.
package enum DatabaseEnding {
  private static let all = [".sqlite", ".sqlite3", ".db", ".db3", ".store"]

  package static func find(in name: String) -> Substring? {
    let lowercased = name.lowercased()
    return all.first(where: lowercased.hasSuffix).map { name.suffix($0.count) }
  }
}
