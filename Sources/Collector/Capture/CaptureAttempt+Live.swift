import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension CaptureAttempt {
  /// Copies a database that this process has open, through its SQLite.
  func copyLive(_ file: DatabaseFile) throws -> PrivateCopy {
    guard try mayOpen(file) else { return try copyClosed(file) }
    while true {
      do {
        return try copyWhileOthersWait(file)
      } catch let error as SQLiteError where error.isHotJournal {
        return try copyWithJournal(file)
      } catch let error as SQLiteError where error.isBusy {
        if let copy = try copyThroughLockHolder(file) { return copy }
        guard ContinuousClock.now < deadline else { throw CaptureError.busy(file.name) }
        usleep(2000)
      }
    }
  }

  /// Reads while no known connection of this process is used: one that finds our lock at its commit, and is not
  /// prepared to wait, would fail a test that has nothing to do with this one.
  private func copyWhileOthersWait(_ file: DatabaseFile) throws -> PrivateCopy {
    var connections = file.connections.filter { $0.isLendable || !$0.belongsToFailedTest }
    // In WAL mode nobody who commits waits for a reader; only who resets the WAL does.
    let isWAL = try FileStatus(path: file.path)?.bytes ?? 0 > 0 && header(of: file)?.isWAL == true
    let limit = isWAL ? min(deadline, .now + .milliseconds(50)) : deadline
    while true {
      var result: Result<PrivateCopy, any Error>?
      lend(connections[...]) { result = Result { try copyInReadTransaction(file) } }
      if let result { return try result.get() }
      if ContinuousClock.now >= limit {
        connections = isWAL ? [] : connections.filter { !$0.belongsToFailedTest }
        lend(connections[...]) { result = Result { try copyInReadTransaction(file) } }
        return try result?.get() ?? { throw CaptureError.busy(file.path) }()
      }
      usleep(1000)
    }
  }

  /// Runs `body` while all connections are lent at once, if they are free now; always in the same order.
  private func lend(_ connections: ArraySlice<LiveConnection>, _ body: () -> Void) {
    guard let connection = connections.first else { return body() }
    let access = connection.borrow(min(deadline, .now + .milliseconds(5))) { _ in
      lend(connections.dropFirst(), body)
    }
    if access == .closed { lend(connections.dropFirst(), body) }
  }

  /// Reads through a connection of our own, which waits for nobody.
  func copyInReadTransaction(_ file: DatabaseFile) throws -> PrivateCopy {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
    let handle = try SQLiteConnection(
      path: file.path, named: file.name, flags: flags, vfs: file.vfs, image: image
    ).handle
    try handle.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on: true)
    try handle.beginReading()
    // SQLite takes a journal that it cannot look at for none.
    if try isHot(file.journal), try !SQLiteFile.database(of: handle).isReserved() {
      throw SQLiteError(SQLiteError.hotJournal, "read", path: file.name)
    }
    var copy = try makeCopy(of: file.name, method: .readTransaction)
    try copy.fill(from: handle)
    return copy
  }

  /// Reads through the connection of the failed test that keeps everybody out, if there is one.
  private func copyThroughLockHolder(_ file: DatabaseFile) throws -> PrivateCopy? {
    for connection in file.connectionsOfFailedTest {
      let use = try connection.use(path: file.path, until: min(deadline, .now + .milliseconds(20))) {
        handle in
        try copyThroughOwnHandles(of: handle, schema: connection.schema)
      }
      if case .done(let copy?) = use { return copy }
    }
    return nil
  }

  private func copyThroughOwnHandles(of handle: SQLiteHandle, schema: String) throws -> PrivateCopy? {
    guard handle.keepsOthersOut(schema) else { return nil }
    if try isWritingWithoutJournal(handle, schema) {
      throw CaptureError(
        .unsupported,
        "\(handle.path) is being written with journal_mode=OFF, so its committed state exists nowhere any more."
      )
    }
    var copy = try makeCopy(of: handle.path, method: .ownHandles)
    try copy.fill(from: handle, schema: schema)
    return copy
  }

  /// Whether a transaction is open that SQLite could not roll back.
  private func isWritingWithoutJournal(_ handle: SQLiteHandle, _ schema: String) throws -> Bool {
    // It opens the journal before it changes the first page, if it writes one.
    guard handle.isWriting(schema), SQLiteFile.journal(of: handle, schema: schema) == nil else {
      return false
    }
    do {
      let mode = try image.undisturbed(handle) {
        try $0.text("PRAGMA \(SQLText.name(schema)).journal_mode")
      }
      return mode == "off"
    } catch let error as CaptureError where error.reason == .unsupported {
      return handle.hasSpilled
    }
  }

  /// Whether a connection of ours would create nothing: the first reader of a WAL database makes its -shm and -wal.
  private func mayOpen(_ file: DatabaseFile) throws -> Bool {
    let wal = try FileStatus(path: file.wal)?.bytes ?? 0
    // SQLite deletes the WAL beside an empty file.
    if try FileStatus(path: file.path)?.bytes == 0 { return wal == 0 }
    if try FileStatus(path: file.sharedMemory) != nil { return true }
    if try OpenDescriptors.hold(file.wal) { return true }
    return try wal == 0 && header(of: file)?.isWAL != true
  }
}
