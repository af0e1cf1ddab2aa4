import Collector
import ExhibitStart
import ExhibitSystem

/// One test case while it runs, with what is known of it so far.
final class TestScope: Sendable {
  let id: TestCaseID
  let start: TestStart
  /// Unique in this process, from 1.
  let serial: Int
  private let started: ContinuousClock.Instant
  /// The number of the last step of this process before the test.
  let stepsBefore: UInt64
  /// The position of the ring where the test's steps begin.
  let tracePosition: UInt64
  let state: Locked<State>

  struct State: Sendable {
    /// The evidence to capture at the first failure.
    var registered: [Evidence] = []
    var exclusions = Exclusions()
    /// The databases it opened, needed when they are closed before it fails.
    var opened: [DatabaseOpening] = []
    /// The connections that it used and had not opened; known only where passes are recorded.
    var used: [AppConnection] = []
    var hasFailed = false
    /// The first failure's capture has begun; later failures add nothing.
    var hasCaptured = false
    /// That capture is over; what closes from now on is no longer needed.
    var isCaptureOver = false
    /// The folder of this test's evidence; `nil` until there is some.
    var evidenceFolder: TestEvidenceFolder?
    /// Paths of files to remove when the test passes.
    var provisional: [String] = []
    var hasFinished = false
    /// Migration fixtures by the paths of their copies.
    var fixtures: [String: String] = [:]
    /// The baselines, newest last.
    var baselines: [BaselineState] = []
    /// The number of issues it has recorded.
    var issues = 0
    /// The written part of its story, once it has failed.
    var story: WrittenStory?
    /// Actions for the time when it is over and its evidence is captured.
    var endings: [@Sendable () -> Void] = []
    /// True when it is known to have been cancelled.
    var isCancelled = false
    /// Its duration in seconds, where its end is known before its function's.
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

  /// The test as a possible owner of connections.
  var owner: Ownership.Test { Ownership.Test(number: serial, id: id, start: serial) }

  /// The test as an opener of connections.
  var opener: Ownership.Opener { .test(serial, id) }

  /// Seconds since the test case began, to the microsecond.
  var age: Double {
    // Dividing all `attoseconds`, a number of 128 bits, takes longer than writing the record.
    let age = started.duration(to: .now).components
    return Double(age.seconds) + Double(age.attoseconds / 1_000_000_000_000) / 1e6
  }

  /// Adds an action for the end of the test.
  ///
  /// - Returns: False when the test is over already.
  func atEnd(_ ending: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.hasFinished { state.endings.append(ending) }
      return !state.hasFinished
    }
  }

  @TaskLocal static var task: TestScope?

  /// Runs a body in this test's scope.
  ///
  /// - Throws: The errors of `body`, and nothing else.
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

  /// The test case that runs here: of this task in Swift Testing, of the process in XCTest.
  static var running: TestScope? {
    task ?? Recorder.process.flatMap { $0.functions.here(for: $0) } ?? xctest
  }

  /// The running XCTest; XCTest runs one test case at a time in a process.
  static var xctest: TestScope? { currentXCTest.withLock { $0 } }

  /// Sets the running XCTest.
  ///
  /// - Returns: The former one.
  @discardableResult
  static func setXCTest(_ scope: TestScope?) -> TestScope? {
    defer { exhibit_owners_changed() }
    return currentXCTest.exchange(scope)
  }

  private static let currentXCTest = Locked<TestScope?>(nil)
}
