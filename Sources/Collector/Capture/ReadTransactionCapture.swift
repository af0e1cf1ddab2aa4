import ExhibitCSQLite
import ExhibitSQLite

/// Reads a database in a read transaction of our own, without waiting for locks.
struct ReadTransactionCapture {
  let context: CaptureContext
  let file: DatabaseFile

  func run() throws -> CaptureOutcome {
    do {
      return .copy(try copy())
    } catch let error as SQLiteError where error.isHotJournal {
      return .changed(.hotJournal)
    } catch let error as SQLiteError where error.isBusy {
      return .changed(.busy)
    }
  }

  func copy() throws -> PrivateCopy {
    do {
      return try copyOnce()
    } catch let error as SQLiteError where error.isDamage {
      // SQLite says the same when it cannot read a journal's first byte.
      guard try DatabaseLook.journal(at: file.journal) == .hot else { throw error }
      return try copyOnce()
    }
  }

  private func copyOnce() throws -> PrivateCopy {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
    let handle = try SQLiteConnection(
      path: file.path, named: file.name, flags: flags, vfs: file.vfs, image: context.image
    ).handle
    try handle.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on: true)
    try handle.beginReading()
    // SQLite ignores a journal whose status it cannot read.
    if try DatabaseLook.journal(at: file.journal) == .hot,
      try !SQLiteFile.database(of: handle).isReserved()
    {
      throw SQLiteError(SQLiteError.hotJournal, "read", path: file.name)
    }
    var copy = try context.makeCopy(of: file.name, method: .readTransaction)
    try copy.fill(from: handle)
    return copy
  }
}
