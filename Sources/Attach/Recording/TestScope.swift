import Collector
import ExhibitStart
import ExhibitSystem

final class TestScope: Sendable {
  let id: TestCaseID
  let start: TestStart
  /// Its number in this process, from 1.
  let serial: Int
  private let started: ContinuousClock.Instant
  let stepsBefore: UInt64
  /// Where its steps begin in the ring.
  let tracePosition: UInt64
  let state: Locked<State>

  struct State: Sendable {
    var registered: [Evidence] = []
    var exclusions = Exclusions()
    /// They may close before it fails.
    var opened: [DatabaseOpening] = []
    var used: [AppConnection] = []
    var hasFailed = false
    /// Later failures add nothing.
    var hasCaptured = false
    /// What closes now is no longer needed.
    var isCaptureOver = false
    var evidenceFolder: TestEvidenceFolder?
    var provisional: [String] = []
    var hasFinished = false
    /// By the paths of their copies.
    var fixtures: [String: String] = [:]
    var baselines: [BaselineState] = []
    var issues = 0
    var story: WrittenStory?
    var endings: [@Sendable () -> Void] = []
    var isCancelled = false
    /// Seconds, when known before the function's end.
    var duration: Double?
  }

  init(id: TestCaseID, start: TestStart, serial: Int) {
    self.id = id
    var start = start
    start.number = serial
    self.start = start
    self.serial = serial
    started = .now
    stepsBefore = exhibit_trace_last_step()
    tracePosition = exhibit_trace_position()
    state = Locked(State())
  }

  var owner: Ownership.Test { Ownership.Test(number: serial, id: id, start: serial) }

  var opener: Ownership.Opener { .test(serial, id) }

  /// Seconds since its start, to the microsecond.
  var age: Double {
    // Dividing `attoseconds`, of 128 bits, takes longer than writing the record.
    let age = started.duration(to: .now).components
    return Double(age.seconds) + Double(age.attoseconds / 1_000_000_000_000) / 1e6
  }

  /// - Returns: False when the test is over already.
  func atEnd(_ ending: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.hasFinished { state.endings.append(ending) }
      return !state.hasFinished
    }
  }

  @TaskLocal static var task: TestScope?

  func run(_ body: @Sendable () async throws -> Void) async throws {
    try await Self.$task.withValue(self) {
      exhibit_owners_changed()
      defer { exhibit_owners_changed() }
      try await body()
    }
  }

  func run(_ body: () -> Void) {
    Self.$task.withValue(self) {
      exhibit_owners_changed()
      defer { exhibit_owners_changed() }
      body()
    }
  }

  /// The task's in Swift Testing, the process's in XCTest.
  static var running: TestScope? {
    task ?? Recorder.process.flatMap { $0.functions.here(for: $0) } ?? xctest
  }

  static var xctest: TestScope? { currentXCTest.withLock { $0 } }

  @discardableResult
  static func setXCTest(_ scope: TestScope?) -> TestScope? {
    defer { exhibit_owners_changed() }
    return currentXCTest.exchange(scope)
  }

  private static let currentXCTest = Locked<TestScope?>(nil)
}
