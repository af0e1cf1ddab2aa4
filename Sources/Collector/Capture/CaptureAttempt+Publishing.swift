import ExhibitSQLite
import ExhibitSystem

extension CaptureAttempt {
  /// Puts a copy of a database file in its place, and the raw files that were kept with it.
  mutating func publish(_ copy: PrivateCopy) throws {
    if let raw = copy.raw, copy.capture.wal == .foreign { return try publishBothViews(copy, raw) }
    var captured = try finish(copy, as: "\(name).sqlite")
    if let raw = copy.raw, excludedTables.isEmpty {
      captured.capture.history = publish(
        raw, as: copy.capture.walFrames == nil ? "\(name).raw" : "\(name).history")
    }
    if let failure = copy.rawFailure {
      // The capture is whole without the raw files; only what went wrong is a failure.
      if failure.reason == .overBudget { captured.capture.note = failure.message } else { fail(failure) }
    }
    keep(captured)
  }

  /// - Returns: the name of the folder; `nil` when it could not be kept, which is a failure of its own.
  private mutating func publish(_ raw: RawFiles, as folder: String) -> String? {
    do {
      try raw.publish(as: "\(self.folder)/\(folder)")
      return folder
    } catch {
      fail(error)
      return nil
    }
  }

  /// The database alone, what SQLite makes of it with the WAL that is not its own, and the files themselves.
  private mutating func publishBothViews(_ copy: PrivateCopy, _ raw: RawFiles) throws {
    var alone = try makeCopy(of: copy.original, method: copy.capture.method)
    alone.capture = copy.capture
    alone.capture.view = .alone
    alone.capture.walFrames = nil
    try RawFiles.clone(raw.database, to: alone.database)
    var captured: CapturedDatabase?
    do {
      captured = try finish(alone, as: "\(name).sqlite")
    } catch {
      fail(error)
    }
    if let failure = copy.rawFailure { fail(failure) }
    let folder = excludedTables.isEmpty ? publish(raw, as: "\(name).raw") : nil
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
    } catch let error where CaptureError(error).reason == .notADatabase && excludedTables.isEmpty {
      copy.capture.note = (copy.capture.note ?? "") + " SQLite finds it malformed, so it is kept as it is."
      publishMalformed(copy)
    } catch {
      fail(error)
    }
  }

  private mutating func publishMalformed(_ copy: PrivateCopy) {
    do {
      let file = name + DatabaseCapture.View.withForeignWAL.nameEnding + ".raw"
      var captured = captured(copy, as: file, bytes: try copy.publish(as: "\(folder)/\(file)"))
      captured.isDatabase = false
      keep(captured)
    } catch {
      fail(error)
    }
  }
}

// MARK: - What is no database

extension CaptureAttempt {
  /// Keeps a file that could not be captured as a database, byte for byte.
  mutating func keepRaw(_ file: DatabaseFile) {
    // What is in it cannot be told apart, so neither can what must be left out.
    guard excludedTables.isEmpty else { return }
    do {
      var copy = try makeCopy(of: file.name, method: .raw)
      copy.capture.note = "The file as it lies on disk, byte for byte: SQLite cannot read it."
      let database = try SQLiteFile.database(of: try openImmutable(file))
      // Not as SQLite sees it: it takes a file of one byte for an empty one.
      copy.capture.databaseBytes = try FileStatus(path: file.path)?.bytes ?? 0
      try copy.checkBudget(copy.capture.databaseBytes)
      try PrivateCopy.copy(database, bytes: copy.capture.databaseBytes, to: copy.database)
      try publishRaw(copy, of: file)
    } catch {
      fail(error)
    }
  }

  /// As `<name>.raw`, or in a folder of that name together with a WAL or journal.
  private mutating func publishRaw(_ copy: PrivateCopy, of file: DatabaseFile) throws {
    let sides = try sideFiles(of: file)
    var captured: CapturedDatabase
    if sides.isEmpty {
      captured = self.captured(copy, as: "\(name).raw", bytes: try copy.publish(as: "\(folder)/\(name).raw"))
    } else {
      let raw = try RawFiles(in: folder, named: "\(name).sqlite", database: copy.database)
      try publish(raw, with: sides, of: copy)
      captured = self.captured(copy, as: "\(name).raw/\(name).sqlite", bytes: copy.capture.databaseBytes)
      captured.capture.history = "\(name).raw"
    }
    captured.isDatabase = false
    keep(captured)
  }

  /// Keeps a WAL or journal whose database is gone: SQLite deletes it when a new one is made in its place.
  mutating func keepLeftBehind(_ file: DatabaseFile) {
    guard excludedTables.isEmpty else { return }
    do {
      let sides = try sideFiles(of: file)
      guard let first = sides.first else { return }
      let copy = try makeCopy(of: file.name, method: .raw)
      let raw = try RawFiles(in: folder, named: "\(name).sqlite")
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
    try raw.publish(as: "\(folder)/\(name).raw")
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
