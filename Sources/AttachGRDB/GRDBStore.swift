#if GRDB
  public import Attach
  import ExhibitCSQLite
  public import Foundation
  public import GRDB

  /// A test's own database, opened by GRDB: a pool on disk, a queue in memory.
  ///
  /// ```swift
  /// @Suite(.store(GRDBStore.self) { db in try db.execute(sql: "CREATE TABLE player (name TEXT)") })
  /// struct PlayerTests {
  ///   @Test func isAdded() throws {
  ///     let players = PlayerRepository(try GRDBStore.current.writer)
  ///     …
  ///   }
  /// }
  /// ```
  public final class GRDBStore: TestStore {
    /// A pool on disk or a queue in memory.
    public let kind: StoreKind
    /// The database file; a store in memory has none there.
    public let url: URL
    /// The writer for the app's code, of either kind.
    public let writer: any DatabaseWriter

    private let home: StoreFolder
    private let identifiers = IdentifierSequence()
    private let place: StoreIdentifiers.Storage?

    /// Makes an empty store that checks foreign keys, in WAL mode on disk.
    ///
    /// - Parameters:
    ///   - kind: A pool on disk or a queue in memory.
    ///   - parent: The folder in which the store makes its own.
    /// - Throws: `StoreError` when the folder cannot be made, or `DatabaseError` of GRDB.
    public convenience init(_ kind: StoreKind, in parent: URL) throws {
      try self.init(kind, in: parent, configure: { _ in })
    }

    /// Makes an empty store whose connections are configured as the app's are.
    ///
    /// ```swift
    /// let store = try GRDBStore { $0.busyMode = .timeout(1) }
    /// ```
    ///
    /// - Parameters:
    ///   - kind: A pool on disk or a queue in memory.
    ///   - parent: The folder in which the store makes its own.
    ///   - configure: Changes GRDB's default configuration. A function `uuid` registered here replaces the store's.
    /// - Throws: The errors of `configure`, `StoreError` when the folder cannot be made, or `DatabaseError` of
    ///   GRDB.
    public init(
      _ kind: StoreKind = .onDisk, in parent: URL = FileManager.default.temporaryDirectory,
      configure: (inout Configuration) throws -> Void
    ) throws {
      self.kind = kind
      home = try StoreFolder(in: parent)
      url = home.url(of: "Store.sqlite")
      var configuration = Configuration()
      configuration.prepareDatabase { [identifiers] db in
        guard let connection = db.sqliteConnection else { return }
        identifiers.register(on: connection)
      }
      try configure(&configuration)
      let file = home.path + "/Store.sqlite"
      switch kind {
      case .onDisk:
        writer = try DatabasePool(path: file, configuration: configuration)
      case .inMemory:
        let name = "exhibit-store-\(UUID().uuidString)"
        writer = try DatabaseQueue(named: name, configuration: configuration)
      }
      place = writer.unsafeReentrantWrite { db in
        db.sqliteConnection.flatMap { StoreIdentifiers.Storage(of: $0) }
      }
      if let place { StoreIdentifiers.add(identifiers, at: place) }
    }

    deinit {
      StoreIdentifiers.remove(identifiers, at: place)
    }

    /// The database, also one in memory.
    public var evidence: Evidence { .database(writer, named: "Store") }

    /// Runs `body` in a transaction, which is rolled back when it throws.
    ///
    /// - Parameter body: Reads and writes.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`, and `DatabaseError` of GRDB.
    public func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
      try writer.write(body)
    }

    /// Checkpoints and empties the WAL; in memory it does nothing.
    ///
    /// - Throws: `DatabaseError` of GRDB, also when a connection still reads the WAL.
    public func checkpoint() throws {
      guard kind == .onDisk else { return }
      _ = try writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// Closes queue or pool and removes the folder.
    ///
    /// - Throws: `DatabaseError` of GRDB when a statement is still open, or `StoreError` when the folder cannot be
    ///   removed.
    public func destroy() throws {
      StoreIdentifiers.remove(identifiers, at: place)
      let closing = Swift.Result { try writer.close() }
      try home.remove()
      try closing.get()
    }
  }
#endif
