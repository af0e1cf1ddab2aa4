import ExhibitSQLite

/// The WAL of a connection that holds its store's lock, with its size and header at one moment.
struct OpenWAL {
  private let file: SQLiteFile
  private let size: Int
  private let header: [UInt8]

  /// Notes the current state of a WAL that SQLite has open.
  init(_ file: SQLiteFile) throws {
    self.file = file
    size = try file.size()
    header = size < WALHeader.byteCount ? [] : try file.prefix(WALHeader.byteCount)
  }

  /// Takes back what was written since.
  ///
  /// The connection is unusable afterwards. New frames follow the earlier ones; where there were none, SQLite has
  /// begun anew with another header.
  func reset() throws {
    let now = header.isEmpty ? [] : try file.prefix(WALHeader.byteCount)
    try file.truncate(to: header.isEmpty || now != header ? 0 : size)
  }
}
