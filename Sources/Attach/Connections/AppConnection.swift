import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc
import Synchronization

/// A connection that the app opened, used only while it is known to be open.
final class AppConnection: Sendable {
  let number: Int
  let path: String?
  /// `nil` where no other connection can have its main database.
  let place: SharedDatabase?
  /// Of its main database; `nil` when SQLite does not tell.
  let vfs: String?
  let opener: Ownership.Opener
  let address: UInt
  private let isOpen = Locked(true)
  /// The last test that used it, or minus the newest test's number for an unknown user.
  private let lastUser = Atomic<Int>(0)
  private let use = Locked(Use())
  private let threads = Atomic<Int>(0)
  private let isAttaching = Atomic<Bool>(false)
  /// `nil` for a connection with a mutex.
  let unguarded: UnguardedUse?

  enum SharedDatabase: Hashable {
    case file(String)
    case memory(String)
  }

  private struct Use {
    var tests = TestSerials()
    /// The newest test at an unknown user's last use.
    var anonymousAt = 0
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

  /// Lends the handle to `body`, while no other thread can close or use the connection.
  ///
  /// It holds the lock of `end()` and only tries SQLite's mutex, so that neither waits for the other.
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

  func useAlone(_ body: (OpaquePointer) -> Void) -> LiveConnection.Access {
    isOpen.withLock { isOpen in
      guard isOpen, let db = OpaquePointer(bitPattern: address) else { return .closed }
      OwnWork.run { body(db) }
      return .used
    }
  }

  func end() {
    isOpen.withLock { $0 = false }
  }

  var hasEnded: Bool { isOpen.withLock { !$0 } }

  /// - Parameter test: `nil` for an unknown user.
  /// - Returns: True for this test's first statement, or an unknown user's since the newest test began.
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

  /// - Parameter loneTest: The only running test; 0 when none or several run.
  func isKnown(toBeUsedBy loneTest: Int) -> Bool {
    loneTest != 0 && lastUser.load(ordering: .relaxed) == loneTest && !isAttaching.load(ordering: .relaxed)
  }

  func recordAttaching() {
    isAttaching.store(true, ordering: .relaxed)
  }

  func takeAttaching() -> Bool {
    isAttaching.load(ordering: .relaxed) && isAttaching.exchange(false, ordering: .relaxed)
  }

  func newlyAttached(on db: OpaquePointer) -> [String] {
    let paths = schemaNames(of: db).filter { $0 != "main" }.compactMap { filePath(of: $0, on: db) }
    return use.withLock { use in
      let new = paths.filter { !use.attached.contains($0) }
      use.attached = paths
      return new
    }
  }

  func forgetAttached() {
    use.withLock { $0.attached = [] }
  }

  var hasAttached: Bool { use.withLock { !$0.attached.isEmpty } }

  func isOpened(by test: Int) -> Bool {
    if case .test(test, _) = opener { true } else { false }
  }

  /// The ended XCTest that opened it, when the current statement is work that it left running.
  ///
  /// XCTests run one after another, on the main thread. Work on another thread that used the connection
  /// during its opener stays the opener's until another test uses it.
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

  func isUsed(by test: Int) -> Bool {
    use.withLock { $0.tests.contains(test) }
  }

  /// Tests of which one owns it while several run; `nil` when a suite or function opened it.
  var claimants: TestSerials? {
    var claimants = use.withLock { $0.tests }
    switch opener {
    case .test(let serial, _): claimants.insert(serial)
    case .nobody: break
    case .named: return nil
    }
    return claimants
  }

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
