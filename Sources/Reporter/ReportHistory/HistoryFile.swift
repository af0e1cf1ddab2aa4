import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// A history in an SQLite file in rollback mode.
///
/// It may come from elsewhere, as out of a cache: it is used only where its schema is to the letter that of this version,
/// so no trigger or view of it runs, and values are read within limits.
package struct HistoryFile: HistoryStore {
  static let mostBytes = 4 << 30
  static let mostValueBytes: Int32 = 16 << 20

  static let mostTextBytes = 16 << 10

  package let path: String
  /// Seconds to wait for other processes, in all: a report asks several times.
  package var patience = 20.0
  private var waited = Locked(0.0)
  /// The time limit of one reading, in seconds.
  package var readingTime = 60.0

  package init(path: String) {
    self.path = path
  }

  package var name: String { path }
  package var exists: Bool { FileSystem.targetStatus(path) != nil }
  /// Without batches a pruning is atomic.
  package var mostRunsAtOnce: Int { .max }
  package var renewed: HistoryFile {
    var renewed = self
    renewed.waited = Locked(0)
    return renewed
  }

  // MARK: - Reading

  /// Lends a connection in a read transaction.
  package func read<Answer>(_ body: (any HistoryConnection) throws -> Answer) throws(HistoryError) -> Answer {
    try reported(isWriting: false) {
      try checkFile(isMaking: false)
      let handle = try connection(SQLITE_OPEN_READONLY).handle
      try restrict(handle)
      try waiting(on: handle) { () throws(SQLiteError) in try handle.beginReading() }
      guard try isMade(in: handle) else { throw HistoryError(path, .missing) }
      return try handle.limited(to: .seconds(readingTime)) { try body($0) }
    }
  }

  // MARK: - Writing

  /// Provides a connection in a write transaction and commits it.
  package func write<Answer>(isMaking: Bool, _ body: (any HistoryConnection) throws -> Answer?)
    throws(HistoryError) -> Answer?
  {
    try reported(isWriting: true) {
      if isMaking { try make() }
      try checkFile(isMaking: isMaking)
      let connection = try connection(SQLITE_OPEN_READWRITE)
      let answer = try changed(connection.handle, body)
      try connection.close()
      return answer
    }
  }

  private func changed<Answer>(_ handle: SQLiteHandle, _ body: (any HistoryConnection) throws -> Answer?)
    throws -> Answer?
  {
    try restrict(handle)
    // Closing rolls back.
    try waiting(on: handle) { () throws(SQLiteError) in try handle.execute("BEGIN IMMEDIATE") }
    // Enough for the changes of 10,000 tests, so that each page is written once.
    try handle.execute("PRAGMA cache_size = -65536")
    if try !isMade(in: handle) { try HistorySchema.make(in: handle) }
    guard let answer = try body(handle) else {
      try handle.execute("ROLLBACK")
      return nil
    }
    try waiting(on: handle) { () throws(SQLiteError) in try handle.execute("COMMIT") }
    return answer
  }

  /// Returns free space to the system.
  package func shrink() throws(HistoryError) {
    do throws(SQLiteError) {
      let connection = try connection(SQLITE_OPEN_READWRITE)
      try waiting(on: connection.handle) { () throws(SQLiteError) in
        if try connection.handle.integer("PRAGMA freelist_count") != 0 {
          try connection.handle.execute("VACUUM")
        }
      }
      try connection.close()
    } catch {
      throw HistoryError(path, .unshrunk(error.message))
    }
  }

  private func make() throws(HistoryError) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw HistoryError(path, .unwritable(String(cString: strerror(errno))))
    }
  }

  // MARK: - Looking at it

  private func checkFile(isMaking: Bool) throws(HistoryError) {
    guard let status = FileSystem.targetStatus(path) else { throw HistoryError(path, .missing) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw HistoryError(path, .foreign) }
    guard status.st_size <= Self.mostBytes else { throw HistoryError(path, .tooLarge) }
    let bytes = try firstBytes()
    // Another process is creating it, or died while it did.
    if bytes.isEmpty {
      if isMaking { return }
      throw HistoryError(path, .missing)
    }
    guard let header = DatabaseHeader(bytes) else {
      let isCut =
        DatabaseHeader.magic.starts(with: bytes.prefix(DatabaseHeader.magic.count))
      throw HistoryError(path, isCut ? .damaged("it is cut off") : .foreign)
    }
    if header.isWAL { throw HistoryError(path, .walMode) }
  }

  private func firstBytes() throws(HistoryError) -> [UInt8] {
    do {
      // No connection is open here, whose locks closing would drop.
      return try InputFile(link: path).prefix(DatabaseHeader.byteCount)
    } catch {
      throw HistoryError(path, .unreadable((error as? SystemError)?.reason ?? "\(error)"))
    }
  }

  /// False for a database without anything in it; what is no history of this version is refused.
  private func isMade(in handle: SQLiteHandle) throws -> Bool {
    let application = try handle.integer("PRAGMA application_id") ?? 0
    let version = try handle.integer("PRAGMA user_version") ?? 0
    if application == 0, version == 0, try handle.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      return false
    }
    guard application == HistorySchema.applicationID, version > 0 else { throw HistoryError(path, .foreign) }
    guard version == HistorySchema.version else { throw HistoryError(path, version: version) }
    let expected = try HistorySchema.entries()
    guard try HistorySchema.entries(of: handle, most: expected.count) == expected else {
      throw HistoryError(path, .altered)
    }
    return true
  }

  // MARK: - Connections

  private func connection(_ access: Int32) throws(SQLiteError) -> SQLiteConnection {
    try SQLiteConnection(
      path: path, flags: access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, image: .linked)
  }

  private func waiting(on handle: SQLiteHandle, _ lock: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let start = ContinuousClock.now
    defer { waited.withLock { $0 += (.now - start) / .seconds(1) } }
    sqlite3_busy_timeout(handle.pointer, Int32(max(0, patience - waited.withLock { $0 }) * 1000))
    try lock()
  }

  /// Settings from https://www.sqlite.org/security.html.
  private func restrict(_ handle: SQLiteHandle) throws {
    for (option, isOn) in [
      (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, false), (SQLITE_DBCONFIG_ENABLE_VIEW, false),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
    ] {
      try handle.configure(option, on: isOn)
    }
    sqlite3_limit(handle.pointer, SQLITE_LIMIT_LENGTH, Self.mostValueBytes)
    sqlite3_limit(handle.pointer, SQLITE_LIMIT_ATTACHED, 0)
    for setting in ["cell_size_check = ON", "mmap_size = 0", "foreign_keys = OFF"] {
      try handle.execute("PRAGMA " + setting)
    }
  }

  // MARK: - Errors

  private func reported<Answer>(
    isWriting: Bool, _ body: () throws -> Answer
  ) throws(HistoryError) -> Answer {
    do {
      return try body()
    } catch let error as HistoryError {
      throw error
    } catch let error as SQLiteError {
      throw HistoryError(path, error, isWriting: isWriting)
    } catch {
      throw HistoryError(path, isWriting ? .unwritable("\(error)") : .unreadable("\(error)"))
    }
  }
}
