import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc
import Synchronization

/// A connection that the app opened; it is touched only while it is known to be open.
final class AppConnection: Sendable {
  /// Counts from 1 in the order of opening in this process.
  let number: Int
  /// The file of its main database; `nil` in memory.
  let path: String?
  /// The place of its main database, if other connections can have the same one.
  let place: SharedDatabase?
  /// The name of its main database's VFS; `nil` when SQLite does not tell.
  let vfs: String?
  let opener: Ownership.Opener
  let address: UInt
  private let isOpen = Locked(true)
  /// The serial of the test that used it last, or minus the newest test's serial when the user is unknown.
  ///
  /// It saves each statement a lock.
  private let lastUser = Atomic<Int>(0)
  private let use = Locked(Use())
  /// The threads on which XCTests used it.
  private let threads = Atomic<Int>(0)
  /// True when a database is being attached that is not logged yet.
  private let isAttaching = Atomic<Bool>(false)
  /// `nil` for a connection with a mutex, which any thread may use.
  let unguarded: UnguardedUse?

  /// A database that several connections can have.
  enum SharedDatabase: Hashable {
    /// A file, by its path.
    case file(String)
    /// An in-memory database of the VFS `memdb` that is shared by name.
    case memory(String)
  }

  private struct Use {
    var tests = TestSerials()
    /// The serial of the newest test when an unknown user last used the connection.
    var anonymousAt = 0
    /// Paths of the files that are attached, as far as they are known.
    var attached: [String] = []
  }

  init(_ db: OpaquePointer, number: Int, path: String?, opener: Ownership.Opener) {
    address = UInt(bitPattern: db)
    self.number = number
    self.path = path
    place = path.map(SharedDatabase.file) ?? sharedMemoryName(of: "main", on: db).map(SharedDatabase.memory)
    vfs = vfsName(of: "main", on: db)
    self.opener = opener
    unguarded = sqlite3_db_mutex(db) == nil ? UnguardedUse() : nil
  }

  /// Lends the handle to `body`; no other thread can close or use it meanwhile.
  ///
  /// It takes the lock that the connection's real end takes too. SQLite's own mutex is only tried, so that neither
  /// lock can wait for the other.
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

  /// Returns `body`'s answer, or `nil` when the connection is closed or stays busy.
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

  /// Lends the handle to `body`; the caller makes sure that nobody else can use it now.
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
  /// - Parameter test: The serial of the test; `nil` for an unknown user.
  /// - Returns: True for the first statement of this test, or of an unknown user since the newest test began.
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

  /// True when a further statement would tell nothing new, because the only running test is known to use it.
  ///
  /// - Parameter loneTest: The serial of the only running test; 0 when none or several run.
  func isKnown(toBeUsedBy loneTest: Int) -> Bool {
    loneTest != 0 && lastUser.load(ordering: .relaxed) == loneTest && !isAttaching.load(ordering: .relaxed)
  }

  /// Called at the start of a statement that attaches a database.
  func recordAttaching() {
    isAttaching.store(true, ordering: .relaxed)
  }

  /// True when a database was attached since the last call.
  func takeAttaching() -> Bool {
    isAttaching.load(ordering: .relaxed) && isAttaching.exchange(false, ordering: .relaxed)
  }

  /// The files that were attached since the last call.
  func newlyAttached(on db: OpaquePointer) -> [String] {
    let paths = schemaNames(of: db).filter { $0 != "main" }.compactMap { filePath(of: $0, on: db) }
    return use.withLock { use in
      let new = paths.filter { !use.attached.contains($0) }
      use.attached = paths
      return new
    }
  }

  /// Forgets the attached files, so that a new log gets them again.
  func forgetAttached() {
    use.withLock { $0.attached = [] }
  }

  /// True when the log has files that it attached.
  var hasAttached: Bool { use.withLock { !$0.attached.isEmpty } }

  /// True when the test with this serial opened the connection itself.
  func isOpened(by test: Int) -> Bool {
    if case .test(test, _) = opener { true } else { false }
  }

  /// The serial of the XCTest that opened it and has ended, where a statement is of work that it left running.
  ///
  /// XCTest runs its tests one after the other, and their own statements on the main thread. Work on another thread that
  /// used the connection while its opener ran, and goes on, is the opener's, as long as no other test used it itself.
  ///
  /// - Parameters:
  ///   - test: The serial of the XCTest that runs.
  ///   - isMain: True on the main thread.
  func leftRunning(during test: Int, isMain: Bool) -> Int? {
    guard case .test(let opener, _) = opener else { return nil }
    let (byOpener, elsewhere, byOthers) = (1, 2, 4)
    guard !isMain, opener != test else {
      let use = opener != test ? byOthers : isMain ? byOpener : elsewhere
      if threads.load(ordering: .relaxed) & use == 0 { threads.bitwiseOr(use, ordering: .relaxed) }
      return nil
    }
    return threads.load(ordering: .relaxed) == byOpener | elsewhere ? opener : nil
  }

  /// True when the test with this serial used the connection.
  func isUsed(by test: Int) -> Bool {
    use.withLock { $0.tests.contains(test) }
  }

  /// The serials of the tests that opened or used it; while several tests run, no other can own it.
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

  /// The connection's history, from which its owner is decided.
  ///
  /// - Parameter isClosing: True when it is about to be closed.
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
