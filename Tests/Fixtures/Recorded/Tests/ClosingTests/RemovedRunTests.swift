import Attach
import Foundation
import GRDBSQLite
import XCTest

/// The artifacts folder goes while the tests run, by their names in this order.
final class RemovedRunXCTests: XCTestCase {
  private func makeDatabase(_ number: Int) throws -> OpaquePointer {
    let path = NSTemporaryDirectory() + "removed-run-\(UUID().uuidString).db"
    addTeardownBlock { unlink(path) }
    var opened: OpaquePointer?
    XCTAssertEqual(sqlite3_open(path, &opened), SQLITE_OK)
    let pointer = try XCTUnwrap(opened)
    let sql = "CREATE TABLE t(a); INSERT INTO t VALUES (\(number))"
    XCTAssertEqual(sqlite3_exec(pointer, sql, nil, nil, nil), SQLITE_OK)
    return pointer
  }

  private func fail(_ number: Int) throws {
    let database = try makeDatabase(number)
    XCTFail("number \(number)")
    sqlite3_close(database)
  }

  private func removeRuns() throws {
    let artifacts = try XCTUnwrap(ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"])
    if ProcessInfo.processInfo.environment["MOVE_RUNS"] != nil {
      try FileManager.default.moveItem(atPath: artifacts + "/runs", toPath: artifacts + "/moved")
    } else {
      try FileManager.default.removeItem(atPath: artifacts + "/runs")
    }
  }

  func test1FailsBefore() throws { try fail(1) }

  func test2FailsAndThenTheFolderGoes() throws {
    try fail(2)
    try removeRuns()
  }

  func test3FailsAfterwards() throws { try fail(3) }

  func test4ItGoesBeforeTheFailure() throws {
    let database = try makeDatabase(4)
    try removeRuns()
    XCTFail("number 4")
    sqlite3_close(database)
  }

  func test5PassesAfterwards() {}

  func test6ItGoesAndTheTestDies() throws {
    let database = try makeDatabase(6)
    try removeRuns()
    attach(.text("something", named: "note.txt"))
    XCTAssertNotNil(database)
    _exit(0)
  }
}
