import ExhibitSQLite
import ExhibitSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension CaptureAttempt {
  /// Captures the state of a database file that every other reader would see now.
  mutating func captureCommitted(_ file: DatabaseFile) {
    do {
      let situation = try situation(of: file)
      do {
        try publishReading(file, situation)
      } catch let error where CaptureError(error).reason == .notADatabase {
        fail(error)
        if let file = situation.file { keepRaw(file) }
      }
    } catch {
      fail(error)
      if CaptureError(error).reason == .missing { keepLeftBehind(file) }
    }
  }

  /// Copies and publishes, once more where a read failed: until it has its name, nobody sees the copy.
  private mutating func publishReading(_ file: DatabaseFile, _ situation: Situation) throws {
    do {
      try publish(try copy(file, situation))
    } catch let error
      where (error as? SQLiteError)?.isUnreadable ?? (error as? SystemError)?.isOfReading ?? false
    {
      try publish(try copy(file, situation))
    }
  }

  private func copy(_ file: DatabaseFile, _ situation: Situation) throws -> PrivateCopy {
    switch situation {
    case .lost(let connections): try copyLost(file, through: connections)
    case .live(let resolved): try copyLive(resolved)
    case .closed(let resolved): try copyClosed(resolved)
    }
  }

  /// What this process has to do with a file at the moment.
  private enum Situation {
    /// The path leads to no file or to another one; the failed test's connection still has the original.
    case lost([LiveConnection])
    case live(DatabaseFile)
    /// Nothing in this process has it open.
    case closed(DatabaseFile)

    var file: DatabaseFile? {
      switch self {
      case .lost: nil
      case .live(let file), .closed(let file): file
      }
    }
  }

  private func situation(of file: DatabaseFile) throws -> Situation {
    let ours = file.connectionsOfFailedTest
    guard let resolved = resolve(file), let status = try FileStatus(path: resolved.path) else {
      if !ours.isEmpty { return .lost(ours) }
      throw CaptureError.missing(file.name)
    }
    guard status.kind == .regular else { throw CaptureError.notADatabase(file.name, "not a regular file") }
    let isHeld = OpenDescriptors.first(of: status.identity) != nil
    if isHeld, file.connections.isEmpty { throw CaptureError.foreignHandle(file.name) }
    if isHeld { return .live(resolved) }
    return ours.isEmpty ? .closed(resolved) : .lost(ours)
  }

  /// Takes a deleted or replaced file from memory, through the first connection that still is one.
  private func copyLost(_ file: DatabaseFile, through connections: [LiveConnection]) throws -> PrivateCopy {
    var failure: (any Error)?
    for connection in connections {
      do { return try serialized(connection, path: file.path) } catch { failure = failure ?? error }
    }
    throw failure ?? CaptureError.missing(file.name)
  }

  /// Follows links, as SQLite does: -wal and -journal lie beside the real file.
  private func resolve(_ file: DatabaseFile) -> DatabaseFile? {
    guard let real = realpath(file.path, nil) else { return nil }
    defer { free(real) }
    var resolved = file
    resolved.path = String(cString: real)
    return resolved
  }
}
