import ExhibitCSQLite
package import ExhibitSQLite

/// A copy of a connection's database, made by `sqlite3_backup` into a connection of ours.
///
/// It runs no statement on the source, calls none of its callbacks and keeps its error. While the source, or a
/// connection with which it shares a cache, writes, SQLite refuses with `SQLITE_BUSY`.
struct DatabaseBackup {
  /// Bytes of the database as the connection sees it; 0 when nothing was ever written.
  let bytes: Int

  /// Measures a database, and copies it into an empty one if it has no more than `limit` bytes.
  ///
  /// - Throws: `SQLiteError`.
  init(of schema: String, on source: SQLiteHandle, into copy: SQLiteHandle, limit: Int) throws {
    let pages = try SQLiteBackup.step(0, from: schema, on: source, into: copy)
    // The first step has set the copy's page size.
    bytes = pages == 0 ? 0 : pages * (try copy.integer("PRAGMA main.page_size") ?? 0)
    if bytes <= limit { try SQLiteBackup.step(-1, from: schema, on: source, into: copy) }
  }

  /// Measures a database.
  ///
  /// - Throws: `SQLiteError`.
  static func bytes(of schema: String, on source: SQLiteHandle, image: SQLiteImage) throws -> Int {
    let scratch = try SQLiteConnection(inMemoryOf: image).handle
    return try DatabaseBackup(of: schema, on: source, into: scratch, limit: -1).bytes
  }
}

extension SQLiteConnection {
  /// Opens an empty database in memory, for use on one thread.
  ///
  /// - Throws: `SQLiteError`.
  package convenience init(inMemoryOf image: SQLiteImage) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    try self.init(path: ":memory:", flags: flags, image: image)
  }
}
