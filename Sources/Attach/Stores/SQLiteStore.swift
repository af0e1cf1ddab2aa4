import ExhibitSystem
public import Foundation

/// A test's own SQLite database, using the SQLite of the test process.
///
/// The trait `.store` makes one for every test; by hand:
///
/// ```swift
/// let store = try SQLiteStore(.inMemory)
/// try store.database.execute("CREATE TABLE player (name TEXT)")
/// ```
public final class SQLiteStore: TestStore {
  /// On disk or in memory.
  public let kind: StoreKind
  /// The database file; a store in memory has none there.
  public let url: URL
  /// The file's path, or the URI of the database in memory, for `SQLITE_OPEN_URI`.
  public let path: String
  /// The store's own connection, on disk in WAL mode.
  public let database: Connection

  private let home: StoreFolder
  private let identifiers = IdentifierSequence()
  private let place: StoreIdentifiers.Storage?
  private let connections = Locked<[Connection]>([])

  /// Makes an empty store that checks foreign keys, in WAL mode on disk.
  ///
  /// - Parameters:
  ///   - kind: The place of the database.
  ///   - parent: The folder in which the store makes its own.
  /// - Throws: `StoreError` when the folder cannot be made or SQLite refuses.
  public init(_ kind: StoreKind, in parent: URL) throws {
    self.kind = kind
    home = try StoreFolder(in: parent)
    url = home.url(of: "Store.sqlite")
    let file = home.path + "/Store.sqlite"
    path = kind == .onDisk ? file : "file:exhibit-store-\(UUID().uuidString)?mode=memory&cache=shared"
    database = try Connection(path: path, named: "the store \(file)", identifiers: identifiers)
    place = try database.withHandle { StoreIdentifiers.Storage(of: $0) }
    if kind == .onDisk { try database.execute("PRAGMA journal_mode=WAL") }
    if let place { StoreIdentifiers.add(identifiers, at: place) }
    try database.execute("PRAGMA foreign_keys=ON")
    connections.withLock { $0 = [database] }
  }

  deinit {
    StoreIdentifiers.remove(identifiers, at: place)
  }

  /// Opens one more connection; the store closes it at its end.
  ///
  /// - Returns: The connection, with foreign keys checked.
  /// - Throws: `StoreError` with SQLite's message.
  public func connect() throws -> Connection {
    let connection = try Connection(path: path, named: "the store \(url.path)", identifiers: identifiers)
    try connection.execute("PRAGMA foreign_keys=ON")
    connections.withLock { $0.append(connection) }
    return connection
  }

  /// The database, also one in memory.
  public var evidence: Evidence {
    let evidence = try? database.withHandle { Evidence.database(connection: $0, named: "Store") }
    return evidence ?? .database(at: url, named: "Store")
  }

  /// Runs `body` in a transaction of the store's own connection, which is rolled back when it throws.
  ///
  /// - Parameter body: Reads and writes; it must not begin or end a transaction.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body`, and `StoreError` when the transaction cannot begin or end.
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try database.execute("BEGIN IMMEDIATE")
    do {
      let result = try body(database)
      try database.execute("COMMIT")
      return result
    } catch {
      // SQLite may have rolled back already.
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  /// Checkpoints and empties the WAL.
  ///
  /// - Throws: `StoreError`, also when a connection still reads the WAL.
  public func checkpoint() throws {
    guard kind == .onDisk else { return }
    let result = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    guard result.first?.first == .integer(0) else {
      throw StoreError(
        .sqlite(code: 5), "The WAL of \(url.path) could not be emptied: a connection still reads it.")
    }
  }

  /// Closes every connection that the store opened and removes its folder.
  ///
  /// - Throws: `StoreError` when a statement is still open or the folder cannot be removed.
  public func destroy() throws {
    StoreIdentifiers.remove(identifiers, at: place)
    let open = connections.exchange([])
    let closing = Result { for connection in open.reversed() { try connection.close() } }
    try home.remove()
    try closing.get()
  }
}
