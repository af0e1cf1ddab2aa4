import Collector
import ExhibitCSystem
import ExhibitStart
import ExhibitSystem
import Synchronization

final class Recorder: Sendable {
  /// Atomic, because each statement reads it.
  private static let slot = Atomic<Unmanaged<Recorder>?>(nil)

  /// `nil` where no tests run: while they are listed, and in the child of an exit test or a fork.
  static var process: Recorder? {
    exhibit_is_forked() ? nil : slot.load(ordering: .acquiring)?.takeUnretainedValue()
  }

  let tests = ProcessTests()
  let functions = RunningFunctions()
  let connections = ConnectionRegistry()
  let held: HeldDatabases
  let stack: CaptureStack
  let shared = Locked<[String: SharedFiles]?>(nil)
  let underWay = Locked(0)
  let settings: RecorderSettings
  let output: RecorderOutput
  let trace: TraceFile
  private let connectionLog: ConnectionLog
  private let passes: PassRecording?

  init(settings: RecorderSettings) {
    self.settings = settings
    output = RecorderOutput(settings: settings, functions: functions)
    held = HeldDatabases(of: connections)
    stack = CaptureStack(connections: connections)
    connectionLog = ConnectionLog(of: connections, to: output)
    trace = TraceFile(size: settings.traceSize, leastFree: settings.budget.freeDisk)
    passes = settings.recordsPasses ? PassRecording(budget: settings.budget) : nil
    output.afterNewFolder { [weak self] in self?.logStateAgain() }
  }

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

  // MARK: - Tests

  func log(_ record: some LogPayload, of test: TestCaseID) {
    output.log(record, test: test) { [self] in connectionLog.logEarlier() }
  }

  func begin(_ function: PlannedFunction) -> TestScope { begin(function.id, start: function.start) }

  func begin(_ id: TestCaseID, start: TestStart) -> TestScope {
    let scope = tests.begin(id, start: start)
    log(scope.start, of: id)
    trace.move(to: output.run)
    logLackOfTrace()
    trace.mark(exhibit_trace_began, of: scope)
    return scope
  }

  func logLackOfTrace() {
    if let lack = trace.untoldLack { output.logIfOpen(lack, test: nil) }
  }

  func record(_ issue: RecordedIssue, of scope: TestScope) {
    let ordinal = scope.state.withLock { state in
      defer { state.issues += 1 }
      return state.issues
    }
    trace.mark(exhibit_trace_issue, of: scope, UInt64(ordinal))
    output.log(issue, test: scope.id)
  }

  func finish(_ scope: TestScope, outcome: TestEnd.Outcome, duration: Double?) {
    let (provisional, endings) = scope.state.withLock { state in
      state.hasFinished = true
      state.baselines = []
      return (state.hasFailed ? [] : state.provisional, state.endings)
    }
    if outcome != .failed { output.drop(provisional, of: scope) }
    if outcome == .passed { passes?.record(scope, of: self) }
    for ending in endings.reversed() { ending() }
    trace.mark(exhibit_trace_ended, of: scope)
    held.drop(scope.serial)
    output.log(
      TestEnd(outcome: outcome, duration: duration), test: scope.id)
    tests.end(scope, hasFailed: outcome == .failed)
  }

  /// At a failure, since the test may end the process.
  func writePasses() { passes?.write(output) }

  func finishProcess() {
    for connection in connections.all { connection.unguarded?.runWaiting(isUsable: false) }
    let end = tests.tally
    passes?.finish(output)
    output.finish(end)
    // A running test has called `exit`.
    if tests.all.isEmpty { trace.remove() }
    if end.failed > 0 || !tests.all.isEmpty { output.announce() }
  }

  func logStateAgain() {
    passes?.beginAgain()
    let running = tests.all
    for scope in running {
      output.logIfOpen(scope.start, test: scope.id)
      logExclusions(scope.state.withLock { $0.exclusions }, of: scope)
    }
    connectionLog.logAgain(usedBy: running)
    if let lack = trace.lack { output.logIfOpen(lack, test: nil) }
  }

  func logExclusions(_ exclusions: Exclusions, of scope: TestScope) {
    guard !exclusions.tables.isEmpty else { return }
    output.logIfOpen(ExcludedTables(exclusions.tables.sorted()), test: scope.id)
  }

  // MARK: - Databases

  func connectionOpened(_ db: OpaquePointer, by opener: Ownership.Opener, in scope: TestScope?) {
    guard let connection = connections.add(db, opener: opener, isNew: true) else { return }
    if let path = connection.path, !settings.mayCapture(path) { exhibit_trace_withhold(db) }
    if let path = connection.path { OpenDatabase.Storage(path: path).map(held.letGo) }
    let database = DatabaseOpening(connection, at: connection.path)
    scope?.state.withLock { $0.opened.append(database) }
    connectionLog.logOpened(database, by: opener)
  }

  func connectionUsed(_ connection: AppConnection, by scope: TestScope?) {
    let isFirst = connectionLog.logUse(of: connection, by: scope, newest: tests.newestSerial)
    if isFirst, passes != nil { scope?.state.withLock { $0.used.append(connection) } }
  }

  func connectionClosing(_ connection: AppConnection, _ db: OpaquePointer) {
    held.hold(databasesOf: connection, db, for: tests.serials(needing: connection))
  }

  func connectionEnded(_ address: UInt) {
    guard let connection = connections.remove(address) else { return }
    connectionLog.logEnd(of: connection)
  }
}
