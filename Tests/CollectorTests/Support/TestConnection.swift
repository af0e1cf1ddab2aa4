import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

/// A connection as a test of a user has it, lent to captures the way Attach lends it.
final class TestConnection: Sendable {
  /// `nil` once it is closed.
  private let connection: Locked<SQLiteConnection?>
  let path: String

  init(_ path: String, vfs: String? = nil, flags: Int32 = 0, _ setup: String = "") throws {
    let mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | flags
    connection = Locked(try SQLiteConnection(path: path, flags: mode, vfs: vfs, image: .linked))
    self.path = path
    try execute(setup)
  }

  struct Refused: Error {
    var message: String
  }

  private var handle: SQLiteHandle? { connection.withLock { $0?.handle } }
  var pointer: OpaquePointer? { handle?.pointer }

  func execute(_ sql: String) throws {
    guard let handle else { throw Refused(message: "\(sql): closed") }
    do {
      try handle.execute(sql)
    } catch {
      throw Refused(message: "\(error)")
    }
  }

  func integer(_ sql: String) throws -> Int? {
    try handle?.integer(sql)
  }

  func close() {
    connection.withLock { $0 = nil }
  }

  /// Lends itself as Attach does: under a lock of its own and, by try-lock, under SQLite's mutex.
  func lent(schema: String = "main", belongsToFailedTest: Bool = true) -> LiveConnection {
    LiveConnection(schema: schema, belongsToFailedTest: belongsToFailedTest) { [self] deadline, body in
      repeat {
        let access: LiveConnection.Access = connection.withLock { connection in
          guard let pointer = connection?.handle.pointer else { return .closed }
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
