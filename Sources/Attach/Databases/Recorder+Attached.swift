import Collector

/// What the log says beside the main files of connections, for a report made after a crash.
extension Recorder {
  /// Logs files that a connection has attached since it was asked last, once there is a log.
  ///
  /// Called where the connection may be used.
  func logAttached(to connection: Connection, by test: TestCaseID?) {
    guard output.run != nil, let db = OpaquePointer(bitPattern: connection.address) else { return }
    for path in connection.newlyAttached(on: db) {
      let database = OpenedDatabase(
        connection: connection.number, path: path, file: FileIdentity(path: path))
      output.logIfOpen(.databaseAttached(database), test: test)
    }
  }

  /// Logs once a test that it uses databases in memory.
  func logMemory(_ connection: Connection, of scope: TestScope?) {
    guard let scope else { return }
    let isFirst = scope.state.withLock { state in
      defer { state.usesMemory = true }
      return !state.usesMemory
    }
    guard isFirst else { return }
    output.logIfOpen(
      .databaseOpened(OpenedDatabase(connection: connection.number, path: nil)), test: scope.id)
  }
}
