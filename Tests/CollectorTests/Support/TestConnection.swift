import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

/// A connection as a test of a user has it, lent to captures the way Attach lends it.
final class TestConnection: Sendable {
  private let address: UInt
  private let isClosed = Locked(false)
  let path: String

  init(_ path: String, vfs: String? = nil, flags: Int32 = 0, _ setup: String = "") throws {
    var pointer: OpaquePointer?
    let mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | flags
    let code = sqlite3_open_v2(path, &pointer, mode, vfs)
    guard code == SQLITE_OK else { throw Refused(message: "open \(path): \(code)") }
    address = UInt(bitPattern: pointer)
    self.path = path
    try execute(setup)
  }

  deinit { close() }

  struct Refused: Error {
    var message: String
  }

  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else {
      throw Refused(message: "\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
    }
  }

  func integer(_ sql: String) throws -> Int? {
    guard let pointer else { return nil }
    return try SQLiteHandle(pointer: pointer, path: path).integer(sql)
  }

  func close() {
    isClosed.withLock { closed in
      if !closed { sqlite3_close_v2(pointer) }
      closed = true
    }
  }

  /// Lends itself as Attach does: under a lock of its own and, by try-lock, under SQLite's mutex.
  func lent(schema: String = "main", belongsToFailedTest: Bool = true) -> LiveConnection {
    LiveConnection(schema: schema, belongsToFailedTest: belongsToFailedTest) { [self] deadline, body in
      repeat {
        let access: LiveConnection.Access = isClosed.withLock { closed in
          guard !closed, let pointer else { return .closed }
          guard let mutex = sqlite3_db_mutex(pointer), sqlite3_mutex_try(mutex) == SQLITE_OK else {
            return .busy
          }
          defer { sqlite3_mutex_leave(mutex) }
          body(pointer)
          return .used
        }
        if access != .busy { return access }
      } while ContinuousClock.now < deadline
      return .busy
    }
  }

  /// The database of this connection as something to capture.
  var source: DatabaseSource {
    .file(DatabaseFile(path: path, connections: [lent()]))
  }
}
