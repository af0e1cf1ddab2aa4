import ExhibitSystem

final class HeldDatabases: Sendable {
  /// Each takes two descriptors or memory.
  static let limit = 128

  private let connections: ConnectionRegistry
  private let state = Locked(State())

  init(of connections: ConnectionRegistry) {
    self.connections = connections
  }

  fileprivate struct State {
    var held: [Holding] = []
    /// By test, since thousands of parallel tests close more than can be held.
    var refused: [Int: [Refused]]?
    /// Tests that may have ended unnoticed.
    var maybeEnded: Set<Int>?
  }

  struct Refused: Sendable {
    var connection: Int
    var path: String?
    var reason: HeldDatabase.Refusal
  }

  fileprivate struct Holding {
    var tests: TestSerials
    var database: HeldDatabase
  }

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

  /// No event will tell the test's end, so its databases are released first.
  func noteUntoldEnd(of serial: Int) {
    state.withLock { state in
      if state.maybeEnded == nil { state.maybeEnded = [] }
      state.maybeEnded?.insert(serial)
    }
  }

  func noteToldEnd(of serial: Int) {
    state.withLock { _ = $0.maybeEnded?.remove(serial) }
  }

  func refuse(_ connection: Int, at path: String?, for serials: [Int], because reason: HeldDatabase.Refusal) {
    state.withLock {
      $0.refuse(Refused(connection: connection, path: path, reason: reason), for: serials)
    }
  }

  func find(_ schema: String, of connection: Int, for serial: Int) -> HeldDatabase? {
    state.withLock { state in
      state.held.first {
        $0.database.connection == connection && $0.database.schema == schema && $0.tests.contains(serial)
      }?.database
    }
  }

  /// In the order of closing.
  func take(_ serial: Int) -> (held: [HeldDatabase], refused: [Refused]) {
    state.withLock { state in
      (state.takeHeld(serial), state.refused?.removeValue(forKey: serial) ?? [])
    }
  }

  func drop(_ serial: Int) {
    state.withLock { state in
      _ = state.maybeEnded?.remove(serial)
      _ = state.takeHeld(serial)
      state.refused?[serial] = nil
    }
  }

  /// Releases a file that is opened again, since its WAL may be replaced.
  func letGo(_ storage: OpenDatabase.Storage) {
    state.withLock { state in
      guard !state.held.isEmpty else { return }
      state.held.removeAll { $0.database.storage == storage && !$0.database.isLost }
    }
  }
}

extension HeldDatabases.State {
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

  /// Databases also held for others stay.
  fileprivate mutating func takeHeld(_ serial: Int) -> [HeldDatabase] {
    var taken: [HeldDatabase] = []
    for index in held.indices where held[index].tests.remove(serial) { taken.append(held[index].database) }
    if !taken.isEmpty { held.removeAll(where: \.tests.isEmpty) }
    return taken
  }
}

extension HeldDatabase {
  var storage: OpenDatabase.Storage? {
    if case .file(_, let database, _) = content { database.storage } else { nil }
  }

  /// True for a moved or deleted file whose descriptor the app closed; its inode may be reused.
  var isLost: Bool {
    guard case .file(let path, let database, _) = content else { return false }
    return !database.isOurs && OpenDatabase.Storage(path: path) != database.storage
  }

  var path: String? {
    if case .file(let path, _, _) = content { path } else { nil }
  }
}
