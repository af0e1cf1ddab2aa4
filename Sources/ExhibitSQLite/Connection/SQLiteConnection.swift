import ExhibitCSQLite

/// A connection that this opened; closed in `deinit`.
///
/// Unchecked: SQLite's own mutex guards a connection, and whoever opens one without it uses it on one thread.
package final class SQLiteConnection: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let name: String
  private var isClosed = false

  /// The connection to work with; it stays open as long as this object is there.
  package var handle: SQLiteHandle { SQLiteHandle(pointer: pointer, path: name, owner: self) }

  /// Opens a database by its path, or by a URI when `flags` say so, in a VFS or SQLite's default one.
  ///
  /// Errors speak of `name` instead of the path when there is one. Throws `SQLiteError`.
  package init(
    path: String, named name: String? = nil, flags: Int32, vfs: String? = nil, image: SQLiteImage
  ) throws(SQLiteError) {
    self.name = name ?? path
    var pointer: OpaquePointer?
    // A private cache: in an app's shared cache its table locks would be ours too.
    let code = image.open(path, &pointer, flags | SQLITE_OPEN_PRIVATECACHE, vfs)
    guard let pointer else { throw SQLiteError(code, "open", path: self.name) }
    guard code == SQLITE_OK else {
      let error = SQLiteError(sqlite3_extended_errcode(pointer), "open", path: self.name, handle: pointer)
      _ = sqlite3_close_v2(pointer)
      throw error
    }
    self.pointer = pointer
  }

  /// Opens a database for reading as if nobody could change it: without locks, WAL or journal.
  ///
  /// Throws `SQLiteError`.
  package convenience init(immutable path: String, named name: String, vfs: String?, image: SQLiteImage)
    throws(SQLiteError)
  {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    try self.init(
      path: SQLText.uri(of: path, "immutable=1"), named: name, flags: flags, vfs: vfs, image: image)
  }

  /// Closes it now, when nobody else can use it any more: nothing may be asked of it afterwards.
  ///
  /// - Throws: `SQLiteError` while a statement or a backup of it is there; then it stays open.
  package func close() throws(SQLiteError) {
    guard !isClosed else { return }
    try handle.check(sqlite3_close(pointer), "close")
    isClosed = true
  }

  deinit {
    // Fails only for a pointer that is none; a statement that is still there keeps it until it goes.
    if !isClosed { _ = sqlite3_close_v2(pointer) }
  }
}
