import Attach
import Foundation
import GRDBSQLite
import Glibc
import XCTest

/// Statements and values of sizes that nobody expects: what they take without the trace, they take about with it.
final class LongValueTests: XCTestCase {
  private func connection() throws -> OpaquePointer {
    var db: OpaquePointer?
    XCTAssertEqual(sqlite3_open(":memory:", &db), SQLITE_OK)
    return try XCTUnwrap(db)
  }

  private func prepare(_ sql: String, on db: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    XCTAssertEqual(sqlite3_prepare_v2(db, sql, -1, &statement, nil), SQLITE_OK)
    return try XCTUnwrap(statement)
  }

  /// Seconds of this thread's CPU time.
  private func time(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let before = now()
    body()
    return now() - before
  }

  /// Without the trace the blob is not looked at; writing it out takes 12 ns a byte.
  func testALongValueIsNotWrittenOut() throws {
    let db = try connection()
    defer { sqlite3_close(db) }
    let size = 64 << 20
    let bytes = [UInt8](repeating: 7, count: size)
    try bytes.withUnsafeBytes { bytes in
      let statement = try prepare("SELECT length(?), ?2", on: db)
      defer { sqlite3_finalize(statement) }
      XCTAssertEqual(sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(size), nil), SQLITE_OK)
      var code = SQLITE_OK
      let taken = time { code = sqlite3_step(statement) }
      XCTAssertEqual(code, SQLITE_ROW)
      XCTAssertEqual(sqlite3_column_int64(statement, 0), Int64(size))
      XCTAssertLessThan(taken, 0.1)
      // What is short again is told again.
      sqlite3_reset(statement)
      sqlite3_bind_blob(statement, 1, bytes.baseAddress, 2, nil)
      XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
      sqlite3_reset(statement)
      sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(size), nil)
      sqlite3_clear_bindings(statement)
      sqlite3_bind_int(statement, 2, 3)
      XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
    }
    XCTFail("after a long value")
  }

  /// Without the trace a step does not read its text.
  func testALongTextIsNotReadAtEachStep() throws {
    let db = try connection()
    defer { sqlite3_close(db) }
    let statement = try prepare("SELECT ? /*" + String(repeating: "-", count: 900_000) + "*/", on: db)
    defer { sqlite3_finalize(statement) }
    let copy = try prepare("SELECT ?", on: db)
    defer { sqlite3_finalize(copy) }
    let taken = time {
      for value in 0..<1000 {
        sqlite3_bind_int(statement, 1, Int32(value))
        XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
        sqlite3_reset(statement)
      }
    }
    let expanding = time {
      for _ in 0..<1000 { sqlite3_free(sqlite3_expanded_sql(statement)) }
    }
    XCTAssertLessThan(taken, expanding / 2)
  }

  /// A connection keeps no room for the longest record that it ever wrote.
  func testLongRowsLeaveNoMemoryToTheirConnections() throws {
    let connections = try (0..<64).map { _ in try connection() }
    defer { for db in connections { sqlite3_close(db) } }
    func inUse() throws -> Int {
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
      return try XCTUnwrap(Int(pages)) * Int(getpagesize())
    }
    let text = String(repeating: "x", count: 1000)
    let columns = Array(repeating: "?1", count: 2000).joined(separator: ",")
    func read(_ sql: String, _ db: OpaquePointer) throws {
      let statement = try prepare(sql, on: db)
      sqlite3_bind_text(statement, 1, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
      sqlite3_finalize(statement)
    }
    for db in connections { try read("SELECT ?", db) }
    let before = try inUse()
    for db in connections { try read("SELECT \(columns)", db) }
    for db in connections { try read("SELECT ?", db) }
    XCTAssertLessThan(try (inUse() - before) / connections.count, 200 << 10)
  }

  func testALongMessageIsToldUpToSomePlace() throws {
    let db = try connection()
    defer { sqlite3_close(db) }
    XCTAssertEqual(
      sqlite3_create_function(
        db, "refuse", 0, SQLITE_UTF8, nil,
        { context, _, _ in
          sqlite3_result_error(context, "refused " + String(repeating: "!", count: 3_000_000), -1)
        }, nil, nil), SQLITE_OK)
    XCTAssertEqual(sqlite3_exec(db, "SELECT refuse()", nil, nil, nil), SQLITE_ERROR)
    XCTAssertEqual(strlen(sqlite3_errmsg(db)), 3_000_008)
    XCTFail("after a long message")
  }
}
