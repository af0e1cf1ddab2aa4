import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

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
    let isHot = try isHot(file.journal)
    // The first transaction of all writes the header last; until then there is nothing in the file or anything.
    if try FileStatus(path: file.path)?.bytes == 0 { return try copyInRollbackMode(file) }
    guard let header = try header(of: file) else {
      if isHot { return try copyInRollbackMode(file) }
      throw CaptureError.notADatabase(file.name, "its first bytes are not those of one")
    }
    guard header.isWAL else { return try copyInRollbackMode(file) }
    return isHot ? try copyWithJournal(file) : try copyUntilUnchanged(file)
  }

  /// The header, through SQLite, so that no lock of this process is lost even if somebody opens the file meanwhile;
  /// `nil` when the file does not begin as a database does.
  func header(of file: DatabaseFile) throws -> DatabaseHeader? {
    DatabaseHeader(try SQLiteFile.database(of: try openImmutable(file)).prefix(DatabaseHeader.byteCount))
  }

  private func copyInRollbackMode(_ file: DatabaseFile) throws -> PrivateCopy {
    while true {
      do {
        return try copyInReadTransaction(file)
      } catch let error as SQLiteError where error.isHotJournal {
        return try copyWithJournal(file)
      } catch let error as SQLiteError where error.isBusy {
        // Another process writes.
        guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.name) }
        usleep(2000)
      }
    }
  }

  /// Reads the database alone: there is no WAL.
  private func copyImmutable(_ file: DatabaseFile) throws -> PrivateCopy {
    var copy = try makeCopy(of: file.name, method: .immutable)
    try copy.fill(from: try openImmutable(file))
    return copy
  }

  /// Reads the database and then the WAL: read last, it repairs what a checkpoint of another process did meanwhile.
  private func copyRaw(_ file: DatabaseFile) throws -> PrivateCopy {
    guard try !OpenDescriptors.hold(file.wal) else { throw CaptureError.foreignHandle(file.wal) }
    let log = try InputFile(path: file.wal)
    let header = WALHeader(try log.prefix(WALHeader.byteCount))
    var copy = try makeCopy(of: file.name, method: .raw)
    let database = try openImmutable(file)
    try copy.checkBudget(log.status.bytes + (try FileStatus(path: file.path)?.bytes ?? 0))
    try copy.fill(from: database)
    // What another process commits meanwhile is in the WAL whole, or not in it.
    let original = PrivateCopy.Original(file: try .database(of: database), path: file.name, isInUse: false)
    try copy.fold(log, bytes: try log.size(), since: header, onto: original)
    return copy
  }

  /// Copies again when another process has changed the files in the meantime.
  private func copyUntilUnchanged(_ file: DatabaseFile) throws -> PrivateCopy {
    while true {
      let before = try mark(of: file)
      if before.isSettled {
        let copy = before.hasWAL ? try copyRaw(file) : try copyImmutable(file)
        // Without a lock a reset does not mean that the database alone is a state.
        if try copy.capture.wal != .reset && mark(of: file) == before { return copy }
      }
      guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.name) }
      usleep(2000)
    }
  }

  private func mark(of file: DatabaseFile) throws -> FilesMark {
    let database = try FileStatus(path: file.path)
    guard let wal = try FileStatus(path: file.wal), wal.bytes > 0 else {
      return .times(database: database, wal: try FileStatus(path: file.wal))
    }
    let start = try InputFile(path: file.wal).prefix(WALHeader.byteCount)
    guard let header = WALHeader(start), try database?.bytes ?? 0 > 0 && self.header(of: file)?.isWAL == true
    else {
      return .times(database: database, wal: wal)
    }
    return .wal(wal.identity, header)
  }

  /// Whether a rollback journal waits to be rolled back: neither empty nor with a zeroed header.
  func isHot(_ journal: String) throws -> Bool {
    guard let status = try FileStatus(path: journal), status.bytes > 0 else { return false }
    return try InputFile(path: journal).prefix(1) != [0]
  }

  func openImmutable(_ file: DatabaseFile) throws -> SQLiteHandle {
    try SQLiteConnection(immutable: file.path, named: file.name, vfs: file.vfs, image: image).handle
  }
}

/// What stays the same as long as the files of a database are worth as much as when it was taken.
private enum FilesMark: Equatable {
  /// In WAL mode, as long as nobody resets the WAL: a checkpoint may write the database meanwhile, but the WAL,
  /// read after it, has the same pages.
  case wal(FileIdentity, WALHeader)
  /// Otherwise as long as nobody writes.
  case times(database: FileStatus?, wal: FileStatus?)

  var hasWAL: Bool {
    switch self {
    case .wal: true
    case .times(_, let wal): wal?.bytes ?? 0 > 0
    }
  }

  /// Whether the next write will show: file systems count time in steps of some milliseconds.
  var isSettled: Bool {
    guard case .times(let database, let wal) = self else { return true }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    return [database, wal].allSatisfy { status in
      // A time in the future is no recent one.
      status.map { !(0..<20_000_000).contains(nanoseconds - $0.modified) } ?? true
    }
  }
}
