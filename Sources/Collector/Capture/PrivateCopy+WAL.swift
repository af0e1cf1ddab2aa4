import ExhibitSQLite
import ExhibitSystem

extension PrivateCopy {
  /// Where a copy comes from, to look at again.
  struct Original {
    var file: SQLiteFile
    var path: String
    /// Whether SQLite reads it with its WAL in this process, so that it has made sense of them.
    var isInUse: Bool
  }

  /// Folds what a WAL committed into the copy of its database, unless another connection resets it meanwhile.
  ///
  /// That happens only when all of it was in the database already: then the database alone is the state of the
  /// read transaction.
  ///
  /// - Parameters:
  ///   - log: the WAL, of which `bytes` count.
  ///   - header: what it began with when the copy of the database was begun.
  ///   - database: what the copy was made of.
  /// - Throws: `SystemError`, `CaptureError` above the limit, and what reading the files throws.
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

  /// What a WAL with these frames is, as long as nothing is known of its database.
  private static func state(_ index: WALIndex?, bytes: Int) -> DatabaseCapture.WALState {
    guard bytes > 0 else { return .empty }
    guard let index else { return .torn }
    if index.frames.committed > 0 { return .committed }
    if index.frames.uncommitted > 0 { return .uncommitted }
    return index.frames.isBroken ? .torn : .empty
  }

  /// A WAL without a transaction changes nothing, but beside some databases there must be none at all.
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
    // Whether the WAL is the database's own may be known only afterwards.
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
    capture.walSigns = signs.map(\.text)
    capture.note =
      "The -wal beside \(original) is not this database's own: \(capture.walSigns.joined(separator: ", "))."
      + " This is the database file alone; the same name with .with-wal is what SQLite reads together with it."
      + " Whoever replaces a database file has to delete its -wal first."
    if raw == nil, let rawFailure { throw rawFailure }
  }

  /// Makes the copy again, of the database alone.
  private mutating func startAnew(from database: Original) throws {
    capture.wal = .reset
    capture.walFrames = nil
    (capture.view, capture.walSigns, capture.note) = (nil, [], nil)
    forgetRaw()
    try folder.remove(Self.name)
    try Self.copy(database.file, bytes: capture.databaseBytes, to: self.database)
  }

  // MARK: - Raw files

  /// Keeps the copy as it is now and a file that belongs to it, within the limit; without them it is a copy still.
  mutating func keepRaw(_ side: SideFile, _ file: some ReadableFile, bytes: Int) {
    do {
      // The copy itself counts too, which a WAL may let grow.
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
