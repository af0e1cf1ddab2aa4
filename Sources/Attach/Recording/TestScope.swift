import Collector
import ExhibitStart
import ExhibitSystem

/// One test case while it runs: who it is and what was said about it so far.
final class TestScope: Sendable {
  let id: TestCaseID
  let start: TestStart
  /// Unique in this process, from 1.
  let serial: Int
  private let started: ContinuousClock.Instant
  /// The number of the last step of this process before the test.
  let stepsBefore: UInt64
  /// The position of the ring from which on the test's steps stand.
  let tracePosition: UInt64
  let state: Locked<State>

  struct State: Sendable {
    /// What to capture at the first failure.
    var registered: [Evidence] = []
    var exclusions = Exclusions()
    /// The databases it opened, for those that are closed when it fails.
    var opened: [DatabaseOpening] = []
    var hasFailed = false
    /// The first failure's capture has begun; later failures add nothing.
    var hasCaptured = false
    /// That capture is over: what is closed from now on is not needed any more.
    var isCaptureOver = false
    /// Where the evidence of this test lies, once there is some.
    var evidenceFolder: TestEvidenceFolder?
    /// Paths of files that go when the test passes.
    var provisional: [String] = []
    var hasFinished = false
    /// Migration fixtures by the paths of the copies that it works on.
    var fixtures: [String: String] = [:]
    /// The states it started from, newest last.
    var baselines: [BaselineState] = []
    /// How many issues it has recorded.
    var issues = 0
    /// What is written of what it did, once it has failed.
    var story: WrittenStory?
    /// What is done when it is over and its evidence is captured.
    var endings: [@Sendable () -> Void] = []
    /// Set when it is known to have been cancelled.
    var isCancelled = false
    /// Seconds that it took, where its end is known before its function's.
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

  /// The test as the rule of whose a connection is knows it.
  var owner: Ownership.Test { Ownership.Test(number: serial, id: id, start: serial) }

  /// The test as one that opens connections.
  var opener: Ownership.Opener { .test(serial, id) }

  /// Seconds since the test case began, to the microsecond.
  var age: Double {
    // Not `attoseconds` of it all: dividing 128 bits takes longer than writing the record.
    let age = started.duration(to: .now).components
    return Double(age.seconds) + Double(age.attoseconds / 1_000_000_000_000) / 1e6
  }

  /// Has something done when the test is over.
  ///
  /// - Returns: `false` when it is over already.
  func atEnd(_ ending: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.hasFinished { state.endings.append(ending) }
      return !state.hasFinished
    }
  }

  @TaskLocal static var task: TestScope?

  /// Runs a body as this test's.
  ///
  /// - Throws: What `body` throws, and nothing else.
  func run(_ body: @Sendable () async throws -> Void) async throws {
    try await Self.$task.withValue(self) {
      exhibit_owners_changed()
      defer { exhibit_owners_changed() }
      try await body()
    }
  }

  /// Runs a body as this test's.
  func run(_ body: () -> Void) {
    Self.$task.withValue(self) {
      exhibit_owners_changed()
      defer { exhibit_owners_changed() }
      body()
    }
  }

  /// The test case that runs here: of this task in Swift Testing, of the process in XCTest.
  static var running: TestScope? {
    task ?? Recorder.process.flatMap { $0.functions.here(for: $0) } ?? xctest
  }

  /// That of XCTest, which runs one test case at a time in a process.
  static var xctest: TestScope? { currentXCTest.withLock { $0 } }

  /// Sets that of XCTest.
  ///
  /// - Returns: The former one.
  @discardableResult
  static func setXCTest(_ scope: TestScope?) -> TestScope? {
    defer { exhibit_owners_changed() }
    return currentXCTest.withLock { current in
      defer { current = scope }
      return current
    }
  }

  private static let currentXCTest = Locked<TestScope?>(nil)
}
