import ExhibitCSQLite
import ExhibitSQLite
import Glibc

/// Copies a database that this process has open, through its SQLite.
struct LiveCapture {
  let context: CaptureContext
  let file: DatabaseFile
  let isWAL: Bool

  func run() throws -> CaptureOutcome {
    do {
      return .copy(try copyWhileOthersWait())
    } catch let error as SQLiteError where error.isHotJournal {
      return .changed(.hotJournal)
    } catch let error as SQLiteError where error.isBusy {
      return try copyThroughLockHolder().map { .copy($0) } ?? .changed(.busy)
    }
  }

  private var transaction: ReadTransactionCapture { ReadTransactionCapture(context: context, file: file) }

  /// Uses no known connection meanwhile: a commit without a busy timeout that met our lock would fail a test.
  private func copyWhileOthersWait() throws -> PrivateCopy {
    var connections = file.connections.filter { $0.isLendable || !$0.belongsToFailedTest }
    // In WAL mode commits do not wait for readers; only a reset does.
    let limit = isWAL ? min(context.deadline, .now + .milliseconds(50)) : context.deadline
    while true {
      var result: Result<PrivateCopy, any Error>?
      lend(connections[...]) { result = Result { try transaction.copy() } }
      if let result { return try result.get() }
      if ContinuousClock.now >= limit {
        connections = isWAL ? [] : connections.filter { !$0.belongsToFailedTest }
        lend(connections[...]) { result = Result { try transaction.copy() } }
        return try result?.get() ?? { throw CaptureError.busy(file.path) }()
      }
      usleep(1000)
    }
  }

  /// Lends all connections, always in the same order.
  private func lend(_ connections: ArraySlice<LiveConnection>, _ body: () -> Void) {
    guard let connection = connections.first else { return body() }
    let access = connection.borrow(min(context.deadline, .now + .milliseconds(5))) { _ in
      lend(connections.dropFirst(), body)
    }
    if access == .closed { lend(connections.dropFirst(), body) }
  }

  /// Only the failed test's connection, which locks others out, can read.
  private func copyThroughLockHolder() throws -> PrivateCopy? {
    for connection in file.connectionsOfFailedTest {
      let use = try connection.use(path: file.path, until: min(context.deadline, .now + .milliseconds(20))) {
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
    var copy = try context.makeCopy(of: handle.path, method: .ownHandles)
    try copy.fill(from: handle, schema: schema)
    return copy
  }

  private func isWritingWithoutJournal(_ handle: SQLiteHandle, _ schema: String) throws -> Bool {
    guard handle.isWriting(schema), SQLiteFile.journal(of: handle, schema: schema) == nil else {
      return false
    }
    do {
      let mode = try context.image.undisturbed(handle) {
        try $0.text("PRAGMA \(SQLText.name(schema)).journal_mode")
      }
      return mode == "off"
    } catch let error as CaptureError where error.reason == .unsupported {
      return handle.hasSpilled
    }
  }
}
