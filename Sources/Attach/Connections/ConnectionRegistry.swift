import Collector
import ExhibitCSQLite
import ExhibitStart
import ExhibitSystem

/// The connections that the app has open, with the tests that opened and use them.
final class ConnectionRegistry: Sendable {
  private let state = Locked(State())

  /// The name of a SQLite function that comes from another library than the connections; looked up once.
  static let foreignFunction = exhibit_foreign_function().map { String(cString: $0) }

  fileprivate struct State {
    /// Oldest first.
    var connections: [AppConnection] = []
    var lastNumber = 0
    /// The connections that a suite, or a trait around tests, has opened, oldest first.
    var ofSuites: [AppConnection] = []
    /// Made when there are many, since the first dictionary with a new type of keys costs a process 0.1 ms.
    var index: ConnectionIndex?
  }

  /// Adds a connection and watches it; called on the thread that opened it.
  ///
  /// - Parameter isNew: True when the app has not received it yet, so that no trace of its own can be replaced.
  /// - Returns: `nil` when SQLite could not watch it or it may not be touched.
  @discardableResult
  func add(_ db: OpaquePointer, opener: Ownership.Opener, isNew: Bool) -> AppConnection? {
    guard Self.foreignFunction == nil else { return nil }
    let connection = insert(db, opener: opener)
    let watcher = Unmanaged.passUnretained(connection).toOpaque()
    guard exhibit_watch_connection(db, watcher, isNew ? 1 : 0) == SQLITE_OK else {
      state.withLock { $0.remove(connection) }
      return nil
    }
    return connection
  }

  /// Adds a connection without watching it.
  func insert(_ db: OpaquePointer, opener: Ownership.Opener) -> AppConnection {
    let path = mainPath(of: db)
    return state.withLock { state in
      state.lastNumber += 1
      let connection = AppConnection(db, number: state.lastNumber, path: path, opener: opener)
      state.add(connection)
      return connection
    }
  }

  subscript(address: UInt) -> AppConnection? {
    state.withLock { $0.connection(at: address) }
  }

  /// True when no other connection has the database at a place open.
  func isLast(_ connection: AppConnection, at place: AppConnection.SharedDatabase) -> Bool {
    state.withLock { state in
      if let index = state.index { return index.isLast(connection, at: place) }
      return !state.connections.contains { $0 !== connection && $0.place == place }
    }
  }

  /// Oldest first.
  var all: [AppConnection] { state.withLock { $0.connections } }

  /// The connections that a suite, or a trait around tests, has opened, oldest first.
  var ofSuites: [AppConnection] { state.withLock { $0.ofSuites } }

  @discardableResult
  func remove(_ address: UInt) -> AppConnection? {
    let connection = state.withLock { state in
      let connection = state.connection(at: address)
      if let connection { state.remove(connection) }
      return connection
    }
    connection?.end()
    return connection
  }
}

extension ConnectionRegistry.State {
  /// The number of connections up to which a linear search is cheaper than an index.
  private static let few = 16

  fileprivate func connection(at address: UInt) -> AppConnection? {
    if let index { return index.connection(at: address) }
    return connections.last { $0.address == address }
  }

  fileprivate mutating func add(_ connection: AppConnection) {
    connections.append(connection)
    if case .named = connection.opener { ofSuites.append(connection) }
    if index != nil {
      index?.add(connection)
    } else if connections.count > Self.few {
      index = ConnectionIndex(connections)
    }
  }

  fileprivate mutating func remove(_ connection: AppConnection) {
    guard let place = place(of: connection) else { return }
    connections.remove(at: place)
    if case .named = connection.opener { ofSuites.removeAll { $0 === connection } }
    index?.remove(connection)
  }

  private func place(of connection: AppConnection) -> Int? {
    let place = connections.place(behind: { $0.number < connection.number })
    return place < connections.count && connections[place] === connection ? place : nil
  }
}
