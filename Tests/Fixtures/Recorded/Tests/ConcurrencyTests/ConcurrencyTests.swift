import Attach
import GRDB
import Testing

/// Tests that run at once in one process: each must find its own rows in its evidence, and nobody else's.
@Suite(.attachOnFailure) struct ConcurrencyTests {
  @Test(arguments: 0..<40) func ownRowsOnly(number: Int) async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE owner(number INTEGER)")
      try db.execute(sql: "INSERT INTO owner VALUES (?)", arguments: [number])
    }
    await Task.yield()
    #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT number FROM owner") } == -1)
  }
}

/// A store that a trait around the suite opens, before any scope of ours.
struct StoreTrait: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var queue: DatabaseQueue?
  var isRecursive: Bool { false }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let queue = try DatabaseQueue()
    try await queue.write {
      try $0.execute(sql: "CREATE TABLE seed(name TEXT); INSERT INTO seed VALUES ('outer')")
    }
    try await Self.$queue.withValue(queue) { try await function() }
  }
}

/// The same, opened for each test case.
struct CaseStoreTrait: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var queue: DatabaseQueue?
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let queue = try DatabaseQueue()
    try await queue.write {
      try $0.execute(sql: "CREATE TABLE seed(name TEXT); INSERT INTO seed VALUES ('each')")
    }
    try await Self.$queue.withValue(queue) { try await function() }
  }
}

@Suite(StoreTrait()) struct OuterStoreTests {
  @Suite(.attachOnFailure) struct Inner {
    @Test func usesTheOuterStore() throws {
      let queue = try #require(StoreTrait.queue)
      #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM seed") } == 2)
    }

    @Test func passes() throws {}
  }
}

@Suite(CaseStoreTrait(), .attachOnFailure) struct CaseStoreTests {
  @Test func neverTouchesItsStore() {
    Issue.record("the store was opened for this test")
  }

  @Test(arguments: ["a", "b"]) func neverTouchesItsStore(word: String) {
    #expect(word == "a")
  }
}

@Suite(.attachOnFailure) struct TimeLimitTests {
  @Test(.timeLimit(.minutes(1))) func runsOutOfTime() async throws {
    let queue = try DatabaseQueue()
    try await queue.write {
      try $0.execute(sql: "CREATE TABLE slow(name TEXT); INSERT INTO slow VALUES ('slow')")
    }
    try await Task.sleep(for: .seconds(120))
    _ = queue
  }
}
