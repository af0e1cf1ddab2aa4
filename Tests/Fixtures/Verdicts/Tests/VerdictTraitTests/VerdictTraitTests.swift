import FixtureSQLite
import Foundation
import Testing

#if ATTACH
  import Attach

  @Suite(.attachOnFailure) struct VerdictTraitTests {}
  @Suite(.attachOnFailure, .serialized) struct SerialVerdictTests {}
#else
  @Suite struct VerdictTraitTests {}
  @Suite(.serialized) struct SerialVerdictTests {}
#endif

struct Refused: Error {}

/// A database that is open as long as its test.
final class Memory {
  let connection: OpaquePointer?

  init(_ rows: Int) {
    var opened: OpaquePointer?
    sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    connection = opened
    sqlite3_exec(connection, "CREATE TABLE t(a)", nil, nil, nil)
    for row in 0..<rows { sqlite3_exec(connection, "INSERT INTO t VALUES (\(row))", nil, nil, nil) }
  }

  deinit { sqlite3_close(connection) }
}

extension VerdictTraitTests {
  @Test func passes() { _ = Memory(1) }
  @Test func expectation() { withExtendedLifetime(Memory(1)) { #expect(1 == 2) } }
  @Test func twice() { #expect(1 == 2); #expect(3 == 4) }
  @Test func requirement() throws { _ = try #require(Int("x")) }
  @Test func thrown() throws { throw Refused() }
  @Test func expectationThenThrown() throws { #expect(1 == 2); throw Refused() }
  @Test func recorded() { Issue.record("by hand") }
  @Test func confirmed() async { await confirmation { _ in } }
  @Test func exits() async { await #expect(processExitsWith: .success) { exit(3) } }
  @Test func exitsWell() async { await #expect(processExitsWith: .exitCode(3)) { exit(3) } }
  @Test func known() { withKnownIssue { #expect(1 == 2) } }
  @Test func knownButAbsent() { withKnownIssue {} }
  @Test func intermittent() { withKnownIssue(isIntermittent: true) {} }
  @Test func warned() { Issue.record("a warning", severity: .warning) }
  @Test func cancelled() throws { try Test.cancel("not today") }
  @Test(.disabled("switched off")) func disabled() {}
  @Test(.timeLimit(.minutes(1))) func inTime() {}
  @Test(arguments: 0..<30) func parameterised(number: Int) async {
    let memory = Memory(number)
    await Task.yield()
    #expect(number % 3 != 0)
    _ = memory
  }
}

/// What all tests use at once, beside databases of their own.
private let sharedMemory = SharedMemory()

/// A database in memory with a connection that any thread may use.
private final class SharedMemory: @unchecked Sendable {
  // SQLite guards it by its own mutex.
  let connection: OpaquePointer?

  init() {
    var opened: OpaquePointer?
    sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
    connection = opened
    sqlite3_exec(connection, "CREATE TABLE t(a INTEGER, b TEXT)", nil, nil, nil)
    sqlite3_exec(connection, "CREATE TABLE log(a INTEGER)", nil, nil, nil)
    sqlite3_exec(
      connection, "CREATE TRIGGER logged AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END", nil,
      nil, nil)
  }
}

extension VerdictTraitTests {
  /// Writes to a database of its own and to the shared one, from its task and from threads, while others do and fail.
  @Test(arguments: 0..<24) func besideOthers(number: Int) async {
    let own = Memory(number)
    await withTaskGroup { group in
      for part in 0..<3 {
        group.addTask {
          for row in 0..<40 {
            let sql = "INSERT INTO t VALUES (\(number), 'row \(part * 100 + row)')"
            #expect(sqlite3_exec(sharedMemory.connection, sql, nil, nil, nil) == SQLITE_OK)
          }
        }
      }
      sqlite3_exec(
        own.connection, "UPDATE t SET a = a + 1; SELECT * FROM t; SELECT * FROM nowhere", nil, nil, nil)
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        sqlite3_exec(sharedMemory.connection, "UPDATE t SET b = a WHERE a = \(number)", nil, nil, nil)
        continuation.resume()
      }
    }
    #expect(number % 4 != 0)
    sqlite3_exec(sharedMemory.connection, "DELETE FROM t WHERE a = \(number)", nil, nil, nil)
    withExtendedLifetime(own) {}
  }
}

/// One at a time, so that nothing else is running when an issue comes from outside its test.
extension SerialVerdictTests {
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
