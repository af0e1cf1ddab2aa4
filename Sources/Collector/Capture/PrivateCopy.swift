import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// A captured database in the making: raw files in a private folder become one file.
struct PrivateCopy {
  let folder: ScratchFolder
  let original: String
  let options: Options
  var capture: DatabaseCapture
  var raw: RawFiles?
  var rawFailure: CaptureError?

  struct Options {
    var image: SQLiteImage
    var limit: Int
    var name: String
    var keepsHistory: Bool
  }

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

  func complete() throws {
    guard try FileStatus(path: database) != nil else { throw SystemError("read", database, code: ENOENT) }
    let hasJournal = try FileStatus(path: journal) != nil
    if hasJournal { try recover() }
    // A rolled back first transaction leaves an empty file.
    if try FileStatus(path: database)?.bytes == 0 {
      // VACUUM writes the first page.
      try open(SQLITE_OPEN_READWRITE).execute("PRAGMA synchronous=OFF; VACUUM")
    } else if !hasJournal {
      try leaveWALMode()
    }
  }

  private func recover() throws {
    let copy = try open(SQLITE_OPEN_READWRITE)
    // writable_schema makes a damaged schema readable; EXCLUSIVE makes no -shm.
    try copy.execute("PRAGMA writable_schema=ON; PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF")
    _ = try copy.integer("PRAGMA user_version")  // the first read rolls back
    guard try copy.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw SQLiteError(SQLITE_ERROR, "leave WAL mode in", path: copy.path)
    }
    guard try FileStatus(path: journal) != nil else { return }
    // SQLite leaves a journal that has nothing to roll back.
    guard try InputFile(path: journal).prefix(1) == [0] else {
      throw CaptureError(.io, "The journal of \(original) could not be rolled back in the copy.")
    }
    try folder.remove(Self.journalName)
  }

  /// Does what `journal_mode=DELETE` does to the header.
  private func leaveWALMode() throws {
    guard DatabaseHeader(try InputFile(path: database).prefix(DatabaseHeader.byteCount))?.isWAL == true else {
      return
    }
    try DatabaseHeader.rollbackVersions.withUnsafeBytes {
      try OutputFile(updating: database).write([$0], at: DatabaseHeader.versionOffsets.lowerBound)
    }
  }

  func verify() throws {
    let copy = try open(SQLITE_OPEN_READONLY)
    _ = try copy.integer("PRAGMA user_version")
    let file = try SQLiteFile.database(of: copy)
    let header = DatabaseHeader(try file.prefix(DatabaseHeader.byteCount))
    // SQLite would read an incomplete page as a complete one.
    if let header, try file.size() % header.pageSize != 0 {
      throw CaptureError.notADatabase(original, "its last page is cut off")
    }
    guard let header, !header.isWAL, try FileStatus(path: wal) == nil, try FileStatus(path: journal) == nil
    else {
      throw CaptureError(.io, "The copy of \(original) did not become one file.")
    }
  }

  func publish(as destination: String) throws -> Int {
    let bytes = try FileStatus(path: database)?.bytes ?? 0
    try folder.move(Self.name, to: destination)
    return bytes
  }

  /// Opens the copy in SQLite's own VFS: an app's default one may encrypt.
  func open(_ mode: Int32) throws -> SQLiteHandle {
    let vfs: String? = sqlite3_vfs_find("unix") == nil ? nil : "unix"
    let flags = mode | SQLITE_OPEN_NOMUTEX
    let name = "the copy of \(original)"
    return try SQLiteConnection(path: database, named: name, flags: flags, vfs: vfs, image: options.image)
      .handle
  }

  func openImmutable() throws -> SQLiteHandle {
    let vfs: String? = sqlite3_vfs_find("unix") == nil ? nil : "unix"
    return try SQLiteConnection(
      immutable: database, named: "the copy of \(original)", vfs: vfs, image: options.image
    ).handle
  }

  // MARK: - Filling

  /// No other connection may change it meanwhile.
  mutating func fill(from handle: SQLiteHandle, schema: String = "main") throws {
    let file = try SQLiteFile.database(of: handle, schema: schema)
    let log = SQLiteFile.journal(of: handle, schema: schema)
    let logBytes = try log?.size() ?? 0
    let logStart = try log?.prefix(WALHeader.byteCount) ?? []
    capture.databaseBytes = try file.size()
    try checkBudget(capture.databaseBytes + logBytes)
    try RawFiles.copy(file, bytes: capture.databaseBytes, to: database)
    let isInWALMode = try self.isInWALMode(file)
    guard let log, logBytes > 0 else {
      capture.wal = isInWALMode ? .empty : .absent
      return
    }
    if isInWALMode || WALHeader.begins(logStart) {
      let original = Original(file: file, path: handle.path, isInUse: true)
      try fold(log, bytes: logBytes, since: WALHeader(logStart), onto: original)
    } else {
      try RawFiles.copy(log, bytes: logBytes, to: journal)
      // The transaction is open, so nothing of it is committed.
      _ = try SuperJournal.forget(in: journal)
    }
  }

  mutating func addJournal(_ file: some ReadableFile, bytes: Int) throws {
    try RawFiles.copy(file, bytes: bytes, to: journal)
    capture.note =
      switch try SuperJournal.settle(journal) {
      case .none, .uncommitted:
        "A process died in a transaction on \(original); its rollback journal was applied to this copy only."
          + " Whoever copies or moves the database file has to take its -journal along."
      case .committed:
        "A process died after a transaction on \(original) and other databases was committed; the rollback journal"
          + " that it left is not valid any more."
      }
  }

  func checkBudget(_ bytes: Int) throws {
    guard bytes <= options.limit else {
      throw CaptureError.overBudget(original, bytes: bytes, limit: options.limit)
    }
  }

  private func isInWALMode(_ file: SQLiteFile) throws -> Bool {
    DatabaseHeader(try file.prefix(DatabaseHeader.byteCount))?.isWAL ?? false
  }

  // MARK: - WAL

  struct Original {
    var file: SQLiteFile
    var path: String
    var isInUse: Bool
  }

  /// Folds a WAL's commits into the copy, unless the WAL was reset, when the database has them.
  ///
  /// - Parameter header: The WAL's before the database was copied.
  mutating func fold(
    _ log: some ReadableFile, bytes: Int, since header: WALHeader?, onto database: Original
  ) throws {
    capture.walBytes = bytes
    let index = try WALIndex(of: log, bytes: bytes)
    guard index?.header == header else {
      capture.wal = .reset
      return
    }
    capture.walFrames = index.map { WALFrames($0.frames) }
    capture.wal = Self.state(index, bytes: bytes)
    guard let index, index.frames.committed > 0 else { return try leaveOut(log) }
    try checkBudget(Int(index.databasePages) * index.header.pageSize)
    try fold(log, index, onto: database)
    if try !index.header.begins(log) { try startAnew(from: database) }
  }

  private static func state(_ index: WALIndex?, bytes: Int) -> DatabaseCapture.WALState {
    guard bytes > 0 else { return .empty }
    guard let index else { return .torn }
    if index.frames.committed > 0 { return .committed }
    if index.frames.uncommitted > 0 { return .uncommitted }
    return index.frames.isBroken ? .torn : .empty
  }

  /// A WAL without commits changes nothing, but may be foreign.
  private mutating func leaveOut(_ log: some ReadableFile) throws {
    let signs = ForeignWALSign.find(beside: try InputFile(path: database).prefix(DatabaseHeader.byteCount))
    guard !signs.isEmpty else { return }
    keepRaw(.wal, log, bytes: capture.walBytes)
    try markForeign(signs)
  }

  private mutating func fold(_ log: some ReadableFile, _ index: WALIndex, onto database: Original) throws {
    let start = try InputFile(path: self.database).prefix(DatabaseHeader.byteCount)
    var signs = try ForeignWALSign.find(in: index, log, beside: start, at: database.path)
    let alone = database.isInUse || !signs.isEmpty || start.isEmpty ? nil : try DatabaseContents(of: self)
    // A foreign WAL may show only after it is folded in.
    if !signs.isEmpty || options.keepsHistory || alone != nil {
      keepRaw(.wal, log, bytes: capture.walBytes)
    }
    if try !WALFolding.fold(log, index, into: self.database) { capture.wal = .backfilled }
    if let alone { signs = alone.signs(against: try DatabaseContents(of: self)) }
    if !signs.isEmpty { try markForeign(signs) } else if !options.keepsHistory { forgetRaw() }
  }

  private mutating func markForeign(_ signs: [ForeignWALSign]) throws {
    capture.wal = .foreign
    capture.view = .withForeignWAL
    let told = signs.map(\.text)
    capture.walSigns = told
    capture.note =
      "The -wal beside \(original) is not this database's own: \(told.joined(separator: ", "))."
      + " This is the database file alone; the same name with .with-wal is what SQLite reads together with it."
      + " Whoever replaces a database file has to delete its -wal first."
    if raw == nil, let rawFailure { throw rawFailure }
  }

  private mutating func startAnew(from database: Original) throws {
    capture.wal = .reset
    capture.walFrames = nil
    (capture.view, capture.walSigns, capture.note) = (nil, nil, nil)
    forgetRaw()
    try folder.remove(Self.name)
    try RawFiles.copy(database.file, bytes: capture.databaseBytes, to: self.database)
  }

  // MARK: - Raw files

  mutating func keepRaw(_ side: SideFile, _ file: some ReadableFile, bytes: Int) {
    do {
      try checkBudget(2 * capture.databaseBytes + (side == .wal ? 2 : 1) * bytes)
      let raw = try RawFiles(in: folder.parent, named: options.name, database: database)
      try raw.add(file, bytes: bytes, as: side)
      self.raw = raw
    } catch {
      let error = CaptureError(error)
      rawFailure = CaptureError(
        error.reason, "The raw files of \(original) were not kept: \(error.message)", bytes: error.bytes)
    }
  }

  private mutating func forgetRaw() {
    (raw, rawFailure) = (nil, nil)
  }
}
