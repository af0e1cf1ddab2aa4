import Collector
import ExhibitSQLite
import ExhibitStart

/// The connections that the app has open, with the tests that opened and use them.
final class ConnectionRegistry: Sendable {
  private let state = Locked(State())

  private struct State {
    var connections: [UInt: Connection] = [:]
    var lastNumber = 0
  }

  /// Takes a connection in; called on the thread that opened it.
  ///
  /// - Returns: The connection, or `nil` when SQLite could not watch it.
  @discardableResult
  func add(_ db: OpaquePointer, opener: Connection.Opener) -> Connection? {
    let address = UInt(bitPattern: db)
    let path = mainPath(of: db)
    let connection = state.withLock { state in
      state.lastNumber += 1
      let connection = Connection(db, number: state.lastNumber, path: path, opener: opener)
      state.connections[address] = connection
      return connection
    }
    guard exhibit_watch_connection(db) == SQLITE_OK else {
      state.withLock { _ = $0.connections.removeValue(forKey: address) }
      return nil
    }
    return connection
  }

  subscript(address: UInt) -> Connection? {
    state.withLock { $0.connections[address] }
  }

  /// Whether no other connection has the file open.
  func isLast(_ connection: Connection, at path: String) -> Bool {
    state.withLock { state in
      !state.connections.values.contains { $0 !== connection && $0.path == path }
    }
  }

  /// Oldest first.
  var all: [Connection] {
    state.withLock { $0.connections.values.sorted { $0.number < $1.number } }
  }

  /// - Returns: The connection that was at the address.
  @discardableResult
  func remove(_ address: UInt) -> Connection? {
    let connection = state.withLock { $0.connections.removeValue(forKey: address) }
    connection?.end()
    return connection
  }
}

/// A connection that the user named; it is found again only while it is the same connection.
final class ConnectionReference: Sendable {
  let connection: Connection?

  /// Finds the connection, or takes it in when connections are not watched (`EXHIBIT_CAPTURE=registered`).
  init(_ db: OpaquePointer) {
    let registry = Recorder.process?.connections
    let opener = TestScope.running.map(Connection.Opener.scope) ?? .nobody
    connection = registry?[UInt(bitPattern: db)] ?? registry?.add(db, opener: opener)
  }

  /// The name of the main database's file, or one for a database in memory.
  var defaultName: String {
    guard let connection else { return "database" }
    let path = connection.ask(until: .now) { mainPath(of: $0) } ?? nil
    let file = path?.split(separator: "/").last.map(String.init)
    return file ?? "in-memory"
  }
}
