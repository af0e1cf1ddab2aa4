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
    if try FileStatus(path: file.path)?.bytes == 0 {
      guard wal == 0 else { throw CaptureError.foreignWAL(file.path, "the database is empty") }
      return try copyInReadTransaction(file)
    }
    let header = try header(of: file)
    guard header.isWAL else { return try copyInRollbackMode(file, wal: wal) }
    guard try !isHot(file.journal) else { throw CaptureError.hotJournal(file.path) }
    return try copyUntilUnchanged(file, header: header)
  }

  /// The header, through SQLite, so that no lock of this process is lost even if somebody opens the file meanwhile.
  func header(of file: DatabaseFile) throws -> DatabaseHeader {
    let bytes = try SQLiteFile.database(of: try openImmutable(file)).prefix(DatabaseHeader.byteCount)
    guard let header = DatabaseHeader(bytes) else {
      throw CaptureError.notADatabase(file.path, "its first bytes are not those of one")
    }
    return header
  }

  private func copyInRollbackMode(_ file: DatabaseFile, wal: Int) throws -> PrivateCopy {
    guard wal == 0 else { throw CaptureError.foreignWAL(file.path, "the database is not in WAL mode") }
    while true {
      do {
        return try copyInReadTransaction(file)
      } catch let error as SQLiteError where error.isBusy {
        // Another process writes.
        guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.path) }
        usleep(2000)
      }
    }
  }

  /// Reads the database alone: there is no WAL.
  private func copyImmutable(_ file: DatabaseFile) throws -> PrivateCopy {
    var copy = try PrivateCopy(of: file.path, in: folder, method: .immutable)
    try copy.fill(from: try openImmutable(file), limit: limits.databaseBytes)
    return copy
  }

  /// Reads the database and then the WAL: read last, it repairs what a checkpoint of another process did meanwhile.
  private func copyRaw(_ file: DatabaseFile, header: DatabaseHeader) throws -> PrivateCopy {
    let log = try InputFile(path: file.wal)
    let walHeader = WALHeader(try log.prefix(WALHeader.byteCount))
    if let walHeader, walHeader.pageSize != header.pageSize {
      let detail = "its pages have \(walHeader.pageSize) bytes, the database's \(header.pageSize)"
      throw CaptureError.foreignWAL(file.path, detail)
    }
    var copy = try PrivateCopy(of: file.path, in: folder, method: .raw)
    let bytes = log.status.bytes + (try FileStatus(path: file.path)?.bytes ?? 0)
    try copy.checkBudget(bytes, of: file.path, limit: limits.databaseBytes)
    try copy.fill(from: try openImmutable(file), limit: limits.databaseBytes)
    // It may have grown with the transactions of another process, which are in it whole.
    copy.capture.walBytes = FileStatus(descriptor: log.descriptor)?.bytes ?? log.status.bytes
    copy.capture.wal = .committed
    try PrivateCopy.copy(log, bytes: copy.capture.walBytes, to: copy.wal)
    return copy
  }

  /// Copies again when another process has changed the files in the meantime.
  private func copyUntilUnchanged(_ file: DatabaseFile, header: DatabaseHeader) throws -> PrivateCopy {
    while true {
      let before = try mark(of: file)
      let copy = before.hasWAL ? try copyRaw(file, header: header) : try copyImmutable(file)
      if try mark(of: file) == before { return copy }
      guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.path) }
      usleep(2000)
    }
  }

  /// What stays the same as long as nobody resets the WAL or, without one, writes the database.
  private enum Mark: Equatable {
    case wal(FileIdentity, header: [UInt8])
    case database(FileStatus?)

    var hasWAL: Bool {
      if case .wal = self { true } else { false }
    }
  }

  private func mark(of file: DatabaseFile) throws -> Mark {
    guard let status = try FileStatus(path: file.wal), status.bytes > 0 else {
      return .database(try FileStatus(path: file.path))
    }
    return .wal(status.identity, header: try InputFile(path: file.wal).prefix(WALHeader.byteCount))
  }

  /// Whether a rollback journal waits to be rolled back: neither empty nor with a zeroed header.
  private func isHot(_ journal: String) throws -> Bool {
    guard let status = try FileStatus(path: journal), status.bytes > 0 else { return false }
    return try InputFile(path: journal).prefix(1) != [0]
  }

  private func openImmutable(_ file: DatabaseFile) throws -> SQLiteHandle {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    let uri = "file:\(percentEncoded(file.path))?immutable=1"
    return try SQLiteConnection(path: uri, named: file.path, flags: flags, vfs: file.vfs, image: image).handle
  }

  /// Every byte that is not a letter, a digit or `/` as `%XX`.
  private func percentEncoded(_ path: String) -> String {
    let hex = Array("0123456789ABCDEF")
    return path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
      }
    }.joined()
  }
}
