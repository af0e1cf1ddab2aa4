import Collector
import ExhibitSQLite

/// A live WAL database of about 90 MB: 60 in the database, 30 in its WAL.
final class BenchmarkDatabase: Sendable {
  let path: String
  /// Used by one thread only, in `execute` and where a capture borrows it.
  nonisolated(unsafe) private let pointer: OpaquePointer

  /// - Throws: `BenchmarkError`.
  init(in folder: String) throws {
    path = folder + "/store.sqlite"
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard let opened else { throw BenchmarkError(description: "SQLite returned \(code) for \(path)") }
    pointer = opened
    try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF")
    try execute("CREATE TABLE reading(id INTEGER PRIMARY KEY, value BLOB NOT NULL)")
    try execute(
      """
      WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 60000)
      INSERT INTO reading SELECT i, randomblob(960) FROM number
      """)
    try execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint=0")
    try execute("UPDATE reading SET value = randomblob(960) WHERE id <= 28000")
  }

  deinit {
    // Nothing is lost when the end of a benchmark fails to close its database.
    _ = sqlite3_close_v2(pointer)
  }

  var wal: String { path + "-wal" }

  /// The database as something to capture, with its open connection.
  var source: DatabaseSource {
    let live = LiveConnection(belongsToFailedTest: true) { [self] _, body in
      body(pointer)
      return .used
    }
    return .file(DatabaseFile(path: path, connections: [live]))
  }

  private func execute(_ sql: String) throws {
    let code = sqlite3_exec(pointer, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw BenchmarkError(description: "\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
    }
  }
}
