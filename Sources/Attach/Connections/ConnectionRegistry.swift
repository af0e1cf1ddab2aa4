import Collector
import ExhibitCSQLite
import ExhibitStart
import ExhibitSystem

final class ConnectionRegistry: Sendable {
  private let state = Locked(State())

  /// A SQLite function from another library than the connections, if any.
  static let foreignFunction = exhibit_foreign_function().map { String(cString: $0) }

  fileprivate struct State {
    var connections: [AppConnection] = []
    var lastNumber = 0
    /// Opened by suites or by traits around tests, oldest first.
    var ofSuites: [AppConnection] = []
    /// `nil` for few connections: a first dictionary costs a process 0.1 ms.
    var index: ConnectionIndex?
  }

  /// Adds and watches a connection, on the thread that opened it.
  ///
  /// - Parameter isNew: True before the app has it, so that no trace of the app's is replaced.
  /// - Returns: `nil` when it cannot be watched.
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

  func isLast(_ connection: AppConnection, at place: AppConnection.SharedDatabase) -> Bool {
    state.withLock { state in
      if let index = state.index { return index.isLast(connection, at: place) }
      return !state.connections.contains { $0 !== connection && $0.place == place }
    }
  }

  var all: [AppConnection] { state.withLock { $0.connections } }

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
