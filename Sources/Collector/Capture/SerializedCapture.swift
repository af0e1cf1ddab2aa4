import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

struct SerializedCapture {
  let context: CaptureContext

  func uncommitted(_ connection: LiveConnection, path: String) throws -> PrivateCopy? {
    let use = try connection.use(path: path, until: context.deadline) { handle in
      handle.isWriting(connection.schema) ? try serialize(handle, schema: connection.schema) : nil
    }
    switch use {
    case .done(let copy): return copy
    case .closed: return nil
    case .busy:
      throw CaptureError(
        .busy,
        "A connection to \(path) was in use for as long as a capture waits; if it had an open transaction, its rows are missing."
      )
    }
  }

  /// Copies a deleted or replaced file through the first connection that works.
  func copyLost(_ file: DatabaseFile) throws -> PrivateCopy {
    var failure: (any Error)?
    for connection in file.connectionsOfFailedTest {
      do { return try copy(connection, path: file.path) } catch { failure = failure ?? error }
    }
    throw failure ?? CaptureError.missing(file.name)
  }

  func copy(_ connection: LiveConnection, path: String) throws -> PrivateCopy {
    let name = path.isEmpty ? "the in-memory database" : path
    switch try connection.use(
      path: path, until: context.deadline, { try serialize($0, schema: connection.schema) })
    {
    case .done(let copy): return copy
    case .closed:
      throw CaptureError(.closed, "The connection to \(name) was closed before it could be captured.")
    case .busy:
      throw CaptureError(.busy, "The connection to \(name) was in use for as long as a capture waits.")
    }
  }

  private func serialize(_ handle: SQLiteHandle, schema: String) throws -> PrivateCopy {
    let bytes = try handle.imageBytes(schema, image: context.image)
    guard bytes <= context.limits.serializedBytes else {
      let name = handle.path.isEmpty ? "The in-memory database" : handle.path
      throw CaptureError.overBudget(name, bytes: bytes, limit: context.limits.serializedBytes)
    }
    var copy = try context.makeCopy(of: handle.path, method: .serialize)
    copy.capture.uncommitted = handle.isWriting(schema)
    if copy.capture.uncommitted, handle.isOwnMemoryFile(schema) {
      guard !handle.hasSpilled else { throw CaptureError.mixedMemory }
      copy.capture.uncommitted = false
      copy.capture.note =
        "The rows of the open transaction are not in it: of a database in memory that was made by"
        + " sqlite3_deserialize, SQLite gives the committed ones alone."
    }
    copy.capture.databaseBytes = bytes
    _ = try OutputFile(creating: copy.database)
    // Newer versions of SQLite would write an empty database's first page.
    if bytes > 0 { try write(schema, of: handle, to: copy) }
    return copy
  }

  /// Runs statements only inside of a transaction.
  private func write(_ schema: String, of handle: SQLiteHandle, to copy: PrivateCopy) throws {
    guard !handle.isOwnMemoryFile(schema) else { return try writeSerialized(schema, of: handle, to: copy) }
    do {
      let destination = try copy.open(SQLITE_OPEN_READWRITE)
      try destination.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
      _ = try DatabaseBackup(of: schema, on: handle, into: destination, limit: context.limits.serializedBytes)
    } catch let error as SQLiteError where error.isBusy {
      try writeSerialized(schema, of: handle, to: copy)
    }
  }

  private func writeSerialized(_ schema: String, of handle: SQLiteHandle, to copy: PrivateCopy) throws {
    let (start, count) = try handle.serialize(schema, image: context.image)
    defer { sqlite3_free(start) }
    var buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
    DatabaseHeader.leaveWALMode(&buffer)
    try OutputFile(updating: copy.database).write(UnsafeRawBufferPointer(buffer))
  }
}

extension SQLiteHandle {
  /// - Throws: `CaptureError` where a statement would call the app's callbacks, else `SQLiteError`.
  func imageBytes(_ schema: String, image: SQLiteImage) throws -> Int {
    if isOwnMemoryFile(schema) { return try SQLiteFile.database(of: self, schema: schema).size() }
    do {
      return try DatabaseBackup.bytes(of: schema, on: self, image: image)
    } catch let error as SQLiteError where error.isBusy {
      return try image.undisturbed(self) { handle in
        let pages = try handle.integer("PRAGMA \(SQLText.name(schema)).page_count") ?? 0
        return pages == 0 ? 0 : pages * (try handle.integer("PRAGMA \(SQLText.name(schema)).page_size") ?? 0)
      }
    }
  }

  /// True for a file of the VFS `memdb` that no other connection can open.
  ///
  /// Of it `sqlite3_serialize` gives only written pages: https://sqlite.org/src/file/src/memdb.c.
  func isOwnMemoryFile(_ schema: String) -> Bool {
    guard isMemoryVFS(of: schema, on: pointer) else { return false }
    return sqlite3_db_filename(pointer, schema).map { $0.pointee != UInt8(ascii: "/") } ?? true
  }

  var hasSpilled: Bool {
    var (spilled, highest): (Int32, Int32) = (0, 0)
    let code = sqlite3_db_status(pointer, SQLITE_DBSTATUS_CACHE_SPILL, &spilled, &highest, 0)
    return code != SQLITE_OK || spilled > 0
  }

  /// The app's callbacks are not called; the caller frees the memory.
  func serialize(_ schema: String, image: SQLiteImage) throws -> (UnsafeMutablePointer<UInt8>, Int) {
    if isOwnMemoryFile(schema) { return try serializeAtOnce(schema) }
    return try image.undisturbed(self) { try $0.serializeAtOnce(schema) }
  }

  /// - Throws: `SQLiteError`, also for an unreadable page, which SQLite would fill with zeros.
  func serializeAtOnce(_ schema: String) throws -> (UnsafeMutablePointer<UInt8>, Int) {
    var size: sqlite3_int64 = 0
    forgetReadFailures(schema)
    let earlier = readFailure(schema)
    guard let start = sqlite3_serialize(pointer, schema, &size, 0) else {
      throw SQLiteError(sqlite3_extended_errcode(pointer), "serialize", path: path, handle: pointer)
    }
    guard earlier != nil || readFailure(schema) == nil else {
      sqlite3_free(start)
      throw SQLiteError(SQLiteError.unreadable, "serialize", path: path)
    }
    return (start, Int(size))
  }
}
