import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc
import Synchronization

/// A connection that the app opened: it is touched only while it is known to be open.
final class AppConnection: Sendable {
  /// From 1, in the order of opening in this process.
  let number: Int
  /// The file of its main database; `nil` in memory.
  let path: String?
  /// The name of its main database where it is of the VFS `memdb` and shared by name.
  let sharedMemory: String?
  /// The name of its main database's VFS; `nil` when SQLite does not tell.
  let vfs: String?
  let opener: Ownership.Opener
  let address: UInt
  private let isOpen = Locked(true)
  /// The serial of the test that used it last, or minus the newest test's serial when the user is unknown.
  ///
  /// It spares each statement a lock.
  private let lastUser = Atomic<Int>(0)
  private let use = Locked(Use())
  /// Whether it has begun to attach a database that it was not asked about yet.
  private let isAttaching = Atomic<Bool>(false)
  /// `nil` for a connection with a mutex, which any thread may use.
  let unguarded: UnguardedUse?

  private struct Use {
    var tests = TestSerials()
    /// The newest test there was when somebody unknown last used the connection.
    var anonymousAt = 0
    /// Paths of files that the connection has attached so far.
    var attached: [String] = []
  }

  init(_ db: OpaquePointer, number: Int, path: String?, opener: Ownership.Opener) {
    address = UInt(bitPattern: db)
    self.number = number
    self.path = path
    sharedMemory = path == nil ? sharedMemoryName(of: "main", on: db) : nil
    vfs = vfsName(of: "main", on: db)
    self.opener = opener
    unguarded = sqlite3_db_mutex(db) == nil ? UnguardedUse() : nil
  }

  /// Runs `body` with the handle, which cannot be closed or used by another thread meanwhile.
  ///
  /// The lock is the one that the connection's real end takes; SQLite's own mutex is only tried, so that neither
  /// can wait for the other.
  func borrow(
    until deadline: ContinuousClock.Instant, _ body: (OpaquePointer) -> Void
  ) -> LiveConnection.Access {
    if let unguarded {
      return hasEnded ? .closed : unguarded.borrow(until: deadline, lentBy: { self.useAlone($0) }, body)
    }
    while true {
      let access = attempt(body)
      guard access == .busy, ContinuousClock.now < deadline else { return access }
      usleep(500)
    }
  }

  /// What `body` returns, or `nil` when the connection is closed or stays busy.
  func ask<Answer>(
    until deadline: ContinuousClock.Instant, _ body: (OpaquePointer) -> Answer
  ) -> Answer? {
    var answer: Answer?
    _ = borrow(until: deadline) { answer = body($0) }
    return answer
  }

  private func attempt(_ body: (OpaquePointer) -> Void) -> LiveConnection.Access {
    isOpen.withLock { isOpen in
      guard isOpen, let db = OpaquePointer(bitPattern: address) else { return .closed }
      guard let mutex = sqlite3_db_mutex(db), sqlite3_mutex_try(mutex) == SQLITE_OK else { return .busy }
      defer { sqlite3_mutex_leave(mutex) }
      OwnWork.run { body(db) }
      return .used
    }
  }

  /// Runs `body` with a handle that nobody else can use now, for which the caller answers.
  func useAlone(_ body: (OpaquePointer) -> Void) -> LiveConnection.Access {
    isOpen.withLock { isOpen in
      guard isOpen, let db = OpaquePointer(bitPattern: address) else { return .closed }
      OwnWork.run { body(db) }
      return .used
    }
  }

  /// Called at the connection's real end, with SQLite's mutex held.
  func end() {
    isOpen.withLock { $0 = false }
  }

  var hasEnded: Bool { isOpen.withLock { !$0 } }

  /// Notes who runs a statement on the connection.
  ///
  /// - Parameter test: The serial of the test; `nil` for somebody unknown.
  /// - Returns: Whether it is the first one of this test, or of somebody unknown since the newest test began.
  func recordUse(by test: Int?, newest: Int) -> Bool {
    let mark = test ?? -newest
    guard lastUser.load(ordering: .relaxed) != mark else { return false }
    lastUser.store(mark, ordering: .relaxed)
    return use.withLock { use in
      if let test { return use.tests.insert(test) }
      defer { use.anonymousAt = newest }
      return use.anonymousAt != newest
    }
  }

  /// Whether a statement tells nothing new, whoever runs it: all of late ran in this test, the only one that runs.
  ///
  /// - Parameter loneTest: Its serial; 0 when there is none or more than one.
  func isKnown(toBeUsedBy loneTest: Int) -> Bool {
    loneTest != 0 && lastUser.load(ordering: .relaxed) == loneTest && !isAttaching.load(ordering: .relaxed)
  }

  /// Called at the start of a statement that attaches a database.
  func recordAttaching() {
    isAttaching.store(true, ordering: .relaxed)
  }

  /// Whether one was attached since this was asked last.
  func takeAttaching() -> Bool {
    isAttaching.load(ordering: .relaxed) && isAttaching.exchange(false, ordering: .relaxed)
  }

  /// The files that it has attached since this was asked last.
  func newlyAttached(on db: OpaquePointer) -> [String] {
    let paths = schemaNames(of: db).filter { $0 != "main" }.compactMap { filePath(of: $0, on: db) }
    return use.withLock { use in
      let new = paths.filter { !use.attached.contains($0) }
      use.attached = paths
      return new
    }
  }

  /// Has its attached files told again to a new log.
  func forgetAttached() {
    use.withLock { $0.attached = [] }
  }

  /// Whether the log has files that it attached.
  var hasAttached: Bool { use.withLock { !$0.attached.isEmpty } }

  /// Whether a test, given by its serial, opened it itself.
  func isOpened(by test: Int) -> Bool {
    if case .test(test, _) = opener { true } else { false }
  }

  /// Whether a test, given by its serial, used it.
  func isUsed(by test: Int) -> Bool {
    use.withLock { $0.tests.contains(test) }
  }

  /// The serials of the tests that opened or used it: no other has a claim while several run.
  ///
  /// `nil` where a suite or a function may have opened it for others.
  var claimants: TestSerials? {
    var claimants = use.withLock { $0.tests }
    switch opener {
    case .test(let serial, _): claimants.insert(serial)
    case .nobody: break
    case .named: return nil
    }
    return claimants
  }

  /// What happened to it so far, for the rule of whose it is.
  ///
  /// - Parameter isClosing: Whether it is about to be closed.
  func ownership(isClosing: Bool = false) -> Ownership {
    var ownership = Ownership([.opened(by: opener)])
    use.withLock { use in
      for serial in use.tests.all { ownership.add(.used(by: serial, at: serial)) }
      if use.anonymousAt > 0 { ownership.add(.used(by: nil, at: use.anonymousAt)) }
    }
    if isClosing { ownership.add(.closed) }
    return ownership
  }
}
