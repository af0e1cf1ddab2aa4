import ExhibitSystem

final class HeldDatabases: Sendable {
  /// The most databases to hold; each takes two descriptors or its bytes.
  static let limit = 128

  private let connections: ConnectionRegistry
  private let state = Locked(State())

  /// - Parameter connections: The registry that tells whether another connection has a database open.
  init(of connections: ConnectionRegistry) {
    self.connections = connections
  }

  fileprivate struct State {
    /// Oldest first.
    var held: [Holding] = []
    /// Refused databases by the serial of the test that may still fail, in the order of closing; `nil` until there is
    /// one.
    ///
    /// Thousands of tests that run at once close more databases than can be held.
    var refused: [Int: [Refused]]?
    /// The serials of tests that may have ended unnoticed; `nil` until there is one.
    var maybeEnded: Set<Int>?
  }

  struct Refused: Sendable {
    /// The number of its connection.
    var connection: Int
    /// `nil` in memory.
    var path: String?
    var reason: HeldDatabase.Refusal
  }

  fileprivate struct Holding {
    /// The tests that may still fail.
    var tests: TestSerials
    var database: HeldDatabase
  }

  /// Holds the databases of a connection that is about to be closed, for tests with these serials.
  func hold(databasesOf connection: AppConnection, _ db: OpaquePointer, for serials: [Int]) {
    guard !serials.isEmpty else { return }
    OwnWork.run {
      for schema in schemaNames(of: db) where !isEmptyTemporary(schema, on: db) {
        hold(schema, of: connection, db, for: serials)
      }
    }
  }

  private func hold(_ schema: String, of connection: AppConnection, _ db: OpaquePointer, for serials: [Int]) {
    switch HeldDatabase.hold(schema, on: db, closing: connection, in: connections) {
    case .held(let content):
      hold(HeldDatabase(connection: connection.number, schema: schema, content: content), for: serials)
    case .refused(let reason):
      refuse(connection.number, at: filePath(of: schema, on: db), for: serials, because: reason)
    case .nothing: break
    }
  }

  func hold(_ database: HeldDatabase, for serials: [Int]) {
    let isHeld = state.withLock { state in
      guard state.held.count < Self.limit || state.giveUpOldest() else { return false }
      state.held.append(Holding(tests: TestSerials(serials), database: database))
      return true
    }
    if !isHeld { refuse(database.connection, at: database.path, for: serials, because: .number) }
  }

  /// Notes that no event will tell a test's end; what is held for it is released first where room is short.
  func noteUntoldEnd(of serial: Int) {
    state.withLock { state in
      if state.maybeEnded == nil { state.maybeEnded = [] }
      state.maybeEnded?.insert(serial)
    }
  }

  /// Notes that an event will tell a test's end after all.
  func noteToldEnd(of serial: Int) {
    state.withLock { _ = $0.maybeEnded?.remove(serial) }
  }

  func refuse(_ connection: Int, at path: String?, for serials: [Int], because reason: HeldDatabase.Refusal) {
    state.withLock {
      $0.refuse(Refused(connection: connection, path: path, reason: reason), for: serials)
    }
  }

  /// The database of a connection that is held for a test.
  func find(_ schema: String, of connection: Int, for serial: Int) -> HeldDatabase? {
    state.withLock { state in
      state.held.first {
        $0.database.connection == connection && $0.database.schema == schema && $0.tests.contains(serial)
      }?.database
    }
  }

  /// Takes a test's held and refused databases, both in the order of closing.
  func take(_ serial: Int) -> (held: [HeldDatabase], refused: [Refused]) {
    state.withLock { state in
      (state.takeHeld(serial), state.refused?.removeValue(forKey: serial) ?? [])
    }
  }

  /// Releases what is held for this test alone.
  func drop(_ serial: Int) {
    state.withLock { state in
      _ = state.maybeEnded?.remove(serial)
      _ = state.takeHeld(serial)
      state.refused?[serial] = nil
    }
  }

  /// Releases a file that is opened again, because its WAL may be replaced soon.
  func letGo(_ storage: OpenDatabase.Storage) {
    state.withLock { state in
      guard !state.held.isEmpty else { return }
      state.held.removeAll { $0.database.storage == storage && !$0.database.isLost }
    }
  }
}

extension HeldDatabases.State {
  /// Releases the oldest database whose tests may all have ended, and notes the refusal.
  fileprivate mutating func giveUpOldest() -> Bool {
    guard let maybeEnded, let index = held.firstIndex(where: { maybeEnded.isSuperset(of: $0.tests.all) })
    else {
      return false
    }
    let (tests, database) = (held[index].tests, held[index].database)
    held.remove(at: index)
    refuse(
      HeldDatabases.Refused(connection: database.connection, path: database.path, reason: .number),
      for: tests.all)
    return true
  }

  fileprivate mutating func refuse(_ one: HeldDatabases.Refused, for serials: [Int]) {
    var refused = refused.take() ?? [:]
    for serial in serials { refused[serial, default: []].append(one) }
    self.refused = refused
  }

  /// Takes what is held for a test; databases that are held for others too stay theirs as well.
  fileprivate mutating func takeHeld(_ serial: Int) -> [HeldDatabase] {
    var taken: [HeldDatabase] = []
    for index in held.indices where held[index].tests.remove(serial) { taken.append(held[index].database) }
    if !taken.isEmpty { held.removeAll(where: \.tests.isEmpty) }
    return taken
  }
}

extension HeldDatabase {
  /// The held file; `nil` in memory.
  var storage: OpenDatabase.Storage? {
    if case .file(_, let database, _) = content { database.storage } else { nil }
  }

  /// True when the app closed the descriptor of a file that has left its path; another file may have its inode now.
  var isLost: Bool {
    guard case .file(let path, let database, _) = content else { return false }
    return !database.isOurs && OpenDatabase.Storage(path: path) != database.storage
  }

  /// The path it had; `nil` in memory.
  var path: String? {
    if case .file(let path, _, _) = content { path } else { nil }
  }
}
