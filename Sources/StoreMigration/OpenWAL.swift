import ExhibitSQLite

/// The size and header that the WAL of an open connection had at one moment.
struct OpenWAL {
  private let file: SQLiteFile
  private let size: Int
  private let header: [UInt8]

  init(_ file: SQLiteFile) throws {
    self.file = file
    size = try file.size()
    header = size < WALHeader.byteCount ? [] : try file.prefix(WALHeader.byteCount)
  }

  /// Removes the frames that were written since, after which the connection is unusable.
  ///
  /// New frames follow the earlier ones, or replace them under another header.
  func reset() throws {
    let now = header.isEmpty ? [] : try file.prefix(WALHeader.byteCount)
    try file.truncate(to: header.isEmpty || now != header ? 0 : size)
  }
}
