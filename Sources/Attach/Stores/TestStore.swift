public import Foundation

/// Where a store keeps its database.
public enum StoreKind: Sendable {
  /// A file in WAL mode, as an app has it.
  case onDisk
  /// Memory that every connection of the store shares.
  case inMemory
}

/// A database that one test has for itself, and that goes with the test.
///
/// A store on disk and one in memory are used alike. Connections of a store have the SQL function `uuid()`, which
/// counts: see `UUID.seed(_:)`.
public protocol TestStore: AnyObject, Sendable {
  /// What seeds and `write` are given.
  associatedtype Database

  /// Makes an empty store in a folder of its own inside `parent`.
  ///
  /// - Parameters:
  ///   - kind: Where the database is kept.
  ///   - parent: An existing folder.
  /// - Throws: An error that names the folder when nothing can be made there.
  init(_ kind: StoreKind, in parent: URL) throws

  /// Where it keeps its database.
  var kind: StoreKind { get }

  /// The file of the database, in the store's own folder; a store in memory has none there.
  var url: URL { get }

  /// What is captured of it when its test fails.
  var evidence: Evidence { get }

  /// Runs `body` in a transaction, which is rolled back when it throws.
  ///
  /// - Parameter body: Reads and writes.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and an error when the transaction cannot begin or end.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result

  /// Brings what the WAL holds into the database file; in memory there is nothing to do.
  ///
  /// - Throws: An error when a connection still reads the WAL.
  func checkpoint() throws

  /// Closes the store and removes its folder; done twice it does nothing.
  ///
  /// - Throws: An error when it is still in use, or the folder cannot be removed.
  func destroy() throws
}

extension TestStore {
  /// Makes an empty store in the folder for temporary files.
  ///
  /// - Parameter kind: Where the database is kept; on disk by default.
  /// - Throws: An error that names the folder when nothing can be made there.
  public init(_ kind: StoreKind = .onDisk) throws {
    try self.init(kind, in: FileManager.default.temporaryDirectory)
  }

  /// The folder that is the store's alone: database, `-wal` and `-shm`, and what the app puts beside them.
  public var folder: URL { url.deletingLastPathComponent() }
}
