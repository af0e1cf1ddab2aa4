import ExhibitSQLite

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
  /// What is known of the original.
  var capture: DatabaseCapture

  /// - Throws: `SystemError`.
  init(of original: String, in folder: String, method: DatabaseCapture.Method) throws {
    self.folder = try ScratchFolder(in: folder)
    self.original = original
    capture = DatabaseCapture(method: method, databaseBytes: 0)
  }

  static let name = "database"
  private static let journalName = name + "-journal"
  var database: String { "\(folder.path)/\(Self.name)" }
  var wal: String { "\(folder.path)/\(Self.name)-wal" }
  var journal: String { "\(folder.path)/\(Self.journalName)" }

  /// Makes one file of the database and its journal: every committed row, readable from anywhere.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or `CaptureError`.
  func complete(image: SQLiteImage) throws {
    guard let status = try FileStatus(path: database) else {
      throw SystemError("read", database, code: ENOENT)
    }
    if try FileStatus(path: journal) != nil {
      try recover(image: image)
    } else if status.bytes == 0 {
      // An empty file stays empty until something writes its first page.
      try open(SQLITE_OPEN_READWRITE, image: image).execute("PRAGMA synchronous=OFF; VACUUM")
    } else {
      try leaveWALMode()
    }
  }

  /// Lets SQLite roll the journal back.
  private func recover(image: SQLiteImage) throws {
    let copy = try open(SQLITE_OPEN_READWRITE, image: image)
    // A damaged schema is evidence too. Exclusive: no -shm. Nobody relies on the file before it is finished.
    try copy.execute("PRAGMA writable_schema=ON; PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF")
    _ = try copy.integer("PRAGMA user_version")  // the first read rolls back
    guard try copy.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw SQLiteError(SQLITE_ERROR, "leave WAL mode in", path: copy.path)
    }
    // What SQLite left of a journal had nothing to roll back: the database had not been written yet.
    if try FileStatus(path: journal) != nil { try folder.remove(Self.journalName) }
  }

  /// Says in the header, as `journal_mode=DELETE` does, that there is no WAL.
  private func leaveWALMode() throws {
    guard DatabaseHeader(try InputFile(path: database).prefix(DatabaseHeader.byteCount))?.isWAL == true else {
      return
    }
    let versions: [UInt8] = [1, 1]
    try versions.withUnsafeBytes {
      try OutputFile(updating: database).write([$0], at: DatabaseHeader.versionOffsets.lowerBound)
    }
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
