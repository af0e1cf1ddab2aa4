import Collector
import ExhibitStart
import ExhibitSystem
import Foundation
import Synchronization

/// What is recorded in this process: made once by the constructor, where tests can run.
final class Recorder: Sendable {
  /// Read at each statement of each connection, so it takes no lock; what it holds stays for good.
  private static let slot = Atomic<Unmanaged<Recorder>?>(nil)

  /// `nil` where no tests run: in the listing of tests and in the child of an exit test.
  static var process: Recorder? { slot.load(ordering: .acquiring)?.takeUnretainedValue() }

  let connections = ConnectionRegistry()
  let held = HeldDatabases()
  /// Made when the first database was captured.
  let shared = Locked<SharedCaptures?>(nil)
  /// Bytes of captures that have begun.
  let underWay = Locked(0)
  let settings: RecorderSettings
  let output: RecorderOutput
  private let serials = Atomic<Int>(0)
  private let lone = Atomic<Int>(0)
  let hasLoggedMemory = Atomic<Bool>(false)
  private let tests = Locked(Tests())

  private struct Tests {
    // Few at a time. No dictionary: the first one with a new type of keys costs a process a tenth of a millisecond,
    // and with `--parallel` there is a process for each test.
    var running: [TestScope] = []
    var tally = ProcessEnd(tests: 0, failed: 0)
    var loneSerial: Int { running.count == 1 ? running[0].serial : 0 }
  }

  init(settings: RecorderSettings) {
    self.settings = settings
    output = RecorderOutput(settings: settings)
    output.afterNewFolder { [weak self] in self?.logStateAgain() }
  }

  /// Makes the recorder of this process.
  ///
  /// - Returns: `nil` when there is one already.
  static func start() -> Recorder? {
    guard process == nil else { return nil }
    let recorder = Unmanaged.passRetained(Recorder(settings: RecorderSettings()))
    let (isFirst, _) = slot.compareExchange(
      expected: nil, desired: recorder, ordering: .acquiringAndReleasing)
    guard isFirst else {
      recorder.release()
      return nil
    }
    return recorder.takeUnretainedValue()
  }

  /// Nothing is recorded in this process from now on.
  static func forget() {
    slot.store(nil, ordering: .releasing)
  }

  /// The serial of the newest test.
  var newestSerial: Int { serials.load(ordering: .relaxed) }

  /// The serial of the only test that runs; 0 when there is none or more than one.
  var loneTest: Int { lone.load(ordering: .relaxed) }

  var runningTests: [TestScope] { tests.withLock { $0.running } }

  /// Whether no other test runs now.
  func isAlone(_ scope: TestScope) -> Bool { loneTest == scope.serial }

  // MARK: - Tests

  func begin(_ id: TestCaseID, start: TestStart) -> TestScope {
    let serial = serials.wrappingAdd(1, ordering: .relaxed).newValue
    let scope = TestScope(id: id, start: start, serial: serial)
    tests.withLock { tests in
      tests.running.append(scope)
      tests.tally.tests += 1
      lone.store(tests.loneSerial, ordering: .relaxed)
    }
    output.log(start, test: id) { [self] in logEarlier(connections) }
    return scope
  }

  /// Records an issue that fails nothing.
  func note(_ issue: RecordedIssue, for scope: TestScope) {
    output.log(issue, test: scope.id)
  }

  /// - Parameter duration: Seconds, to the microsecond.
  func finish(_ scope: TestScope, outcome: TestEnd.Outcome, duration: Double?) {
    let (provisional, endings) = scope.state.withLock { state in
      state.hasFinished = true
      state.baselines = []
      return (state.hasFailed ? [] : state.provisional, state.endings)
    }
    if outcome != .failed { output.drop(provisional, of: scope) }
    for ending in endings.reversed() { ending() }
    held.drop(scope.serial)
    output.log(
      TestEnd(outcome: outcome, duration: duration ?? scope.age), test: scope.id)
    tests.withLock { tests in
      if let index = tests.running.firstIndex(where: { $0 === scope }) { tests.running.remove(at: index) }
      if outcome == .failed { tests.tally.failed += 1 }
      lone.store(tests.loneSerial, ordering: .relaxed)
    }
  }

  /// The process ends in order; called once, by `atexit`.
  func finishProcess() {
    for connection in connections.all { connection.unguarded?.takeWaiting(isUsable: false) }
    let (end, isRunning) = tests.withLock { ($0.tally, !$0.running.isEmpty) }
    output.finish(end)
    // A test that runs now has called exit.
    if end.failed > 0 || isRunning { output.announce() }
  }

  /// Writes into a new log what an earlier one, which is lost, said of what still goes on.
  func logStateAgain() {
    hasLoggedMemory.store(false, ordering: .relaxed)
    for connection in connections.all { connection.forgetAttached() }
    let running = runningTests
    for scope in running {
      output.logIfOpen(scope.start, test: scope.id)
      logExclusions(scope.state.withLock { $0.exclusions }, of: scope)
    }
    logEarlier(connections)
    for connection in connections.all where connection.path != nil {
      for scope in running where connection.isUsed(by: scope.serial) {
        output.logIfOpen(DatabaseUse(connection: connection.number), test: scope.id)
      }
    }
  }

  /// What is captured after a crash keeps to them too.
  func logExclusions(_ exclusions: Exclusions, of scope: TestScope) {
    guard !exclusions.tables.isEmpty else { return }
    output.logIfOpen(ExcludedTables(exclusions.tables.sorted()), test: scope.id)
  }

  // MARK: - Databases

  func connectionOpened(_ db: OpaquePointer, by opener: Ownership.Opener, in scope: TestScope?) {
    guard let connection = connections.add(db, opener: opener, isNew: true) else { return }
    if let path = connection.path { OpenDatabase.Storage(path: path).map(held.letGo) }
    let database = DatabaseOpening(connection, at: connection.path)
    scope?.state.withLock { $0.opened.append(database) }
    // What is in memory cannot be read after a crash, so its opening is worth no write; its first use is.
    if database.path != nil { output.logIfOpen(database, test: opener.id) }
  }

  /// Notes who uses a connection, and logs a test's first use of what it did not open itself.
  func connectionUsed(_ connection: Connection, by scope: TestScope?) {
    if connection.takeAttaching() { logAttached(to: connection, by: scope?.id) }
    guard connection.recordUse(by: scope?.serial, newest: newestSerial) else { return }
    guard connection.path != nil else { return logMemory(connection) }
    if let scope, connection.isOpened(by: scope.serial) { return }
    output.logIfOpen(DatabaseUse(connection: connection.number), test: scope?.id)
  }

  /// Lets go of a connection at its real end.
  func connectionEnded(_ address: UInt) {
    guard let connection = connections.remove(address), connection.path != nil || connection.hasAttached
    else { return }
    output.logIfOpen(DatabaseClosing(connection: connection.number), test: nil)
  }
}
