import Collector
import ExhibitSystem
import Synchronization

/// What the log says of connections, so that a report made after a crash knows the databases that were open.
final class ConnectionLog: Sendable {
  private let connections: ConnectionRegistry
  private let output: RecorderOutput
  private let hasMemory = Atomic<Bool>(false)

  init(of connections: ConnectionRegistry, to output: RecorderOutput) {
    self.connections = connections
    self.output = output
  }

  /// Logs a connection that a test or somebody else has opened.
  func logOpened(_ database: DatabaseOpening, by opener: Ownership.Opener) {
    // What is in memory cannot be read after a crash, so its opening is worth no write; its first use is.
    if database.path != nil { output.logIfOpen(database, test: opener.id) }
  }

  /// Logs that a test, or somebody unknown, used a connection, and what that has attached.
  ///
  /// Only a test's first use is logged, of what it did not open itself.
  ///
  /// - Parameter newest: The serial of the newest test.
  func logUse(of connection: AppConnection, by scope: TestScope?, newest: Int) {
    if connection.takeAttaching() { logAttached(to: connection, by: scope?.id) }
    guard connection.recordUse(by: scope?.serial, newest: newest) else { return }
    guard connection.path != nil else { return logMemory(connection) }
    if let scope, connection.isOpened(by: scope.serial) { return }
    logUse(of: connection, by: scope?.id)
  }

  /// Logs the real end of a connection whose opening, or what it attached, was logged.
  func logEnd(of connection: AppConnection) {
    guard connection.path != nil || connection.hasAttached else { return }
    output.logIfOpen(DatabaseClosing(connection: connection.number), test: nil)
  }

  /// Logs the connections that were open before the log was.
  func logEarlier() {
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

  /// Logs into a new log what an earlier one, which is lost, said of connections that are still open.
  ///
  /// - Parameter running: The tests that run.
  func logAgain(usedBy running: [TestScope]) {
    hasMemory.store(false, ordering: .relaxed)
    for connection in connections.all { connection.forgetAttached() }
    logEarlier()
    for connection in connections.all where connection.path != nil {
      for scope in running where connection.isUsed(by: scope.serial) {
        logUse(of: connection, by: scope.id)
      }
    }
  }

  private func logUse(of connection: AppConnection, by test: TestCaseID?) {
    output.logIfOpen(DatabaseUse(connection: connection.number), test: test)
  }

  /// Logs files that a connection has attached since it was asked last, once there is a log.
  ///
  /// Called where the connection may be used.
  private func logAttached(to connection: AppConnection, by test: TestCaseID?) {
    guard output.run != nil, let db = OpaquePointer(bitPattern: connection.address) else { return }
    for path in connection.newlyAttached(on: db) {
      output.logIfOpen(DatabaseAttaching(connection, at: path), test: test)
    }
  }

  /// Logs once that tests of this process use databases in memory, of which a crash leaves nothing.
  ///
  /// Not for each test: that would cost every passing one a write.
  private func logMemory(_ connection: AppConnection) {
    guard output.run != nil, !hasMemory.exchange(true, ordering: .relaxed) else { return }
    output.logIfOpen(DatabaseOpening(connection, at: nil), test: nil)
  }
}

extension DatabaseOpening {
  /// What a connection has open at a path, and which file that is now.
  init(_ connection: AppConnection, at path: String?) {
    self.init(connection: connection.number, path: path, file: path.flatMap { FileIdentity(path: $0) })
  }
}

extension DatabaseAttaching {
  /// What a connection has attached at a path, and which file that is now.
  init(_ connection: AppConnection, at path: String) {
    self.init(connection: connection.number, path: path, file: FileIdentity(path: path))
  }
}
