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
  /// - Throws: An error that names the folder when nothing can be made there.
  init(_ kind: StoreKind, in parent: URL) throws

  var kind: StoreKind { get }

  /// The file of the database, in the store's own folder; a store in memory has none there.
  var url: URL { get }

  /// What is captured of it when its test fails.
  var evidence: Evidence { get }

  /// Runs `body` in a transaction, which is rolled back when it throws.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result

  /// Brings what the WAL holds into the database file; in memory there is nothing to do.
  func checkpoint() throws

  /// Closes the store and removes its folder; done twice it does nothing.
  func destroy() throws
}

extension TestStore {
  /// Makes an empty store in the folder for temporary files.
  public init(_ kind: StoreKind = .onDisk) throws {
    try self.init(kind, in: FileManager.default.temporaryDirectory)
  }

  /// The folder that is the store's alone: database, `-wal` and `-shm`, and what the app puts beside them.
  public var folder: URL { url.deletingLastPathComponent() }
}
