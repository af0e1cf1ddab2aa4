import ExhibitSQLite
import ExhibitSystem

/// Finds a `-wal` that belongs to another database; SQLite would read it as the store's own.
enum ForeignWAL {
  /// - Throws: `StoreMigrationError` with the reason `foreignWAL`.
  static func check(_ store: String) throws {
    guard let sign = try sign(store) else { return }
    throw StoreMigrationError(
      .foreignWAL, store,
      "The -wal beside the store belongs to another database: \(words(sign))."
        + " Do not open the store; move the -wal and -shm away, and then see what is in each.")
  }

  /// The sign that proves the WAL foreign; weaker signs must not refuse a migration.
  private static func sign(_ store: String) throws -> ForeignWALSign? {
    let log = SideFile.wal.path(beside: store)
    guard let status = try FileStatus(path: log, followingLinks: false), status.bytes > 0 else { return nil }
    // Read through SQLite: closing a descriptor of ours would drop this process's locks on the store.
    let start = try SQLiteFile.database(of: .open(immutable: store)).prefix(DatabaseHeader.byteCount)
    if start.isEmpty { return ForeignWALSign.find(beside: start).first }
    let wal = try InputFile(path: log)
    guard DatabaseHeader(start) != nil, let index = try WALIndex(of: wal, bytes: wal.size()) else {
      return nil
    }
    return try ForeignWALSign.find(in: index, wal, beside: start, at: store).first(where: \.isProof)
  }

  private static func words(_ sign: ForeignWALSign) -> String {
    switch sign {
    case .emptyDatabase: "the store is empty"
    case .notInWALMode: "the store is not in WAL mode"
    case .pageSize(let wal, let store): "its pages have \(wal) bytes, the store's \(store)"
    case .olderSchema: "its schema is older than the store's"
    case .olderTransactions: "its changes are older than the store's"
    case .otherHeader, .newerDatabase, .noTableInCommon, .damages: sign.text
    }
  }
}
