import ExhibitCSQLite

/// The WAL of a connection that holds its store's lock, with what it held at a moment.
struct OpenWAL {
  private let path: String
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let size: sqlite3_int64
  private let header: [UInt8]

  /// - Parameters:
  ///   - file: As SQLite has it open; valid as long as the connection is.
  ///   - store: The database.
  init(_ file: UnsafeMutablePointer<sqlite3_file>, of store: String) throws(StoreMigrationError) {
    path = store + "-wal"
    self.file = file
    var size: sqlite3_int64 = 0
    try Self.check(file.pointee.pMethods?.pointee.xFileSize(file, &size), path, "measure it")
    self.size = size
    header = size < 32 ? [] : try Self.header(file, path)
  }

  /// Takes back what was written since.
  ///
  /// The connection is of no more use afterwards.
  ///
  /// New frames follow those that were there; where there were none, SQLite has begun anew with another header.
  func reset() throws(StoreMigrationError) {
    let now = header.isEmpty ? [] : try Self.header(file, path)
    let kept = header.isEmpty || now != header ? 0 : size
    try Self.check(file.pointee.pMethods?.pointee.xTruncate(file, kept), path, "shorten it")
  }

  private static func header(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ path: String
  ) throws(StoreMigrationError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    try check(file.pointee.pMethods?.pointee.xRead(file, &bytes, 32, 0), path, "read it")
    return bytes
  }

  private static func check(
    _ code: Int32?, _ path: String, _ attempt: String
  ) throws(StoreMigrationError) {
    let code = code ?? SQLITE_NOTFOUND
    guard code == SQLITE_OK else { throw StoreMigrationError(code, path, attempt) }
  }
}
