import Collector
import ExhibitCSQLite

extension TestConnection {
  /// Lends itself as Attach does: under a lock of its own and, by try-lock, under SQLite's mutex.
  func lent(schema: String = "main", belongsToFailedTest: Bool = true) -> LiveConnection {
    LiveConnection(schema: schema, belongsToFailedTest: belongsToFailedTest) { [self] deadline, body in
      repeat {
        let access = whileOpen { pointer -> LiveConnection.Access in
          guard let mutex = sqlite3_db_mutex(pointer), sqlite3_mutex_try(mutex) == SQLITE_OK else {
            return .busy
          }
          defer { sqlite3_mutex_leave(mutex) }
          body(pointer)
          return .used
        }
        if access != .busy { return access ?? .closed }
      } while ContinuousClock.now < deadline
      return .busy
    }
  }

  /// The database of this connection as something to capture.
  var source: DatabaseSource {
    .file(DatabaseFile(path: path, connections: [lent()]))
  }
}
