extension PrivateCopy {
  /// Bytes copied at a time.
  static let chunkBytes = 256 << 10

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

  /// Copies what `handle` has open: the database, with what its WAL committed, and its rollback journal.
  ///
  /// The caller sees to it that no other connection can change the database meanwhile: by a read
  /// transaction, or because `handle` itself keeps the others out.
  ///
  /// - Throws: `SQLiteError`, `SystemError` or, above `limit`, `CaptureError`.
  mutating func fill(from handle: SQLiteHandle, schema: String = "main", limit: Int) throws {
    let file = try SQLiteFile.database(of: handle, schema: schema)
    let log = SQLiteFile.journal(of: handle, schema: schema)
    let logBytes = try log?.size() ?? 0
    let logStart = try log?.prefix(WALHeader.byteCount) ?? []
    capture.databaseBytes = try file.size()
    try checkBudget(capture.databaseBytes + logBytes, limit: limit)
    try Self.copy(file, bytes: capture.databaseBytes, to: database)
    let isInWALMode = try self.isInWALMode(file)
    guard let log, logBytes > 0 else {
      capture.wal = isInWALMode ? .empty : .absent
      return
    }
    if isInWALMode || WALHeader.begins(logStart) {
      try fold(log, bytes: logBytes, since: WALHeader(logStart), onto: file, limit: limit)
    } else {
      try Self.copy(log, bytes: logBytes, to: journal)
    }
  }

  func checkBudget(_ bytes: Int, limit: Int) throws {
    guard bytes <= limit else { throw CaptureError.overBudget(original, bytes: bytes, limit: limit) }
  }

  private func isInWALMode(_ file: SQLiteFile) throws -> Bool {
    DatabaseHeader(try file.prefix(DatabaseHeader.byteCount))?.isWAL ?? false
  }
}

// MARK: - The WAL

extension PrivateCopy {
  /// Folds what a WAL committed into the copy of its database, unless another connection resets it meanwhile.
  ///
  /// That happens only when all of it was in the database already: then the database alone is the state of the
  /// read transaction.
  ///
  /// - Parameters:
  ///   - log: the WAL, of which `bytes` count.
  ///   - header: what it began with when the copy of the database was begun.
  ///   - file: the database the copy was made of, to make it anew after a reset.
  /// - Throws: `SystemError`, `CaptureError` above `limit`, and what reading the files throws.
  mutating func fold(
    _ log: some ReadableFile, bytes: Int, since header: WALHeader?, onto file: SQLiteFile, limit: Int
  ) throws {
    capture.walBytes = bytes
    let index = try WALIndex(of: log, bytes: bytes)
    guard index?.header == header else {
      capture.wal = .reset
      return
    }
    capture.walFrames = index?.frames
    capture.wal = Self.state(index, bytes: bytes)
    guard let index, index.frames.committed > 0 else { return }
    try checkBudget(Int(index.databasePages) * index.header.pageSize, limit: limit)
    if try !WALFolding.fold(log, index, into: database) { capture.wal = .backfilled }
    guard try !index.header.begins(log) else { return }
    capture.wal = .reset
    capture.walFrames = nil
    try folder.remove(Self.name)
    try Self.copy(file, bytes: capture.databaseBytes, to: database)
  }

  /// What a WAL with these frames is, as long as nothing is known of its database.
  private static func state(_ index: WALIndex?, bytes: Int) -> DatabaseCapture.WALState {
    guard bytes > 0 else { return .empty }
    guard let index else { return .torn }
    if index.frames.committed > 0 { return .committed }
    if index.frames.uncommitted > 0 { return .uncommitted }
    return index.frames.isBroken ? .torn : .empty
  }
}
