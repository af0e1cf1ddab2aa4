extension PrivateCopy {
  /// Bytes copied at a time.
  private static let chunkBytes = 256 << 10

  /// Writes the first `bytes` of an open file to `path`.
  ///
  /// - Throws: `SQLiteError` or `SystemError`.
  static func copy(_ file: SQLiteFile, bytes: Int, to path: String) throws {
    let output = try OutputFile(creating: path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 4096)
    defer { buffer.deallocate() }
    for offset in stride(from: 0, to: bytes, by: chunkBytes) {
      let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytes - offset))
      try file.read(into: chunk, at: offset)
      try output.write(UnsafeRawBufferPointer(chunk))
    }
  }

  /// Writes the first `bytes` of a file that this process has open nowhere to `path`.
  ///
  /// - Throws: `SystemError`.
  static func copy(_ file: InputFile, bytes: Int, to path: String) throws {
    let output = try OutputFile(creating: path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 4096)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < bytes {
      let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(bytes - offset))
      let count = try file.read(into: chunk, at: offset)
      if count == 0 { break }
      try output.write(UnsafeRawBufferPointer(rebasing: chunk.prefix(count)))
      offset += count
    }
  }

  /// Copies what `handle` has open: the database, and its WAL or its rollback journal.
  ///
  /// The caller sees to it that no other connection can change the database meanwhile: by a read
  /// transaction, or because `handle` itself keeps the others out.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or, above `limit`, `CaptureError`.
  mutating func fill(from handle: SQLiteHandle, schema: String = "main", limit: Int) throws {
    let file = try SQLiteFile.database(of: handle, schema: schema)
    let log = SQLiteFile.journal(of: handle, schema: schema)
    let logHeader = try log?.prefix(WALHeader.byteCount) ?? []
    let logBytes = try log?.size() ?? 0
    capture.databaseBytes = try file.size()
    try checkBudget(capture.databaseBytes + logBytes, of: handle.path, limit: limit)
    try Self.copy(file, bytes: capture.databaseBytes, to: database)
    if WALHeader.begins(logHeader), let log {
      try fillWAL(from: log, header: logHeader, bytes: logBytes)
    } else if let log, logBytes > 0 {
      try Self.copy(log, bytes: logBytes, to: journal)
    } else if try isInWALMode(file) {
      capture.wal = .empty
    }
  }

  /// Copies the WAL, unless another connection resets it meanwhile.
  ///
  /// That happens only when all of it was in the database already: then the database alone is the state of the
  /// read transaction.
  private mutating func fillWAL(from log: SQLiteFile, header: [UInt8], bytes: Int) throws {
    capture.walBytes = bytes
    try Self.copy(log, bytes: bytes, to: wal)
    if try log.prefix(WALHeader.byteCount) == header {
      capture.wal = .committed
    } else {
      capture.wal = .reset
      try folder.remove(Self.walName)
    }
  }

  func checkBudget(_ bytes: Int, of name: String, limit: Int) throws {
    guard bytes <= limit else { throw CaptureError.overBudget(name, bytes: bytes, limit: limit) }
  }

  private func isInWALMode(_ file: SQLiteFile) throws -> Bool {
    DatabaseHeader(try file.prefix(DatabaseHeader.byteCount))?.isWAL ?? false
  }
}
