import ExhibitCSQLite

/// Copies between connections with `sqlite3_backup`, which runs no statement on the source.
package enum SQLiteBackup {
  /// - Parameter count: Pages to copy; all when negative.
  /// - Returns: The source's number of pages.
  @discardableResult
  package static func step(
    _ count: Int32, from schema: String, on source: SQLiteHandle, into copy: SQLiteHandle
  ) throws(SQLiteError) -> Int {
    guard let backup = sqlite3_backup_init(copy.pointer, "main", source.pointer, schema) else {
      throw SQLiteError(
        sqlite3_extended_errcode(copy.pointer), "copy", path: source.path, handle: copy.pointer)
    }
    let code = sqlite3_backup_step(backup, count)
    let pages = Int(sqlite3_backup_pagecount(backup))
    let end = sqlite3_backup_finish(backup)
    let isAsExpected = code == SQLITE_DONE || count == 0 && code == SQLITE_OK
    guard isAsExpected else { throw SQLiteError(code, "copy", path: source.path) }
    guard end == SQLITE_OK || count == 0 else { throw SQLiteError(end, "copy", path: source.path) }
    return pages
  }
}
