import ExhibitSQLite

/// A database on its way into the evidence folder: raw files that nobody else knows, to be made one file.
struct PrivateCopy {
  let folder: ScratchFolder
  /// The original as errors name it.
  let original: String
  /// What is known of the original.
  var capture: DatabaseCapture

  /// - Throws: `SystemError`.
  init(of original: String, in folder: String, method: DatabaseCapture.Method) throws {
    self.folder = try ScratchFolder(in: folder)
    self.original = original
    capture = DatabaseCapture(method: method, databaseBytes: 0)
  }

  private static let name = "database"
  static let walName = name + "-wal"
  private static let journalName = name + "-journal"
  var database: String { "\(folder.path)/\(Self.name)" }
  var wal: String { "\(folder.path)/\(Self.walName)" }
  var journal: String { "\(folder.path)/\(Self.journalName)" }

  /// Makes one file of database and WAL or journal: no WAL, every committed row, readable from anywhere.
  ///
  /// - Throws: `SQLiteError` or `CaptureError`.
  mutating func fold(image: SQLiteImage) throws {
    try recover(image: image)
    // What SQLite left of a journal had nothing to roll back: the database had not been written yet.
    if try FileStatus(path: journal) != nil { try folder.remove(Self.journalName) }
  }

  private mutating func recover(image: SQLiteImage) throws {
    let copy = try open(SQLITE_OPEN_READWRITE, image: image)
    // A damaged schema is evidence too. Exclusive: no -shm. Nobody relies on the file before it is finished.
    try copy.execute("PRAGMA writable_schema=ON; PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF")
    // The first read rolls a journal back or recovers the WAL; a checkpoint before it does nothing.
    _ = try copy.integer("PRAGMA user_version")
    let frames = try checkpoint(copy)
    if capture.wal == .committed, frames == 0 { capture.wal = .empty }
    guard try copy.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw SQLiteError(SQLITE_ERROR, "leave WAL mode in", path: copy.path)
    }
    // An empty file stays empty until something writes its first page.
    if capture.databaseBytes == 0 { try copy.execute("VACUUM") }
  }

  /// Moves the frames of the WAL into the database and returns how many committed ones there were.
  private func checkpoint(_ handle: SQLiteHandle) throws -> Int {
    var frames: Int32 = 0
    var moved: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle.pointer, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &moved)
    try handle.check(code, "checkpoint")
    guard frames == moved else { throw SQLiteError(SQLITE_BUSY, "checkpoint", path: handle.path) }
    return Int(max(frames, 0))
  }

  /// Makes sure that the copy opens read-only and stands alone.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or `CaptureError`.
  func verify(image: SQLiteImage) throws {
    let copy = try open(SQLITE_OPEN_READONLY, image: image)
    _ = try copy.integer("PRAGMA user_version")
    let header = DatabaseHeader(try SQLiteFile.database(of: copy).prefix(DatabaseHeader.byteCount))
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
  func open(_ mode: Int32, image: SQLiteImage) throws -> SQLiteHandle {
    let vfs: String? = sqlite3_vfs_find("unix") == nil ? nil : "unix"
    let flags = mode | SQLITE_OPEN_NOMUTEX
    let name = "the copy of \(original)"
    return try SQLiteConnection(path: database, named: name, flags: flags, vfs: vfs, image: image).handle
  }
}
