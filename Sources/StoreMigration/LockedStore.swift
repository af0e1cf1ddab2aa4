import ExhibitSQLite
import ExhibitSystem

/// A store under an exclusive lock, held until `deinit`.
///
/// In SQLite's locking mode EXCLUSIVE the lock lasts between transactions, in WAL mode too. A process that dies
/// loses it with all that is uncommitted.
final class LockedStore {
  let path: String
  private let connection: SQLiteHandle

  /// - Returns: `nil` when the path names another file once the lock is taken.
  /// - Throws: `SQLiteError` or `SystemError`; after `deadline` `StoreMigrationError` with the reason `storeInUse`.
  init?(_ path: String, until deadline: ContinuousClock.Instant) throws {
    self.path = path
    connection = try wait(for: path, until: deadline) { try Self.lock(path) }
    if try connection.hasMoved() { return nil }
    guard !isOpenTwice(path) else { throw StoreMigrationError.inUse(path) }
    try connection.execute("PRAGMA synchronous = FULL")
  }

  /// Locks the store through a new connection for each attempt.
  ///
  /// In this mode a refused connection keeps its read lock, so two that wait would block each other.
  private static func lock(_ path: String) throws -> SQLiteHandle {
    let connection = try SQLiteHandle.open(store: path)
    try connection.keepWAL(of: path)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    try connection.execute("BEGIN EXCLUSIVE; COMMIT")
    return connection
  }

  func pageSize() throws -> Int { try connection.integer("PRAGMA page_size") ?? 0 }

  /// Copies the store, its WAL included, into a database in rollback mode.
  func copy(to destination: String) throws {
    let copy = try SQLiteHandle.open(store: destination, creates: true)
    try copy.fill(from: connection)
    try copy.execute("PRAGMA journal_mode = DELETE")
  }

  /// Replaces the store's content in one transaction.
  ///
  /// - Parameter replacement: A database in WAL mode; the store becomes one too.
  func replace(by replacement: String) throws {
    if try connection.hasMoved() {
      throw StoreMigrationError(.storeInUse, path, "Another file was put in the store's place meanwhile.")
    }
    let source = try SQLiteHandle.open(immutable: replacement)
    let wal = try wal()
    do {
      try connection.fill(from: source)
    } catch {
      guard let wal else {
        if try isReplaced() { return }
        throw error
      }
      // After a failed sync the commit would still be in the WAL, where the next connection finds it.
      try connection.keepWAL(true)
      try wal.reset()
      throw error
    }
  }

  /// True when a store in rollback mode was replaced although the commit reported an error.
  ///
  /// Its header says WAL mode then, and its journal is gone or has a zeroed header, which is the commit; only the
  /// sync failed.
  ///
  /// Source: https://www.sqlite.org/fileformat2.html, sections 1.3.2 and 3.
  private func isReplaced() throws -> Bool {
    // Read through SQLite: closing a descriptor of ours would drop the lock.
    let start = try SQLiteFile.database(of: connection).prefix(DatabaseHeader.byteCount)
    let versions = start.dropFirst(DatabaseHeader.versionOffsets.lowerBound).prefix(2)
    guard Array(versions) == DatabaseHeader.walVersions else { return false }
    let journal = SideFile.journal.path(beside: path)
    guard try FileStatus(path: journal, followingLinks: false) != nil else { return true }
    return try InputFile(path: journal).prefix(8).allSatisfy { $0 == 0 }
  }

  private func wal() throws -> OpenWAL? {
    guard try connection.text("PRAGMA journal_mode") == "wal" else { return nil }
    return try SQLiteFile.journal(of: connection).map { try OpenWAL($0) }
  }

  /// Checkpoints the WAL and removes the side files.
  func tidy() {
    try? connection.keepWAL(false)
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    // In this mode SQLite leaves an empty journal, and the -shm of closed connections.
    for side in [SideFile.journal, .sharedMemory] { try? FileSystem.remove(side.path(beside: path)) }
  }
}
