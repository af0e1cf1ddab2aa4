import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Copies the files of a database whose WAL this process does not use.
struct FilesCapture {
  let context: CaptureContext
  let file: DatabaseFile

  func run() throws -> CaptureOutcome {
    let before = try mark()
    guard before.isSettled else { return .changed(.filesChanged) }
    let copy = before.hasWAL ? try copyRaw() : try copyImmutable()
    // Without a lock, a reset makes the database alone inconsistent.
    guard copy.capture.wal != .reset, try mark() == before else { return .changed(.filesChanged) }
    return .copy(copy)
  }

  private func copyImmutable() throws -> PrivateCopy {
    var copy = try context.makeCopy(of: file.name, method: .immutable)
    try copy.fill(from: try context.openImmutable(file))
    return copy
  }

  /// Reads the database first: the WAL has every page that a checkpoint writes meanwhile.
  private func copyRaw() throws -> PrivateCopy {
    guard try !OpenDescriptors.hold(file.wal) else { throw CaptureError.foreignHandle(file.wal) }
    let log = try InputFile(path: file.wal)
    let header = WALHeader(try log.prefix(WALHeader.byteCount))
    var copy = try context.makeCopy(of: file.name, method: .raw)
    let database = try context.openImmutable(file)
    try copy.checkBudget(log.status.bytes + (try FileStatus(path: file.path)?.bytes ?? 0))
    try copy.fill(from: database)
    // A concurrent commit is in the WAL completely or not at all.
    let original = PrivateCopy.Original(file: try .database(of: database), path: file.name, isInUse: false)
    try copy.fold(log, bytes: try log.size(), since: header, onto: original)
    return copy
  }

  private func mark() throws -> FilesMark {
    let database = try FileStatus(path: file.path)
    guard let wal = try FileStatus(path: file.wal), wal.bytes > 0 else {
      return .times(database: database, wal: try FileStatus(path: file.wal))
    }
    let start = try InputFile(path: file.wal).prefix(WALHeader.byteCount)
    guard let header = WALHeader(start),
      try database?.bytes ?? 0 > 0 && context.header(of: file)?.isWAL == true
    else {
      return .times(database: database, wal: wal)
    }
    return .wal(wal.identity, header)
  }
}

/// Copied files are consistent as long as it stays the same.
private enum FilesMark: Equatable {
  /// The WAL's header changes only with a reset.
  case wal(FileIdentity, WALHeader)
  case times(database: FileStatus?, wal: FileStatus?)

  var hasWAL: Bool {
    switch self {
    case .wal: true
    case .times(_, let wal): wal?.bytes ?? 0 > 0
    }
  }

  /// True when the next write will show: file times have steps of milliseconds.
  var isSettled: Bool {
    guard case .times(let database, let wal) = self else { return true }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    return [database, wal].allSatisfy { status in
      status.map { !(0..<20_000_000).contains(nanoseconds - $0.modified) } ?? true
    }
  }
}
