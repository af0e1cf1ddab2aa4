import FixtureSQLite

struct Refused: Error {}

/// A database in memory, or at a path, that is open as long as its object.
///
/// SQLite guards its connection by a mutex of its own.
final class Notes: @unchecked Sendable {
  private let connection: OpaquePointer?

  init(_ notes: String..., at path: String = ":memory:") {
    var opened: OpaquePointer?
    sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
    connection = opened
    run("CREATE TABLE IF NOT EXISTS note(text)")
    for note in notes { add(note) }
  }

  deinit { sqlite3_close(connection) }

  func add(_ note: String) { run("INSERT INTO note VALUES ('\(note)')") }

  func run(_ sql: String) { sqlite3_exec(connection, sql, nil, nil, nil) }

  /// Keeps it open to here.
  func stayOpen() {}
}
