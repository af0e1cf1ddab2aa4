import ExhibitCSQLite
package import ExhibitSQLite

/// A copy made by `sqlite3_backup`, without statements and callbacks on the source.
///
/// It is refused with `SQLITE_BUSY` while the source, or a connection that shares its cache, writes.
struct DatabaseBackup {
  let bytes: Int

  /// A larger one is only measured.
  init(of schema: String, on source: SQLiteHandle, into copy: SQLiteHandle, limit: Int) throws {
    let pages = try SQLiteBackup.step(0, from: schema, on: source, into: copy)
    bytes = pages == 0 ? 0 : pages * (try copy.integer("PRAGMA main.page_size") ?? 0)
    if bytes <= limit { try SQLiteBackup.step(-1, from: schema, on: source, into: copy) }
  }

  static func bytes(of schema: String, on source: SQLiteHandle, image: SQLiteImage) throws -> Int {
    let scratch = try SQLiteConnection(inMemoryOf: image).handle
    return try DatabaseBackup(of: schema, on: source, into: scratch, limit: -1).bytes
  }
}

extension SQLiteConnection {
  package convenience init(inMemoryOf image: SQLiteImage) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    try self.init(path: ":memory:", flags: flags, image: image)
  }
}
