import ExhibitCSQLite
import ExhibitSystem

/// A file that SQLite has open, read through its VFS without opening or closing anything.
///
/// It is valid while its connection is open and lent to us.
package struct SQLiteFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods
  private let handle: SQLiteHandle

  package static func database(of handle: SQLiteHandle, schema: String = "main") throws -> SQLiteFile {
    guard let file = databaseIfAny(of: handle, schema: schema) else {
      throw SQLiteError(SQLITE_NOTFOUND, "reach the file of", path: handle.path)
    }
    return file
  }

  /// `nil` without a file; Swift Testing would make a backtrace for an error.
  static func databaseIfAny(of handle: SQLiteHandle, schema: String) -> SQLiteFile? {
    SQLiteFile(handle, schema, SQLITE_FCNTL_FILE_POINTER)
  }

  /// The open WAL or rollback journal; `nil` when none is open.
  package static func journal(of handle: SQLiteHandle, schema: String = "main") -> SQLiteFile? {
    SQLiteFile(handle, schema, SQLITE_FCNTL_JOURNAL_POINTER)
  }

  private init?(_ handle: SQLiteHandle, _ schema: String, _ operation: Int32) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle.pointer, schema, operation, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods
    else { return nil }
    self.file = file
    self.methods = methods.pointee
    self.handle = handle
  }

  package func size() throws -> Int {
    var size: sqlite3_int64 = 0
    let code = methods.xFileSize(file, &size)
    guard code == SQLITE_OK else { throw SQLiteError(code, "measure", path: handle.path) }
    return Int(size)
  }

  /// Shortens the file, which nobody else may use.
  package func truncate(to bytes: Int) throws {
    let code = methods.xTruncate(file, sqlite3_int64(bytes))
    guard code == SQLITE_OK else { throw SQLiteError(code, "shorten", path: handle.path) }
  }

  /// The last `errno` of the VFS, which successful calls keep.
  var lastErrno: Int32 {
    var code: Int32 = 0
    guard let control = methods.xFileControl, control(file, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK
    else {
      return 0
    }
    return code
  }

  /// Sets `lastErrno` to 0, as the VFS does when it reads behind the end.
  func forgetErrno() {
    var byte: UInt8 = 0
    guard let end = try? size() else { return }
    _ = methods.xRead(file, &byte, 1, sqlite3_int64(end))
  }

  /// True when a connection of any process has begun to write.
  package func isReserved() throws -> Bool {
    var isReserved: Int32 = 0
    let code = methods.xCheckReservedLock(file, &isReserved)
    guard code == SQLITE_OK else { throw SQLiteError(code, "ask for the locks of", path: handle.path) }
    return isReserved != 0
  }

  /// - Returns: False when the file ends before; the rest of `buffer` becomes zeros then.
  @discardableResult
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Bool {
    let code = methods.xRead(file, buffer.baseAddress, Int32(buffer.count), sqlite3_int64(offset))
    if code == SQLITE_OK { return true }
    guard code == SQLiteError.shortRead else { throw SQLiteError(code, "read", path: handle.path) }
    return false
  }

  package func prefix(_ count: Int) throws -> [UInt8] {
    let count = min(count, try size())
    return count > 0 ? try bytes(count) : []
  }
}

extension SQLiteFile: ReadableFile {
  package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    try read(into: buffer, at: offset)
  }
}
