import ExhibitCSQLite

/// A connection of our own; `deinit` closes it.
///
/// Unchecked: SQLite's mutex guards it, and one without a mutex is used on one thread only.
package final class SQLiteConnection: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let name: String
  private var isClosed = false

  package var handle: SQLiteHandle { SQLiteHandle(pointer: pointer, path: name, owner: self) }

  /// - Parameters:
  ///   - path: A URI when `flags` say so.
  ///   - name: The path in errors.
  package init(
    path: String, named name: String? = nil, flags: Int32, vfs: String? = nil, image: SQLiteImage
  ) throws(SQLiteError) {
    self.name = name ?? path
    var pointer: OpaquePointer?
    // An app's shared cache would apply its table locks to us.
    let code = image.open(path, &pointer, flags | SQLITE_OPEN_PRIVATECACHE, vfs)
    guard let pointer else { throw SQLiteError(code, "open", path: self.name) }
    guard code == SQLITE_OK else {
      let error = SQLiteError(sqlite3_extended_errcode(pointer), "open", path: self.name, handle: pointer)
      _ = sqlite3_close_v2(pointer)
      throw error
    }
    self.pointer = pointer
  }

  /// Opens a database for reading without locks, WAL or journal, as if it never changed.
  package convenience init(immutable path: String, named name: String, vfs: String?, image: SQLiteImage)
    throws(SQLiteError)
  {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    try self.init(
      path: SQLText.uri(of: path, "immutable=1"), named: name, flags: flags, vfs: vfs, image: image)
  }

  /// - Throws: `SQLiteError` while a statement or a backup exists; the connection stays open then.
  package func close() throws(SQLiteError) {
    guard !isClosed else { return }
    try handle.check(sqlite3_close(pointer), "close")
    isClosed = true
  }

  deinit {
    if !isClosed { _ = sqlite3_close_v2(pointer) }
  }
}
