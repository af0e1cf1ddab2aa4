import Collector
import ExhibitStart
import ExhibitSystem
import Glibc

/// The file of this process with what its tests did that passed: `EXHIBIT_RECORD_PASSES`.
///
/// Nothing here throws. After the first pass that cannot be written, no other one is: the file ends with the last
/// whole one, or in the middle of the first that failed.
final class PassRecording: Sendable {
  private let budget: Budget
  private let state = Locked(State())

  private struct State {
    var file: AppendedFile?
    var run: RunFolder?
    /// Bytes that are reserved in the run's budget and not used yet.
    var reserved = 0
    /// False once a pass could not be written.
    var isOpen = true
    var leftOut: PassesLeftOut?
  }

  /// Bytes that are reserved at once: each time, all processes of a run wait for each other.
  private static let portion = 256 << 10

  init(budget: Budget) {
    self.budget = budget
    exhibit_trace_keep_tests()
  }

  /// Appends the steps of a test that has passed and has not ended yet, if there are any.
  func record(_ scope: TestScope, of recorder: Recorder) {
    let (opened, used) = scope.state.withLock { state in
      defer { state.used = [] }
      return (state.opened, state.used)
    }
    let isAlone = recorder.tests.isAlone(scope)
    // While others run, what nobody is known to have used may be anybody's.
    let connections = isAlone ? recorder.connections.all : recorder.connections.ofSuites
    var candidates = used
    for connection in connections where !used.contains(where: { $0 === connection }) {
      candidates.append(connection)
    }
    guard !candidates.isEmpty || !opened.isEmpty, let run = recorder.output.run else { return }
    guard state.withLock({ $0.isOpen }) else { return leaveOut(nil, recorder) }
    let wanted = StoryConnections(of: scope, among: candidates, isAlone: isAlone)
    var head = PassHead(
      test: scope.id, serial: scope.serial, stepsBefore: scope.stepsBefore,
      // Its decimals beyond microseconds would take longer to write than all else.
      began: ((currentTime() - scope.age) * 1e6).rounded() / 1e6,
      withoutChanges: exhibit_trace_lacks_changes().map { String(cString: $0) })
    (head.ownConnections, head.sharedConnections) = (wanted.own, wanted.shared)
    head.databases = opened.map { RecordedStory.Database(connection: $0.connection, path: $0.path) }
    for connection in candidates where !connection.isOpened(by: scope.serial) {
      head.databases.append(RecordedStory.Database(connection: connection.number, path: connection.path))
    }
    let obstacle = head.withLine { line in
      slice(of: scope, wanted, before: PassesFile.headerSize + line.count) { entry in
        PassesFile.seal(entry, line: line)
        return append(UnsafeRawBufferPointer(entry), in: run)
      }
    }
    if let obstacle { leaveOut(obstacle, recorder) }
  }

  /// Lends the part of the ring with a test's steps to `body`, and frees it.
  ///
  /// - Parameter before: Bytes that are free before it.
  /// - Returns: What `body` returns, or why there is no such part; `nil` for a test without steps.
  private func slice(
    of scope: TestScope, _ connections: StoryConnections, before: Int,
    _ body: (UnsafeMutableRawBufferPointer) -> PassesLeftOut?
  ) -> PassesLeftOut? {
    let numbers = (connections.own + connections.shared).map { UInt32(truncatingIfNeeded: $0) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let outcome = numbers.withUnsafeBufferPointer { numbers in
      var wish = exhibit_slice_wish(
        start: connections.start, test: UInt32(truncatingIfNeeded: scope.serial),
        connections: numbers.baseAddress, connection_count: numbers.count, before: before)
      return exhibit_trace_slice(&wish, &bytes, &count)
    }
    defer { free(bytes) }
    switch outcome {
    case exhibit_slice_made: return body(UnsafeMutableRawBufferPointer(start: bytes, count: count))
    case exhibit_slice_damaged:
      return PassesLeftOut(
        tests: 1, reason: .io, message: "Somebody else has written into the trace of this process.")
    case exhibit_slice_no_memory:
      return PassesLeftOut(tests: 1, reason: .io, message: "The process has no memory for them.")
    default: return nil
    }
  }

  /// - Returns: Why it was not written; `nil` when it was.
  private func append(_ entry: UnsafeRawBufferPointer, in run: RunFolder) -> PassesLeftOut? {
    state.withLock { state in
      if let obstacle = reserve(entry.count, in: run, &state) {
        state.isOpen = false
        return obstacle
      }
      do throws(SystemError) {
        if state.file == nil { state.file = try makeFile(in: run) }
        state.run = run
        try state.file?.append(entry)
        state.reserved -= entry.count
        return nil
      } catch {
        state.isOpen = false
        return PassesLeftOut(
          tests: 1, reason: error.code == ENOSPC ? .tooLittleFree : .io, message: error.description)
      }
    }
  }

  private func reserve(_ bytes: Int, in run: RunFolder, _ state: inout State) -> PassesLeftOut? {
    let needed = bytes - state.reserved
    guard needed > 0 else { return nil }
    if let objection = budget.diskObjection(to: bytes, in: run) {
      return PassesLeftOut(tests: 1, reason: .tooLittleFree, message: objection)
    }
    let tally = EvidenceTally(passesOf: run)
    for portion in [max(needed, Self.portion), needed]
    where tally.reserve(portion, within: budget.passes).isReserved {
      state.reserved += portion
      return nil
    }
    return PassesLeftOut(
      tests: 1, reason: .overBudget,
      message: "The run's passes would exceed \(budget.passes) bytes ($EXHIBIT_PASSES_BUDGET).")
  }

  private func makeFile(in run: RunFolder) throws(SystemError) -> AppendedFile {
    try FileSystem.createFolder(run.passesFolder)
    try FileSystem.checkIsOwnFolder(run.passesFolder)
    let process = ProcessIdentity.current ?? ProcessIdentity(pid: getpid(), startTicks: 0)
    return try AppendedFile(at: run.passesFolder + "/" + PassesFile.fileName(process), flags: O_CREAT)
  }

  /// Counts a test, and logs the first one.
  ///
  /// - Parameter obstacle: `nil` for that of an earlier test.
  private func leaveOut(_ obstacle: PassesLeftOut?, _ recorder: Recorder) {
    let first = state.withLock { state -> PassesLeftOut? in
      guard state.leftOut == nil else {
        state.leftOut?.tests += 1
        return nil
      }
      state.leftOut = obstacle
      return obstacle
    }
    if let first { recorder.output.logIfOpen(first, test: nil) }
  }

  /// Begins again in a run's folder that was removed.
  func beginAgain() {
    state.withLock { state in
      (state.file, state.run, state.reserved) = (nil, nil, 0)
    }
  }

  /// Logs how many tests were left out, and gives back what was reserved, when the process ends.
  func finish(_ output: RecorderOutput) {
    let (leftOut, run, rest) = state.withLock { state in
      defer { state.reserved = 0 }
      return (state.leftOut, state.run, state.reserved)
    }
    if let run { EvidenceTally(passesOf: run).add(-rest) }
    if let leftOut, leftOut.tests > 1 { output.logIfOpen(leftOut, test: nil) }
  }
}
