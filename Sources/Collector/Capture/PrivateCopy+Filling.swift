import ExhibitSQLite
import ExhibitSystem

extension PrivateCopy {
  /// Bytes copied at a time.
  static let chunkBytes = 256 << 10

  /// Writes the first `bytes` of a file to `path`; zeros in place of what it no longer has.
  ///
  /// - Throws: `SystemError`, and what reading the file throws.
  static func copy(_ file: some ReadableFile, bytes: Int, to path: String) throws {
    let output = try OutputFile(creating: path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 4096)
    defer { buffer.deallocate() }
    for offset in stride(from: 0, to: bytes, by: chunkBytes) {
      let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytes - offset))
      try file.fill(chunk, at: offset)
      try output.write(UnsafeRawBufferPointer(chunk))
    }
  }

  /// Copies what `handle` has open: the database, with what its WAL committed, and its rollback journal.
  ///
  /// The caller sees to it that no other connection can change the database meanwhile: by a read
  /// transaction, or because `handle` itself keeps the others out.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or, above the limit, `CaptureError`.
  mutating func fill(from handle: SQLiteHandle, schema: String = "main") throws {
    let file = try SQLiteFile.database(of: handle, schema: schema)
    let log = SQLiteFile.journal(of: handle, schema: schema)
    let logBytes = try log?.size() ?? 0
    let logStart = try log?.prefix(WALHeader.byteCount) ?? []
    capture.databaseBytes = try file.size()
    try checkBudget(capture.databaseBytes + logBytes)
    try Self.copy(file, bytes: capture.databaseBytes, to: database)
    let isInWALMode = try self.isInWALMode(file)
    guard let log, logBytes > 0 else {
      capture.wal = isInWALMode ? .empty : .absent
      return
    }
    if isInWALMode || WALHeader.begins(logStart) {
      let original = Original(file: file, path: handle.path, isInUse: true)
      try fold(log, bytes: logBytes, since: WALHeader(logStart), onto: original)
    } else {
      try Self.copy(log, bytes: logBytes, to: journal)
      // Its connection has the transaction open, so nothing of it is committed yet.
      _ = try SuperJournal.forget(in: journal)
    }
  }

  /// Adds the rollback journal that a process left, to be rolled back in the copy if its transaction was not committed.
  ///
  /// - Throws: `SystemError`, and what reading the file throws.
  mutating func addJournal(_ file: some ReadableFile, bytes: Int) throws {
    try Self.copy(file, bytes: bytes, to: journal)
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
}
