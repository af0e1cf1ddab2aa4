import FixtureSQLite
import Foundation
import XCTest

struct Refused: Error {}

final class VerdictXCTests: XCTestCase {
  private var database: OpaquePointer?

  override func setUp() {
    XCTAssertEqual(sqlite3_open(":memory:", &database), SQLITE_OK)
    XCTAssertEqual(
      sqlite3_exec(database, "CREATE TABLE t(a); INSERT INTO t VALUES (1)", nil, nil, nil), SQLITE_OK)
  }

  override func tearDown() {
    XCTAssertEqual(sqlite3_close(database), SQLITE_OK)
  }

  func testPasses() {}
  func testFails() { XCTAssertEqual(1, 2) }
  func testFailsTwice() { XCTAssertEqual(1, 2); XCTFail("again") }
  func testThrows() throws { throw Refused() }
  func testSkips() throws { throw XCTSkip("not today") }
  func testSkipsAfterAFailure() throws { XCTFail("first"); throw XCTSkip("then") }
  func testAsync() async { await Task.yield(); XCTFail("async") }
  func testExpectation() { wait(for: [expectation(description: "never")], timeout: 0.01) }

  func testFailsOnAnotherThread() {
    let done = expectation(description: "done")
    Thread.detachNewThread {
      XCTFail("on another thread")
      done.fulfill()
    }
    wait(for: [done], timeout: 5)
  }

  func testManyThreadsFailAtOnce() {
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      var connection: OpaquePointer?
      XCTAssertEqual(
        sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil), SQLITE_OK)
      XCTAssertEqual(
        sqlite3_exec(connection, "CREATE TABLE t(a); INSERT INTO t VALUES (\(number))", nil, nil, nil),
        SQLITE_OK)
      XCTAssertLessThan(number, 8)
      XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
    }
  }
}

final class ThrowingSetUpTests: XCTestCase {
  override func setUpWithError() throws { throw Refused() }
  func testNeverRuns() { XCTFail("ran") }
}
