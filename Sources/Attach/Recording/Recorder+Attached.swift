import Collector
import ExhibitSystem
import Synchronization

/// What the log says beside the main files of connections, for a report made after a crash.
extension Recorder {
  /// Logs the connections that were open before the log was.
  func logEarlier(_ connections: ConnectionRegistry) {
    for connection in connections.all {
      // One that is in use now has the path that it was opened with.
      let asked = connection.ask(until: .now) { mainPath(of: $0) }
      guard let path = asked ?? (connection.hasEnded ? nil : connection.path) else { continue }
      output.logIfOpen(DatabaseOpening(connection, at: path), test: connection.opener.id)
    }
    for connection in connections.all {
      _ = connection.ask(until: .now) { _ in logAttached(to: connection, by: connection.opener.id) }
    }
  }

  /// Logs files that a connection has attached since it was asked last, once there is a log.
  ///
  /// Called where the connection may be used.
  func logAttached(to connection: Connection, by test: TestCaseID?) {
    guard output.run != nil, let db = OpaquePointer(bitPattern: connection.address) else { return }
    for path in connection.newlyAttached(on: db) {
      output.logIfOpen(DatabaseAttaching(connection, at: path), test: test)
    }
  }

  /// Logs once that tests of this process use databases in memory, of which a crash leaves nothing.
  ///
  /// Not for each test: that would cost every passing one a write.
  func logMemory(_ connection: Connection) {
    guard output.run != nil, !hasLoggedMemory.exchange(true, ordering: .relaxed) else { return }
    output.logIfOpen(DatabaseOpening(connection, at: nil), test: nil)
  }
}

extension DatabaseOpening {
  /// What a connection has open at a path, and which file that is now.
  init(_ connection: Connection, at path: String?) {
    self.init(connection: connection.number, path: path, file: path.flatMap { FileIdentity(path: $0) })
  }
}

extension DatabaseAttaching {
  /// What a connection has attached at a path, and which file that is now.
  init(_ connection: Connection, at path: String) {
    self.init(connection: connection.number, path: path, file: FileIdentity(path: path))
  }
}
