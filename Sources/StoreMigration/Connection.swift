import ExhibitCSQLite

/// A connection to a database file; closed in `deinit`.
final class Connection {
  let pointer: OpaquePointer
  let path: String

  enum Mode {
    /// Reads a file that nobody changes, without its WAL.
    case immutable
    /// Reads and writes a file that exists.
    case existing
    /// Reads and writes a file, and makes it if there is none.
    case new

    fileprivate var flags: Int32 {
      switch self {
      case .immutable: SQLITE_OPEN_READONLY
      case .existing: SQLITE_OPEN_READWRITE
      case .new: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// - Throws: `StoreMigrationError`.
  init(_ path: String, _ mode: Mode = .existing) throws(StoreMigrationError) {
    let flags = mode.flags | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
    var opened: OpaquePointer?
    let uri = "file:" + Self.percentEncoded(path) + (mode == .immutable ? "?immutable=1" : "")
    let code = sqlite3_open_v2(uri, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StoreMigrationError(code, path, "open it", opened)
      _ = sqlite3_close_v2(opened)
      throw error
    }
    pointer = opened
    self.path = path
  }

  deinit {
    // Fails only for a pointer that is none; no statement outlives the functions that prepare them.
    _ = sqlite3_close_v2(pointer)
  }

  func execute(_ sql: String) throws(StoreMigrationError) {
    try check(sqlite3_exec(pointer, sql, nil, nil, nil), sql)
  }

  /// The rows of a statement, their columns joined by spaces; NULL is empty.
  func rows(_ sql: String) throws(StoreMigrationError) -> [String] {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(pointer, sql, -1, &statement, nil), sql)
    defer { _ = sqlite3_finalize(statement) }  // repeats the error of the step
    var rows: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(Self.row(statement))
      case SQLITE_DONE: return rows
      case let code: throw StoreMigrationError(code, path, sql, pointer)
      }
    }
  }

  func integer(_ sql: String) throws(StoreMigrationError) -> Int {
    Int(try rows(sql).first ?? "") ?? 0
  }

  /// Has closing it leave a WAL as it is, or empty it into the database as usual.
  func keepsWAL(_ keeps: Bool) throws(StoreMigrationError) {
    try check(exhibit_db_config(pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps ? 1 : 0), "configure it")
  }

  /// Replaces everything in it by what another database holds, in one transaction.
  func fill(from source: Connection) throws(StoreMigrationError) {
    guard let backup = sqlite3_backup_init(pointer, "main", source.pointer, "main") else {
      throw StoreMigrationError(sqlite3_extended_errcode(pointer), path, "write to it", pointer)
    }
    _ = sqlite3_backup_step(backup, -1)  // finish returns its error
    try check(sqlite3_backup_finish(backup), "write to it")
  }

  /// The WAL that it has open; `nil` in rollback mode.
  ///
  /// Only the connection that holds the store's lock may use it, and no other while it does.
  func wal() throws(StoreMigrationError) -> OpenWAL? {
    guard try rows("PRAGMA journal_mode").first == "wal" else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    try check(sqlite3_file_control(pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file), "reach its WAL")
    return try file.map { file throws(StoreMigrationError) in try OpenWAL(file, of: path) }
  }

  /// The file's first bytes, through SQLite's own descriptor: closing one of ours would drop every lock that this
  /// process holds on the file.
  func read(_ count: Int, at offset: Int) throws(StoreMigrationError) -> [UInt8] {
    var file: UnsafeMutablePointer<sqlite3_file>?
    try check(sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file), "reach its file")
    guard let file, let methods = file.pointee.pMethods?.pointee else {
      throw StoreMigrationError(SQLITE_NOTFOUND, path, "reach its file")
    }
    var size: sqlite3_int64 = 0
    try check(methods.xFileSize(file, &size), "measure it")
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(size) - offset)))
    guard !bytes.isEmpty else { return [] }
    try check(methods.xRead(file, &bytes, Int32(bytes.count), sqlite3_int64(offset)), "read it")
    return bytes
  }

  /// Whether the path leads to another file, or none, by now.
  func hasMoved() throws(StoreMigrationError) -> Bool {
    var moved: Int32 = 0
    try check(sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &moved), "find its path")
    return moved != 0
  }

  private func check(_ code: Int32, _ attempt: String) throws(StoreMigrationError) {
    guard code == SQLITE_OK else { throw StoreMigrationError(code, path, attempt, pointer) }
  }

  private static func row(_ statement: OpaquePointer?) -> String {
    (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }.joined(separator: " ")
  }

  /// Every byte as `%XX` that means something else in a URI, or is not ASCII.
  private static func percentEncoded(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
        "%" + String(byte, radix: 16, uppercase: true)
      default: String(UnicodeScalar(byte))
      }
    }.joined()
  }
}

/// Whether a connection is in no transaction and has no statement that was not run to its end.
func sqlite3IsIdle(_ connection: OpaquePointer) -> Bool {
  guard sqlite3_get_autocommit(connection) != 0 else { return false }
  var statement = sqlite3_next_stmt(connection, nil)
  while let next = statement {
    if sqlite3_stmt_busy(next) != 0 { return false }
    statement = sqlite3_next_stmt(connection, next)
  }
  return true
}

extension StoreMigrationError {
  /// Takes SQLite's words from the connection, which can say more than the code does.
  init(_ code: Int32, _ path: String, _ attempt: String, _ connection: OpaquePointer? = nil) {
    let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let message = words.map { String(cString: $0) } ?? "unknown error"
    self.init(.sqlite(code), path, "SQLite could not \(attempt): \(message) (code \(code)).")
  }

  static func inUse(_ store: String) -> StoreMigrationError {
    StoreMigrationError(
      .storeInUse, store,
      "Another connection has the store open. Migrate before the app opens it, and close what has it open.")
  }

  /// Whether another connection is in the way.
  var isBusy: Bool { isOne(of: [SQLITE_BUSY, SQLITE_LOCKED]) }

  /// Whether the file does not hold what a database must.
  var isDamage: Bool { isOne(of: [SQLITE_CORRUPT, SQLITE_NOTADB]) }

  private func isOne(of codes: [Int32]) -> Bool {
    if case .sqlite(let code) = reason { return codes.contains(code & 0xff) }
    return false
  }
}
