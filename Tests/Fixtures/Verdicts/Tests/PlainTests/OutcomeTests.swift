import Foundation
import Testing

/// Tests that end in every way there is; each has the database of its suite, and none a trait of Exhibit.
@Suite struct OutcomeTests {
  private let notes = Notes("initial")

  @Test func passes() {
    notes.add("passes")
    print("on standard output")
  }

  @Test func expectation() {
    notes.add("expectation")
    #expect(1 == 2)
    notes.add("after it")
  }

  @Test func twice() {
    notes.add("first")
    #expect(1 == 2)
    notes.add("second")
    #expect(3 == 4)
  }

  @Test func requirement() throws {
    notes.add("requirement")
    _ = try #require(Int("no number"))
  }

  @Test func thrown() throws {
    notes.add("thrown")
    throw Refused()
  }

  @Test func thrownByAFunctionWithItsOwnDatabase() throws {
    let own = Notes("own")
    defer { own.stayOpen() }
    throw Refused()
  }

  @Test func expectationThenThrown() throws {
    notes.add("expectation")
    #expect(1 == 2)
    throw Refused()
  }

  @Test func closedBefore() {
    do { Notes("closed").stayOpen() }
    Issue.record("after closing")
  }

  @Test func recorded() {
    notes.add("recorded")
    Issue.record("by hand")
  }

  @Test func recordedError() {
    notes.add("error")
    Issue.record(Refused(), "an error by hand")
  }

  @Test func confirmed() async {
    notes.add("confirmed")
    await confirmation("never happens") { _ in }
  }

  @Test func confirms() async {
    await confirmation { confirm in confirm() }
  }

  @Test func exits() async {
    notes.add("exits")
    await #expect(processExitsWith: .success) {
      Notes("of the child").stayOpen()
      exit(3)
    }
  }

  @Test func exitsWell() async {
    await #expect(processExitsWith: .exitCode(3)) {
      Notes("of the child").stayOpen()
      exit(3)
    }
  }

  /// Its child's issue is the parent's to tell.
  @Test func exitsWithAnIssue() async {
    notes.add("exits with an issue")
    await #expect(processExitsWith: .exitCode(3)) {
      Notes("of the child").stayOpen()
      Issue.record("in the child")
      exit(3)
    }
  }

  @Test func known() {
    notes.add("known")
    withKnownIssue("a known bug") { #expect(1 == 2) }
  }

  @Test func knownAndUnknown() {
    withKnownIssue("a known bug") { #expect(1 == 2) }
    notes.add("unknown")
    #expect(3 == 4)
  }

  @Test func knownButAbsent() {
    notes.add("absent")
    withKnownIssue {}
  }

  @Test func intermittent() { withKnownIssue(isIntermittent: true) {} }
  @Test func warned() { Issue.record("only a warning", severity: .warning) }
  @Test func cancelled() throws { try Test.cancel("not today") }
  @Test(.timeLimit(.minutes(1))) func inTime() {}
  @Test(.timeLimit(.minutes(1))) func cancelledWithTimeLimit() throws { try Test.cancel("not today") }

  @Test func failedThenCancelled() throws {
    notes.add("failed")
    #expect(1 == 2)
    try Test.cancel("not today")
  }

  @Test(.disabled("switched off")) func disabled() {}
  @Test(.enabled(if: false)) func notEnabled() {}

  @Suite(.disabled("the whole suite")) struct DisabledTests {
    @Test func never() { Issue.record("ran") }
  }

  @Suite struct NestedTests {
    @Suite struct DeeperTests {
      @Test func fails() {
        let notes = Notes("deep")
        defer { notes.stayOpen() }
        #expect(1 == 2)
      }

      @Test func `raw name / with: marks`() {
        let notes = Notes("raw")
        defer { notes.stayOpen() }
        #expect(1 == 2)
      }
    }
  }

  /// The shortest limit there is has a minute; so it runs on request.
  @Test(
    .timeLimit(.minutes(1)), .enabled(if: ProcessInfo.processInfo.environment["TIME_LIMIT"] == "1"))
  func runsOutOfTime() async throws {
    notes.add("slow")
    try await Task.sleep(for: .seconds(120))
  }
}

/// Its teardown leaves nothing to be found.
@Suite final class TeardownTests {
  private let notes = Notes("initial")
  deinit { notes.run("DELETE FROM note") }

  @Test func expectation() { #expect(1 == 2) }
  @Test func requirement() throws { _ = try #require(Int("no number")) }
}

@Test func free() {
  let notes = Notes("free")
  defer { notes.stayOpen() }
  #expect(1 == 2)
}

@Test("A name to read") func displayed() {
  let notes = Notes("displayed")
  defer { notes.stayOpen() }
  #expect(1 == 2)
}

/// What a suite's own initialiser throws.
@Suite struct ThrowingSuiteTests {
  init() throws {
    let notes = Notes("in init")
    defer { notes.stayOpen() }
    throw Refused()
  }

  @Test func neverRuns() { Issue.record("ran") }
}

/// One at a time, so that nothing else is running when an issue comes from outside its test.
@Suite(.serialized) struct OutsideTests {
  @Test func detached() async { await Task.detached { _ = Issue.record("from a detached task") }.value }

  @Test func fromAQueue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        Issue.record("from a queue")
        continuation.resume()
      }
    }
  }
}
