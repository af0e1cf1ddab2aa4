import ExhibitSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension CaptureAttempt {
  /// Copies a database whose WAL nobody in this process uses, and creates nothing beside it.
  func copyClosed(_ file: DatabaseFile) throws -> PrivateCopy {
    let wal = try FileStatus(path: file.wal)?.bytes ?? 0
    if wal > 0 { return try copyUntilUnchanged(file) }
    if try FileStatus(path: file.path)?.bytes == 0 { return try copyInReadTransaction(file) }
    guard try header(of: file).isWAL else { return try copyInRollbackMode(file) }
    return try isHot(file.journal) ? copyWithJournal(file) : copyUntilUnchanged(file)
  }

  /// The header, through SQLite, so that no lock of this process is lost even if somebody opens the file meanwhile.
  func header(of file: DatabaseFile) throws -> DatabaseHeader {
    let bytes = try SQLiteFile.database(of: try openImmutable(file)).prefix(DatabaseHeader.byteCount)
    guard let header = DatabaseHeader(bytes) else {
      throw CaptureError.notADatabase(file.path, "its first bytes are not those of one")
    }
    return header
  }

  private func copyInRollbackMode(_ file: DatabaseFile) throws -> PrivateCopy {
    while true {
      do {
        return try copyInReadTransaction(file)
      } catch let error as SQLiteError where error.isHotJournal {
        return try copyWithJournal(file)
      } catch let error as SQLiteError where error.isBusy {
        // Another process writes.
        guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.path) }
        usleep(2000)
      }
    }
  }

  /// Reads the database alone: there is no WAL.
  private func copyImmutable(_ file: DatabaseFile) throws -> PrivateCopy {
    var copy = try makeCopy(of: file.path, method: .immutable)
    try copy.fill(from: try openImmutable(file))
    return copy
  }

  /// Reads the database and then the WAL: read last, it repairs what a checkpoint of another process did meanwhile.
  private func copyRaw(_ file: DatabaseFile) throws -> PrivateCopy {
    guard try !OpenDescriptors.hold(file.wal) else { throw CaptureError.foreignHandle(file.wal) }
    let log = try InputFile(path: file.wal)
    let header = WALHeader(try log.prefix(WALHeader.byteCount))
    var copy = try makeCopy(of: file.path, method: .raw)
    let database = try openImmutable(file)
    try copy.checkBudget(log.status.bytes + (try FileStatus(path: file.path)?.bytes ?? 0))
    try copy.fill(from: database)
    // What another process commits meanwhile is in the WAL whole, or not in it.
    let original = PrivateCopy.Original(file: try .database(of: database), path: file.path, isInUse: false)
    try copy.fold(log, bytes: try log.size(), since: header, onto: original)
    return copy
  }

  /// Copies again when another process has changed the files in the meantime.
  private func copyUntilUnchanged(_ file: DatabaseFile) throws -> PrivateCopy {
    while true {
      let before = try mark(of: file)
      let copy = before.hasWAL ? try copyRaw(file) : try copyImmutable(file)
      if try mark(of: file) == before { return copy }
      guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.path) }
      usleep(2000)
    }
  }

  /// What stays the same as long as nobody resets the WAL or, without one, writes the database.
  private enum Mark: Equatable {
    case wal(FileIdentity, header: [UInt8], database: FileStatus?)
    case database(FileStatus?)

    var hasWAL: Bool {
      if case .wal = self { true } else { false }
    }
  }

  private func mark(of file: DatabaseFile) throws -> Mark {
    let database = try FileStatus(path: file.path)
    guard let status = try FileStatus(path: file.wal), status.bytes > 0 else { return .database(database) }
    let isInWALMode = try database?.bytes ?? 0 > 0 && header(of: file).isWAL
    let header = try InputFile(path: file.wal).prefix(WALHeader.byteCount)
    // In WAL mode a checkpoint may write the database: the WAL, read after it, has the same pages.
    return .wal(status.identity, header: header, database: isInWALMode ? nil : database)
  }

  /// Whether a rollback journal waits to be rolled back: neither empty nor with a zeroed header.
  func isHot(_ journal: String) throws -> Bool {
    guard let status = try FileStatus(path: journal), status.bytes > 0 else { return false }
    return try InputFile(path: journal).prefix(1) != [0]
  }

  func openImmutable(_ file: DatabaseFile) throws -> SQLiteHandle {
    try SQLiteConnection(immutable: file.path, named: file.path, vfs: file.vfs, image: image).handle
  }
}
