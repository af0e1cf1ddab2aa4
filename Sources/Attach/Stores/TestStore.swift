public import Foundation

/// The place of a store's database.
public enum StoreKind: Sendable {
  /// A file in WAL mode, as apps use it.
  case onDisk
  /// Memory that every connection of the store shares.
  case inMemory
}

/// A database for one test, removed after it.
///
/// Its connections have the SQL function `uuid()`, which counts: see `UUID.seed(_:)`.
public protocol TestStore: AnyObject, Sendable {
  /// The type that seeds and `write` receive.
  associatedtype Database

  /// Makes an empty store in a folder of its own inside `parent`.
  ///
  /// - Parameters:
  ///   - kind: The place of the database.
  ///   - parent: An existing folder.
  /// - Throws: An error that names the folder when nothing can be made there.
  init(_ kind: StoreKind, in parent: URL) throws

  /// The place of its database.
  var kind: StoreKind { get }

  /// The database file in the store's own folder; a store in memory has none there.
  var url: URL { get }

  /// The evidence to capture when its test fails.
  var evidence: Evidence { get }

  /// Runs `body` in a transaction, which is rolled back when it throws.
  ///
  /// - Parameter body: Reads and writes.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body`, and an error when the transaction cannot begin or end.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result

  /// Checkpoints and empties the WAL; in memory it does nothing.
  ///
  /// - Throws: An error when a connection still reads the WAL.
  func checkpoint() throws

  /// Closes the store and removes its folder; a second call does nothing.
  ///
  /// - Throws: An error when it is still in use, or the folder cannot be removed.
  func destroy() throws
}

extension TestStore {
  /// Makes an empty store in the folder for temporary files.
  ///
  /// - Parameter kind: The place of the database; on disk by default.
  /// - Throws: An error that names the folder when nothing can be made there.
  public init(_ kind: StoreKind = .onDisk) throws {
    try self.init(kind, in: FileManager.default.temporaryDirectory)
  }

  /// The store's own folder: database, `-wal` and `-shm`, and what the app puts beside them.
  public var folder: URL { url.deletingLastPathComponent() }
}
