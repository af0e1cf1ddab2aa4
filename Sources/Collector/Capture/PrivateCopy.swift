import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A database on its way into the evidence folder: raw files that nobody else knows, to be made one file.
struct PrivateCopy {
  let folder: ScratchFolder
  /// The original as errors name it.
  let original: String
  let options: Options
  /// What is known of the original.
  var capture: DatabaseCapture
  /// The files as they were, when they are evidence too.
  var raw: RawFiles?
  /// Why they could not be kept.
  var rawFailure: CaptureError?

  /// How the copies of one capture are made.
  struct Options {
    var image: SQLiteImage
    /// The most bytes that a database may have together with its WAL.
    var limit: Int
    /// What the database is called in a folder of raw files.
    var name: String
    var keepsHistory: Bool
  }

  /// - Throws: `SystemError`.
  init(of original: String, in folder: String, method: DatabaseCapture.Method, options: Options) throws {
    self.folder = try ScratchFolder(in: folder)
    self.original = original
    self.options = options
    capture = DatabaseCapture(method: method, databaseBytes: 0)
  }

  static let name = "database"
  private static let journalName = SideFile.journal.path(beside: name)
  var database: String { "\(folder.path)/\(Self.name)" }
  var wal: String { SideFile.wal.path(beside: database) }
  var journal: String { "\(folder.path)/\(Self.journalName)" }

  /// Makes one file of the database and its journal: every committed row, readable from anywhere.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or `CaptureError`.
  func complete() throws {
    guard try FileStatus(path: database) != nil else { throw SystemError("read", database, code: ENOENT) }
    let hasJournal = try FileStatus(path: journal) != nil
    if hasJournal { try recover() }
    // Without the first transaction of all, nothing is left of the file.
    if try FileStatus(path: database)?.bytes == 0 {
      // An empty file stays empty until something writes its first page.
      try open(SQLITE_OPEN_READWRITE).execute("PRAGMA synchronous=OFF; VACUUM")
    } else if !hasJournal {
      try leaveWALMode()
    }
  }

  /// Lets SQLite roll the journal back.
  private func recover() throws {
    let copy = try open(SQLITE_OPEN_READWRITE)
    // A damaged schema is evidence too. Exclusive: no -shm. Nobody relies on the file before it is finished.
    try copy.execute("PRAGMA writable_schema=ON; PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF")
    _ = try copy.integer("PRAGMA user_version")  // the first read rolls back
    guard try copy.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw SQLiteError(SQLITE_ERROR, "leave WAL mode in", path: copy.path)
    }
    guard try FileStatus(path: journal) != nil else { return }
    // What SQLite left of a journal had nothing to roll back: the database had not been written yet.
    guard try InputFile(path: journal).prefix(1) == [0] else {
      throw CaptureError(.io, "The journal of \(original) could not be rolled back in the copy.")
    }
    try folder.remove(Self.journalName)
  }

  /// Says in the header, as `journal_mode=DELETE` does, that there is no WAL.
  private func leaveWALMode() throws {
    guard DatabaseHeader(try InputFile(path: database).prefix(DatabaseHeader.byteCount))?.isWAL == true else {
      return
    }
    try DatabaseHeader.rollbackVersions.withUnsafeBytes {
      try OutputFile(updating: database).write([$0], at: DatabaseHeader.versionOffsets.lowerBound)
    }
  }

  /// Makes sure that the copy opens read-only and stands alone.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or `CaptureError`.
  func verify() throws {
    let copy = try open(SQLITE_OPEN_READONLY)
    _ = try copy.integer("PRAGMA user_version")
    let file = try SQLiteFile.database(of: copy)
    let header = DatabaseHeader(try file.prefix(DatabaseHeader.byteCount))
    // SQLite takes the rest of a page for a whole one.
    if let header, try file.size() % header.pageSize != 0 {
      throw CaptureError.notADatabase(original, "its last page is cut off")
    }
    guard let header, !header.isWAL, try FileStatus(path: wal) == nil, try FileStatus(path: journal) == nil
    else {
      throw CaptureError(.io, "The copy of \(original) did not become one file.")
    }
  }

  /// Gives the finished file its name.
  ///
  /// - Returns: its size in bytes.
  /// - Throws: `SystemError`.
  func publish(as destination: String) throws -> Int {
    let bytes = try FileStatus(path: database)?.bytes ?? 0
    try folder.move(Self.name, to: destination)
    return bytes
  }

  /// Opens the copy in SQLite's own VFS: an app's default one may encrypt or do anything.
  func open(_ mode: Int32) throws -> SQLiteHandle {
    let vfs: String? = sqlite3_vfs_find("unix") == nil ? nil : "unix"
    let flags = mode | SQLITE_OPEN_NOMUTEX
    let name = "the copy of \(original)"
    return try SQLiteConnection(path: database, named: name, flags: flags, vfs: vfs, image: options.image)
      .handle
  }

  /// Opens it without looking for a WAL, whatever its header says.
  func openImmutable() throws -> SQLiteHandle {
    let vfs: String? = sqlite3_vfs_find("unix") == nil ? nil : "unix"
    return try SQLiteConnection(
      immutable: database, named: "the copy of \(original)", vfs: vfs, image: options.image
    ).handle
  }
}
