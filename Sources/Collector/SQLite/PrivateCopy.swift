import ExhibitSQLite

/// A database on its way into the evidence folder: raw files that nobody else knows, to be made one file.
struct PrivateCopy {
  let folder: ScratchFolder
  /// What is known of the original.
  var capture: DatabaseCapture

  /// - Throws: `SystemError`.
  init(in folder: String, capture: DatabaseCapture) throws {
    self.folder = try ScratchFolder(in: folder)
    self.capture = capture
  }

  private static let name = "database"
  static let walName = name + "-wal"
  var database: String { "\(folder.path)/\(Self.name)" }
  var wal: String { "\(folder.path)/\(Self.walName)" }
  var journal: String { database + "-journal" }

  /// Makes one file of database and WAL or journal: no WAL, every committed row, readable from anywhere.
  ///
  /// - Throws: `SQLiteError` or `CaptureError`.
  mutating func fold(image: SQLiteImage) throws {
    let copy = try SQLiteConnection(path: database, flags: Self.writing, vfs: Self.vfs, image: image)
    // Exclusive: no -shm. Not synchronous: nobody relies on this file before it is finished.
    try copy.handle.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF")
    // The first read rolls a journal back or recovers the WAL; a checkpoint before it does nothing.
    _ = try copy.handle.integer("PRAGMA user_version")
    let frames = try checkpoint(copy.handle)
    if capture.wal == .committed, frames == 0 { capture.wal = .empty }
    guard try copy.handle.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw SQLiteError(SQLITE_ERROR, "leave WAL mode in the copy of", path: database)
    }
    if capture.databaseBytes == 0 { try copy.handle.execute("VACUUM") }  // writes the first page of an empty file
  }

  /// Moves the frames of the WAL into the database and returns how many committed ones there were.
  private func checkpoint(_ handle: SQLiteHandle) throws -> Int {
    var frames: Int32 = 0
    var moved: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle.pointer, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &moved)
    try handle.check(code, "checkpoint the copy of")
    guard frames == moved else { throw SQLiteError(SQLITE_BUSY, "checkpoint the copy of", path: database) }
    return Int(max(frames, 0))
  }

  /// Makes sure that the copy opens read-only and stands alone.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or `CaptureError`.
  func verify(image: SQLiteImage) throws {
    let copy = try SQLiteConnection(path: database, flags: Self.reading, vfs: Self.vfs, image: image)
    _ = try copy.handle.integer("PRAGMA user_version")
    let header = DatabaseHeader(try SQLiteFile.database(of: copy.handle).prefix(DatabaseHeader.byteCount))
    guard let header, !header.isWAL, try FileStatus(path: wal) == nil, try FileStatus(path: journal) == nil
    else {
      throw CaptureError(.io, "The copy of the database at \(database) did not become one file.")
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

  private static let writing = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
  private static let reading = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
  /// SQLite's own: an app's default VFS may encrypt or be anything.
  private static var vfs: String? { sqlite3_vfs_find("unix") == nil ? nil : "unix" }
}
