import Collector
import ExhibitSystem
import Synchronization

final class ConnectionLog: Sendable {
  private let connections: ConnectionRegistry
  private let output: RecorderOutput
  private let hasMemory = Atomic<Bool>(false)

  init(of connections: ConnectionRegistry, to output: RecorderOutput) {
    self.connections = connections
    self.output = output
  }

  func logOpened(_ database: DatabaseOpening, by opener: Ownership.Opener) {
    if database.path != nil { output.logIfOpen(database, test: opener.id) }
  }

  /// Logs a test's first use of a connection that it did not open, and returns true for it.
  @discardableResult
  func logUse(of connection: AppConnection, by scope: TestScope?, newest: Int) -> Bool {
    if connection.takeAttaching() { logAttached(to: connection, by: scope?.id) }
    guard connection.recordUse(by: scope?.serial, newest: newest) else { return false }
    let isOwn = scope.map { connection.isOpened(by: $0.serial) } ?? false
    if connection.path == nil {
      logMemory(connection)
    } else if !isOwn {
      logUse(of: connection, by: scope?.id)
    }
    return scope != nil && !isOwn
  }

  func logEnd(of connection: AppConnection) {
    guard connection.path != nil || connection.hasAttached else { return }
    output.logIfOpen(DatabaseClosing(connection: connection.number), test: nil)
  }

  /// Logs connections that are older than the log.
  func logEarlier() {
    for connection in connections.all {
      let asked = connection.ask(until: .now) { mainPath(of: $0) }
      guard let path = asked ?? (connection.hasEnded ? nil : connection.path) else { continue }
      output.logIfOpen(DatabaseOpening(connection, at: path), test: connection.opener.id)
    }
    for connection in connections.all {
      _ = connection.ask(until: .now) { _ in logAttached(to: connection, by: connection.opener.id) }
    }
  }

  /// Logs open connections into a new log, after the earlier one was removed.
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

  private func logAttached(to connection: AppConnection, by test: TestCaseID?) {
    guard output.run != nil, let db = OpaquePointer(bitPattern: connection.address) else { return }
    for path in connection.newlyAttached(on: db) {
      output.logIfOpen(DatabaseAttaching(connection, at: path), test: test)
    }
  }

  /// Logs once that the process uses in-memory databases: for each test it would cost a write.
  private func logMemory(_ connection: AppConnection) {
    guard output.run != nil, !hasMemory.exchange(true, ordering: .relaxed) else { return }
    output.logIfOpen(DatabaseOpening(connection, at: nil), test: nil)
  }
}

extension DatabaseOpening {
  init(_ connection: AppConnection, at path: String?) {
    self.init(connection: connection.number, path: path, file: path.flatMap { FileIdentity(path: $0) })
  }
}

extension DatabaseAttaching {
  init(_ connection: AppConnection, at path: String) {
    self.init(connection: connection.number, path: path, file: FileIdentity(path: path))
  }
}
