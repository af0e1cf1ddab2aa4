import ExhibitSQLite
import ExhibitSystem
public import Foundation

/// Migrates a SQLite store so that it ends up either unchanged or completely migrated.
///
/// The store is locked against every other connection and copied with the rows of its WAL. The copy is migrated in
/// rollback mode and checked. Its pages then replace the store's in one transaction. The file stays the same, so no
/// `-wal` of another database lies beside it, which would destroy the store.
///
/// When the migration throws, the store is unchanged. When the process dies, it is unchanged or migrated; the next
/// run removes a hidden folder `.<name>.migration-…` that may stay beside it.
///
/// In WAL mode all other connections are found. In rollback mode those of other processes are found only while they
/// read or write; those of this process are always found on Linux.
///
/// ```swift
/// try StoreMigration(of: url).run(to: 3) { connection, version in
///   if version < 2 { sqlite3_exec(connection, "ALTER TABLE note ADD COLUMN title TEXT", nil, nil, nil) }
/// }
/// ```
public struct StoreMigration: Sendable {
  /// The result of a migration.
  public enum Outcome: Sendable, Equatable {
    /// There is no file; nothing was done.
    case noStore
    /// The store needed no migration; nothing was done.
    case notNeeded
    /// The store is migrated and in WAL mode.
    case migrated
  }

  /// The database file.
  public let store: URL
  /// The time to wait for other connections to close.
  public var patience: Duration
  /// True when `PRAGMA foreign_key_check` must find nothing in the migrated copy.
  public var checksForeignKeys: Bool

  /// Called after each step; tests throw in it or end the process.
  package var onStep: @Sendable (Step) throws -> Void = { _ in }

  /// Describes the migration of one store without starting it.
  ///
  /// - Parameters:
  ///   - store: The database file; a symbolic link is followed.
  ///   - patience: The time to wait for other connections to close.
  ///   - checksForeignKeys: Pass `false` for a store with rows that refer to missing ones.
  public init(of store: URL, patience: Duration = .seconds(2), checksForeignKeys: Bool = true) {
    self.store = store
    self.patience = patience
    self.checksForeignKeys = checksForeignKeys
  }

  /// A moment between two changes on disk.
  package enum Step: String, Sendable, CaseIterable {
    /// Other connections can no longer read or write the store.
    case locked
    case copied
    case migrated
    case checked
    /// The store has the copy's content.
    case placed
    /// The whole store is in one file.
    case tidied
  }
}

// MARK: - Running

extension StoreMigration {
  /// Migrates the store if it needs it.
  ///
  /// With GRDB, open a `DatabaseQueue` on the copy in `migrate`, run a `DatabaseMigrator` and close the queue.
  ///
  /// - Parameters:
  ///   - isNeeded: Decides whether the database at a URL must be migrated. It is called for the store and again for
  ///     the copy, and must close what it opens.
  ///   - migrate: Migrates the database at a URL, which is in rollback mode and has a folder of its own.
  /// - Returns: The outcome.
  /// - Throws: The errors of the closures, or `StoreMigrationError`; the store is unchanged then.
  @discardableResult
  public func run(
    when isNeeded: (URL) throws -> Bool, _ migrate: (URL) throws -> Void
  ) throws -> Outcome {
    do {
      return try runOnce(when: isNeeded, migrate)
    } catch {
      throw StoreMigrationError.converted(error)
    }
  }

  private func runOnce(
    when isNeeded: (URL) throws -> Bool, _ migrate: (URL) throws -> Void
  ) throws -> Outcome {
    guard let path = try FileSystem.resolved(store.path) else { return .noStore }
    let deadline = ContinuousClock.now + patience
    try ForeignWAL.check(path)
    guard try ask(isNeeded, about: path, until: deadline) else {
      try MigrationFolder.removeLeftovers(beside: path)
      return .notNeeded
    }
    guard let locked = try LockedStore(path, until: deadline) else {
      // Another process has put a new file there.
      return try run(when: isNeeded, migrate)
    }
    return try run(on: locked, when: isNeeded, migrate)
  }

  /// Migrates the store if its `user_version` is lower than `version`, and sets it to `version`.
  ///
  /// - Parameters:
  ///   - version: The version that the app reads and writes; 1 or more.
  ///   - migrate: Migrates the database of an open connection, an `sqlite3 *`, from the given `user_version` on. It
  ///     must not close the connection.
  /// - Returns: The outcome.
  /// - Throws: The errors of `migrate`, or `StoreMigrationError`, also for a store of a newer version; the store is
  ///   unchanged then.
  @discardableResult
  public func run(
    to version: Int, _ migrate: (_ connection: OpaquePointer, _ userVersion: Int) throws -> Void
  ) throws -> Outcome {
    try run(when: { try isOlder($0.path, than: version) }) { copy in
      let connection = try SQLiteHandle.open(store: copy.path)
      try migrate(connection.pointer, try connection.integer("PRAGMA user_version") ?? 0)
      guard connection.isIdle else {
        throw StoreMigrationError(
          .copyInUse, copy.path, "The migration returned inside a transaction, or with an open statement.")
      }
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }

  /// Calls `isNeeded` under a read lock, so that it never meets a migration's lock.
  private func ask(
    _ isNeeded: (URL) throws -> Bool, about path: String, until deadline: ContinuousClock.Instant
  ) throws -> Bool {
    let url = URL(fileURLWithPath: path)
    do {
      let store = try ReadableStore(path, until: deadline)
      return try withExtendedLifetime(store) { try isNeeded(url) }
    } catch {
      if (error as? StoreMigrationError)?.reason == .storeInUse { throw error }
      // It may want to write, which our lock prevented.
      return try isNeeded(url)
    }
  }

  private func isOlder(_ path: String, than version: Int) throws -> Bool {
    let connection = try SQLiteHandle.open(store: path)
    // Closing must not checkpoint the WAL before the migration.
    try connection.keepWAL(of: path)
    let found = try connection.integer("PRAGMA user_version") ?? 0
    guard found <= version else {
      throw StoreMigrationError(
        .newerVersion(found), path,
        "Its user_version is \(found), and this app knows versions up to \(version).")
    }
    return found < version
  }

  private func run(
    on locked: LockedStore, when isNeeded: (URL) throws -> Bool, _ migrate: (URL) throws -> Void
  ) throws -> Outcome {
    try onStep(.locked)
    let folder = try MigrationFolder(beside: locked.path)
    let copy = URL(fileURLWithPath: folder.copy)
    return try withExtendedLifetime((locked, folder)) {
      try locked.copy(to: copy.path)
      try onStep(.copied)
      guard try isNeeded(copy) else { return .notNeeded }
      try migrate(copy)
      try onStep(.migrated)
      try place(copy.path, in: locked)
      return .migrated
    }
  }

  private func place(_ copy: String, in locked: LockedStore) throws {
    try MigratedCopy(path: copy).finish(pageSize: locked.pageSize(), checksForeignKeys: checksForeignKeys)
    try onStep(.checked)
    try locked.replace(by: copy)
    try onStep(.placed)
    locked.tidy()
    try onStep(.tidied)
  }
}
