import ExhibitSQLite
import ExhibitSystem

struct CapturePublisher {
  let context: CaptureContext
  private(set) var result = DatabaseCaptureResult()

  private var name: String { context.name }

  mutating func fail(_ error: any Error) {
    result.failures.append(CaptureError(error))
  }

  private mutating func keep(_ database: CapturedFile) {
    result.files.append(database)
  }

  mutating func adopt(_ result: DatabaseCaptureResult) {
    self.result.files += result.files
    self.result.failures += result.failures
  }

  private func finish(_ copy: PrivateCopy, as file: String) throws -> CapturedFile {
    try copy.complete()
    try TableExclusion(tables: context.excludedTables).apply(to: copy)
    try copy.verify()
    return captured(copy, as: file, bytes: try copy.publish(as: "\(context.folder)/\(file)"))
  }

  private func captured(_ copy: PrivateCopy, as file: String, bytes: Int) -> CapturedFile {
    CapturedFile(
      file: file, bytes: bytes, capture: copy.capture,
      duration: (ContinuousClock.now - context.start) / .seconds(1))
  }

  mutating func publishSerialized(_ copy: PrivateCopy, ending: String = "") throws {
    keep(try finish(copy, as: name + ending + ".sqlite"))
  }

  mutating func publish(_ copy: PrivateCopy) throws {
    if let raw = copy.raw, copy.capture.wal == .foreign { return try publishBothViews(copy, raw) }
    var captured = try finish(copy, as: "\(name).sqlite")
    if let raw = copy.raw, context.excludedTables.isEmpty {
      captured.capture.history = publish(
        raw, as: copy.capture.walFrames == nil ? "\(name).raw" : "\(name).history")
    }
    if let failure = copy.rawFailure {
      // Raw files above the limit are a note, other losses a failure.
      if failure.reason == .overBudget { captured.capture.note = failure.message } else { fail(failure) }
    }
    keep(captured)
  }

  private mutating func publish(_ raw: RawFiles, as folder: String) -> String? {
    do {
      try raw.publish(as: "\(context.folder)/\(folder)")
      return folder
    } catch {
      fail(error)
      return nil
    }
  }

  private mutating func publishBothViews(_ copy: PrivateCopy, _ raw: RawFiles) throws {
    var alone = try context.makeCopy(of: copy.original, method: copy.capture.method)
    alone.capture = copy.capture
    alone.capture.view = .alone
    alone.capture.walFrames = nil
    try RawFiles.clone(raw.database, to: alone.database)
    var captured: CapturedFile?
    do {
      captured = try finish(alone, as: "\(name).sqlite")
    } catch {
      fail(error)
    }
    if let failure = copy.rawFailure { fail(failure) }
    let folder = context.excludedTables.isEmpty ? publish(raw, as: "\(name).raw") : nil
    captured?.capture.history = folder
    if let captured { keep(captured) }
    if copy.capture.walFrames?.committed ?? 0 > 0 { publishWithWAL(copy) }
  }

  private mutating func publishWithWAL(_ copy: PrivateCopy) {
    var copy = copy
    copy.capture.note =
      "What SQLite reads when it takes the -wal beside \(copy.original) for the database's own, which it is not."
    do {
      keep(try finish(copy, as: name + DatabaseCapture.View.withForeignWAL.nameEnding + ".sqlite"))
    } catch let error where CaptureError(error).reason == .notADatabase && context.excludedTables.isEmpty {
      copy.capture.note = (copy.capture.note ?? "") + " SQLite finds it malformed, so it is kept as it is."
      publishMalformed(copy)
    } catch {
      fail(error)
    }
  }

  private mutating func publishMalformed(_ copy: PrivateCopy) {
    do {
      let file = name + DatabaseCapture.View.withForeignWAL.nameEnding + ".raw"
      var captured = captured(copy, as: file, bytes: try copy.publish(as: "\(context.folder)/\(file)"))
      captured.isDatabase = false
      keep(captured)
    } catch {
      fail(error)
    }
  }

  // MARK: - What is no database

  /// Keeps the bytes of what is no readable database.
  mutating func keepRaw(_ file: DatabaseFile) {
    guard context.excludedTables.isEmpty else { return }
    do {
      var copy = try context.makeCopy(of: file.name, method: .raw)
      copy.capture.note = "The file as it lies on disk, byte for byte: SQLite cannot read it."
      let database = try SQLiteFile.database(of: try context.openImmutable(file))
      // SQLite takes a file of one byte for an empty one.
      copy.capture.databaseBytes = try FileStatus(path: file.path)?.bytes ?? 0
      try copy.checkBudget(copy.capture.databaseBytes)
      try RawFiles.copy(database, bytes: copy.capture.databaseBytes, to: copy.database)
      try publishRaw(copy, of: file)
    } catch {
      fail(error)
    }
  }

  /// As `<name>.raw`, or as a folder of that name with a WAL or journal.
  private mutating func publishRaw(_ copy: PrivateCopy, of file: DatabaseFile) throws {
    let sides = try sideFiles(of: file)
    var captured: CapturedFile
    if sides.isEmpty {
      captured = self.captured(
        copy, as: "\(name).raw", bytes: try copy.publish(as: "\(context.folder)/\(name).raw"))
    } else {
      let raw = try RawFiles(in: context.folder, named: "\(name).sqlite", database: copy.database)
      try publish(raw, with: sides, of: copy)
      captured = self.captured(copy, as: "\(name).raw/\(name).sqlite", bytes: copy.capture.databaseBytes)
      captured.capture.history = "\(name).raw"
    }
    captured.isDatabase = false
    keep(captured)
  }

  /// Keeps a WAL or journal without its database, which SQLite would delete with the next one.
  mutating func keepLeftBehind(_ file: DatabaseFile) {
    guard context.excludedTables.isEmpty else { return }
    do {
      let sides = try sideFiles(of: file)
      guard let first = sides.first else { return }
      let copy = try context.makeCopy(of: file.name, method: .raw)
      let raw = try RawFiles(in: context.folder, named: "\(name).sqlite")
      try publish(raw, with: sides, of: copy)
      var captured = captured(
        copy, as: "\(name).raw/\(name).sqlite\(first.side.suffix)", bytes: first.file.status.bytes)
      captured.capture.note =
        "It was left behind by a database that is gone. Whoever deletes a database file has to delete its"
        + " \(first.side.suffix) too: SQLite deletes it, or takes it for that of another database in the same place."
      captured.capture.history = "\(name).raw"
      captured.isDatabase = false
      keep(captured)
    } catch {
      fail(error)
    }
  }

  private func publish(
    _ raw: RawFiles, with sides: [(side: SideFile, file: InputFile)], of copy: PrivateCopy
  ) throws {
    for (side, input) in sides {
      try copy.checkBudget(copy.capture.databaseBytes + input.status.bytes)
      try raw.add(input, bytes: input.status.bytes, as: side)
    }
    try raw.publish(as: "\(context.folder)/\(name).raw")
  }

  private func sideFiles(of file: DatabaseFile) throws -> [(side: SideFile, file: InputFile)] {
    try SideFile.withRows.compactMap { side in
      let path = side.path(beside: file.path)
      guard let status = try FileStatus(path: path), status.kind == .regular, status.bytes > 0,
        OpenDescriptors.first(of: status.identity) == nil
      else { return nil }
      return (side, try InputFile(path: path))
    }
  }
}
