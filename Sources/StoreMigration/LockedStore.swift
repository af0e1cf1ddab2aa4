import ExhibitSQLite
import ExhibitSystem

/// A store that nobody else can read or write until `deinit`.
///
/// SQLite's locking mode EXCLUSIVE keeps the lock between transactions, in WAL mode too. A process that dies loses
/// the lock, and everything that it had not committed.
final class LockedStore {
  let path: String
  private let connection: SQLiteHandle

  /// - Returns: `nil` when the path leads to another file once the lock is taken.
  /// - Throws: `SQLiteError` or `SystemError`; after `deadline` `StoreMigrationError` with the reason `storeInUse`.
  init?(_ path: String, until deadline: ContinuousClock.Instant) throws {
    self.path = path
    connection = try wait(for: path, until: deadline) { try Self.lock(path) }
    if try connection.hasMoved() { return nil }
    guard !isOpenTwice(path) else { throw StoreMigrationError.inUse(path) }
    // Commits are synced to disk.
    try connection.execute("PRAGMA synchronous = FULL")
  }

  /// Locks the store through a new connection for each attempt.
  ///
  /// In this locking mode a refused connection keeps the lock for readers that it got, so two that wait would keep
  /// each other out.
  private static func lock(_ path: String) throws -> SQLiteHandle {
    let connection = try SQLiteHandle.open(store: path)
    try connection.keepWAL(of: path)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    try connection.execute("BEGIN EXCLUSIVE; COMMIT")
    return connection
  }

  /// Bytes.
  func pageSize() throws -> Int { try connection.integer("PRAGMA page_size") ?? 0 }

  /// Copies the store's content, its WAL included, into a database in rollback mode.
  func copy(to destination: String) throws {
    let copy = try SQLiteHandle.open(store: destination, creates: true)
    try copy.fill(from: connection)
    try copy.execute("PRAGMA journal_mode = DELETE")
  }

  /// Replaces the store's content in one transaction of SQLite.
  ///
  /// - Parameter replacement: A database whose header says WAL mode; the store's will say so too.
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
      // A commit whose sync failed is an error, and yet the next connection would find it in the WAL.
      try connection.keepWAL(true)
      try wal.reset()
      throw error
    }
  }

  /// True when a store in rollback mode was replaced although the commit failed.
  ///
  /// Its header says WAL mode then, and no journal is left that would be rolled back. A commit is complete once the
  /// journal's header is overwritten; only the sync of that failed. After a power cut the journal may be back, which
  /// restores the store.
  ///
  /// Source: https://www.sqlite.org/fileformat2.html, sections 1.3.2 and 3.
  private func isReplaced() throws -> Bool {
    // This reads through SQLite: closing a descriptor of ours would drop the lock.
    let start = try SQLiteFile.database(of: connection).prefix(DatabaseHeader.byteCount)
    let versions = start.dropFirst(DatabaseHeader.versionOffsets.lowerBound).prefix(2)
    guard Array(versions) == DatabaseHeader.walVersions else { return false }
    let journal = SideFile.journal.path(beside: path)
    guard try FileStatus(path: journal, followingLinks: false) != nil else { return true }
    return try InputFile(path: journal).prefix(8).allSatisfy { $0 == 0 }
  }

  /// The WAL that the connection has open; `nil` in rollback mode.
  private func wal() throws -> OpenWAL? {
    guard try connection.text("PRAGMA journal_mode") == "wal" else { return nil }
    return try SQLiteFile.journal(of: connection).map { try OpenWAL($0) }
  }

  /// Moves the commits from the WAL into the file and leaves only the file.
  func tidy() {
    // The store is migrated; whoever opens it next repeats what fails here.
    try? connection.keepWAL(false)
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    // In this locking mode SQLite keeps an empty journal of the last transaction, and leaves the -shm of closed
    // connections.
    for side in [SideFile.journal, .sharedMemory] { try? FileSystem.remove(side.path(beside: path)) }
  }
}
