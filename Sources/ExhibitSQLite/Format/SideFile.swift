/// A file that SQLite keeps beside a database, under the database's name and a suffix.
///
/// Source: https://www.sqlite.org/tempfiles.html.
package enum SideFile: String, Sendable, CaseIterable {
  /// The write-ahead log.
  case wal = "-wal"
  /// The index of the WAL, which SQLite makes anew of it.
  case sharedMemory = "-shm"
  /// The rollback journal.
  case journal = "-journal"

  /// The files that hold rows, which a copy of the database needs.
  package static let withRows: [SideFile] = [.wal, .journal]

  /// The ending behind the database's name.
  package var suffix: String { rawValue }

  /// The path of the file for a database.
  package func path(beside database: String) -> String { database + suffix }

  /// The first bytes of a rollback journal, unless it is spent.
  package static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// True when a file begins like a rollback journal.
  package static func isJournal(_ bytes: [UInt8]) -> Bool { bytes.starts(with: journalMagic) }

  /// Tells a side file by the end of its name; `nil` for any other file.
  package init?(endOf name: some BidirectionalCollection<UInt8>) {
    let found = Self.allCases.first { side in
      name.count > side.suffix.utf8.count
        && name.suffix(side.suffix.utf8.count).elementsEqual(side.suffix.utf8)
    }
    guard let found else { return nil }
    self = found
  }
}

/// The endings by which apps name their databases.
package enum DatabaseEnding {
  private static let all = [".sqlite", ".sqlite3", ".db", ".db3", ".store"]

  /// The ending of a file's name, whatever its case; `nil` when it has none of them.
  package static func find(in name: String) -> Substring? {
    let lowercased = name.lowercased()
    return all.first(where: lowercased.hasSuffix).map { name.suffix($0.count) }
  }
}
