import Collector
import ExhibitStart
import ExhibitSystem
import Glibc

/// The file with the steps of this process's passed tests: `EXHIBIT_RECORD_PASSES`.
///
/// They are written in portions, so a crash loses the latest. After an error no more are written.
final class PassRecording: Sendable {
  private let budget: Budget
  private let state = Locked(State())

  private struct State: @unchecked Sendable {
    var file: AppendedFile?
    var waiting = exhibit_slices()
    var sizes: [Int] = []
    var isOpen = true
    var leftOut: PassesLeftOut?
    var told = 0
  }

  private static let portion = 256 << 10
  private static let fewest = 1 << 10

  init(budget: Budget) {
    self.budget = budget
    exhibit_trace_keep_tests()
  }

  func record(_ scope: TestScope, of recorder: Recorder) {
    let (opened, used) = scope.state.withLock { state in
      defer { state.used = [] }
      return (state.opened, state.used)
    }
    let isAlone = recorder.tests.isAlone(scope)
    let connections = isAlone ? recorder.connections.all : recorder.connections.ofSuites
    var candidates = used
    for connection in connections where !used.contains(where: { $0 === connection }) {
      candidates.append(connection)
    }
    guard !candidates.isEmpty || !opened.isEmpty, recorder.output.run != nil else { return }
    guard state.withLock({ $0.isOpen }) else {
      state.withLock { $0.leftOut?.tests += 1 }
      return
    }
    let wanted = StoryConnections(of: scope, among: candidates, isAlone: isAlone)
    var head = PassHead(
      test: scope.id, serial: scope.serial, stepsBefore: scope.stepsBefore,
      // More decimals would take longer to write than all else.
      began: ((currentTime() - scope.age) * 1e6).rounded() / 1e6,
      withoutChanges: exhibit_trace_lacks_changes().map { String(cString: $0) })
    (head.ownConnections, head.sharedConnections) = (wanted.own, wanted.shared)
    head.databases = opened.map { RecordedStory.Database(connection: $0.connection, path: $0.path) }
    for connection in candidates where !connection.isOpened(by: scope.serial) {
      head.databases.append(RecordedStory.Database(connection: connection.number, path: connection.path))
    }
    let (obstacle, isFull) = head.withLine { line in
      state.withLock { state in
        let obstacle = Self.add(wanted, of: scope, line: line, to: &state)
        return (obstacle, state.waiting.count >= Self.portion)
      }
    }
    if let obstacle { leaveOut(obstacle, recorder.output) }
    if isFull { write(recorder.output) }
  }

  private static func add(
    _ connections: StoryConnections, of scope: TestScope, line: UnsafeBufferPointer<UInt8>,
    to state: inout State
  ) -> PassesLeftOut? {
    let place = state.waiting.count
    let numbers = (connections.own + connections.shared).map { UInt32(truncatingIfNeeded: $0) }
    let outcome = numbers.withUnsafeBufferPointer { numbers in
      var wish = exhibit_slice_wish(
        start: connections.start, test: UInt32(truncatingIfNeeded: scope.serial),
        connections: numbers.baseAddress, connection_count: numbers.count,
        before: PassesFile.headerSize + line.count)
      return exhibit_trace_slice(&wish, &state.waiting)
    }
    switch outcome {
    case exhibit_slice_made:
      let size = state.waiting.count - place
      PassesFile.seal(
        UnsafeMutableRawBufferPointer(start: state.waiting.bytes + place, count: size), line: line)
      state.sizes.append(size)
      return nil
    case exhibit_slice_damaged:
      return PassesLeftOut(
        tests: 1, reason: .io, message: "Somebody else has written into the trace of this process.")
    case exhibit_slice_no_memory:
      return PassesLeftOut(tests: 1, reason: .io, message: "The process has no memory for them.")
    default: return nil
    }
  }

  // MARK: - Writing

  func write(_ output: RecorderOutput) {
    guard let run = output.runInPlace else { return }
    let obstacle = state.withLock { state in
      defer { Self.forgetWaiting(&state) }
      return state.sizes.isEmpty ? nil : write(state.sizes, &state, in: run)
    }
    if let obstacle { leaveOut(obstacle, output) }
  }

  private func write(_ sizes: [Int], _ state: inout State, in run: RunFolder) -> PassesLeftOut? {
    guard state.isOpen else {
      state.leftOut?.tests += sizes.count
      return nil
    }
    state.isOpen = false
    if let objection = budget.diskObjection(to: state.waiting.count, in: run) {
      return PassesLeftOut(tests: sizes.count, reason: .tooLittleFree, message: objection)
    }
    let tally = EvidenceTally(passesOf: run)
    let (haveRoom, room) = tally.reserve(sizes, within: budget.passes)
    let size = Self.keepOnly(haveRoom, sizes, in: state.waiting)
    do throws(SystemError) {
      if size > 0 {
        if state.file == nil { state.file = try makeFile(in: run) }
        try state.file?.append(UnsafeRawBufferPointer(start: state.waiting.bytes, count: size))
      }
    } catch {
      tally.add(-size)
      return PassesLeftOut(
        tests: sizes.count, reason: error.code == ENOSPC ? .tooLittleFree : .io, message: error.description)
    }
    let leftOut = haveRoom.count { !$0 }
    state.isOpen = leftOut == 0 || room >= Self.fewest
    guard leftOut > 0 else { return nil }
    return PassesLeftOut(
      tests: leftOut, reason: .overBudget,
      message: "The run's passes would exceed \(budget.passes) bytes ($EXHIBIT_PASSES_BUDGET).")
  }

  private static func keepOnly(_ haveRoom: [Bool], _ sizes: [Int], in waiting: exhibit_slices) -> Int {
    var (from, to) = (0, 0)
    for (size, hasRoom) in zip(sizes, haveRoom) {
      if hasRoom {
        if from != to { memmove(waiting.bytes + to, waiting.bytes + from, size) }
        to += size
      }
      from += size
    }
    return to
  }

  private func makeFile(in run: RunFolder) throws(SystemError) -> AppendedFile {
    try FileSystem.createFolder(run.passesFolder)
    try FileSystem.checkIsOwnFolder(run.passesFolder)
    let process = ProcessIdentity.current ?? ProcessIdentity(pid: getpid(), startTicks: 0)
    return try AppendedFile(at: run.passesFolder + "/" + PassesFile.fileName(process), flags: O_CREAT)
  }

  private static func forgetWaiting(_ state: inout State) {
    state.sizes.removeAll(keepingCapacity: true)
    state.waiting.count = 0
    guard state.waiting.capacity > 4 * portion else { return }
    free(state.waiting.bytes)
    state.waiting = exhibit_slices()
  }

  private func leaveOut(_ obstacle: PassesLeftOut, _ output: RecorderOutput) {
    let first = state.withLock { state -> PassesLeftOut? in
      guard state.leftOut == nil else {
        state.leftOut?.tests += obstacle.tests
        return nil
      }
      (state.leftOut, state.told) = (obstacle, obstacle.tests)
      return obstacle
    }
    if let first { output.logIfOpen(first, test: nil) }
  }

  /// Starts anew after the run's folder was removed.
  func beginAgain() {
    state.withLock { state in
      state.file = nil
      Self.forgetWaiting(&state)
    }
  }

  func finish(_ output: RecorderOutput) {
    write(output)
    let leftOut = state.withLock { $0.leftOut?.tests == $0.told ? nil : $0.leftOut }
    if let leftOut { output.logIfOpen(leftOut, test: nil) }
  }
}
