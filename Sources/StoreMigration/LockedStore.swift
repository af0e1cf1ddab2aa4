import ExhibitCSQLite

/// A store that nobody else can read or write until `deinit`.
///
/// SQLite's locking mode EXCLUSIVE keeps the lock between transactions, in WAL mode too. A process that dies loses it,
/// and with it everything that was not committed.
final class LockedStore {
  let path: String
  private let connection: Connection

  /// - Returns: `nil` when the path leads to another file by the time the lock is there.
  /// - Throws: `StoreMigrationError`, after `deadline` with the reason `storeInUse`.
  init?(_ path: String, until deadline: ContinuousClock.Instant) throws(StoreMigrationError) {
    self.path = path
    connection = try wait(for: path, until: deadline) { () throws(StoreMigrationError) in
      try Self.lock(path)
    }
    if try connection.hasMoved() { return nil }
    guard !Files.isOpenTwice(path) else { throw .inUse(path) }
    // What is committed is on disk.
    try connection.execute("PRAGMA synchronous = FULL")
  }

  /// Locks it through a connection of its own: in this locking mode one that is refused keeps the lock for readers
  /// that it got, and two that wait would keep each other out.
  private static func lock(_ path: String) throws(StoreMigrationError) -> Connection {
    // Without one, what SQLite makes beside the store goes again.
    let hasWAL = try Files.size(path + "-wal") > 0
    let connection = try Connection(path)
    try connection.keepsWAL(hasWAL)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    try connection.execute("BEGIN EXCLUSIVE; COMMIT")
    return connection
  }

  /// In bytes.
  func pageSize() throws(StoreMigrationError) -> Int { try connection.integer("PRAGMA page_size") }

  /// Makes a database in rollback mode of what the store holds, its WAL included.
  func copy(to destination: String) throws(StoreMigrationError) {
    let copy = try Connection(destination, .new)
    try copy.fill(from: connection)
    try copy.execute("PRAGMA journal_mode = DELETE")
  }

  /// Replaces what the store holds, in one transaction of SQLite's.
  ///
  /// - Parameter replacement: A database whose header says WAL mode, and so does the store's then.
  func replace(by replacement: String) throws(StoreMigrationError) {
    if try connection.hasMoved() {
      throw StoreMigrationError(.storeInUse, path, "Another file was put in the store's place meanwhile.")
    }
    let source = try Connection(replacement, .immutable)
    let wal = try connection.wal()
    do throws(StoreMigrationError) {
      try connection.fill(from: source)
    } catch {
      guard let wal else {
        if try isReplaced() { return }
        throw error
      }
      // A commit whose sync failed is an error, and yet the next connection would find it in the WAL.
      try connection.keepsWAL(true)
      try wal.reset()
      throw error
    }
  }

  /// Whether a store that was in rollback mode is the replacement although the commit failed: its header says WAL
  /// mode, and no journal is left that would be rolled back.
  ///
  /// A commit is done once the header of the journal is overwritten; what failed was to sync that. After a power cut
  /// the journal may be back, and the store then is as before.
  ///
  /// Source: https://www.sqlite.org/fileformat2.html, sections 1.3.2 and 3.
  private func isReplaced() throws(StoreMigrationError) -> Bool {
    let versions = try connection.read(2, at: 18)
    guard versions == [2, 2] else { return false }
    return try Files.beginning(of: path + "-journal", count: 8).allSatisfy { $0 == 0 }
  }

  /// Brings what was committed from the WAL into the file, and leaves the file alone.
  func tidy() {
    // The store is migrated; whoever opens it next does what fails here.
    try? connection.keepsWAL(false)
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    // In this locking mode SQLite keeps the journal of the last transaction, with nothing in it, and passes over the
    // -shm of connections that are gone.
    for suffix in ["-journal", "-shm"] { try? Files.remove(path + suffix) }
  }
}
