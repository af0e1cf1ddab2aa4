import ExhibitSQLite

/// A connection of our own; closed in `deinit`.
package final class SQLiteConnection {
  /// The connection to work with, valid as long as this object is.
  package let handle: SQLiteHandle

  /// - Parameters:
  ///   - path: a path, or a URI when `flags` say so.
  ///   - vfs: the name of the VFS; `nil` for SQLite's default.
  /// - Throws: `SQLiteError`.
  package init(path: String, flags: Int32, vfs: String? = nil, image: SQLiteImage) throws {
    var pointer: OpaquePointer?
    // A private cache: in an app's shared cache its table locks would be ours too.
    let code = image.open(path, &pointer, flags | SQLITE_OPEN_PRIVATECACHE, vfs)
    guard let pointer else { throw SQLiteError(code, "open", path: path) }
    guard code == SQLITE_OK else {
      let error = SQLiteError(sqlite3_extended_errcode(pointer), "open", path: path, handle: pointer)
      _ = sqlite3_close_v2(pointer)
      throw error
    }
    handle = SQLiteHandle(pointer: pointer, path: path)
  }

  deinit {
    // Fails only for a pointer that is none; statements do not outlive the functions that prepare them.
    _ = sqlite3_close_v2(handle.pointer)
  }
}
