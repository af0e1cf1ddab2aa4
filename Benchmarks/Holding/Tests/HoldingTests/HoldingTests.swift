import Foundation
import SystemSQLite
import XCTest

@testable import Attach
@testable import Collector

/// Prints microseconds of CPU time, the median of many, as ci/bench reads them.
final class HoldingTests: XCTestCase {
  private static let rounds = 2000

  func testFile() throws {
    let folder = NSTemporaryDirectory() + "holding-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let db = try open(folder + "/held.sqlite", "PRAGMA journal_mode=WAL; CREATE TABLE t(x)")
    measure("file", db)
    XCTAssertEqual(sqlite3_close(db), SQLITE_OK)
    try FileManager.default.removeItem(atPath: folder)
  }

  func testMemory() throws {
    let db = try open(":memory:", "CREATE TABLE t(x); INSERT INTO t VALUES (randomblob(100000))")
    measure("memory", db)
    XCTAssertEqual(sqlite3_close(db), SQLITE_OK)
  }

  private func open(_ path: String, _ setup: String) throws -> OpaquePointer {
    var db: OpaquePointer?
    XCTAssertEqual(sqlite3_open(path, &db), SQLITE_OK)
    XCTAssertEqual(sqlite3_exec(db, setup, nil, nil, nil), SQLITE_OK)
    return try XCTUnwrap(db)
  }

  /// Holds and lets go.
  private func measure(_ what: String, _ db: OpaquePointer) {
    let registry = ConnectionRegistry()
    let path = sqlite3_db_filename(db, "main").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    let connection = AppConnection(db, number: 1, path: path, opener: .nobody)
    let times = (0..<Self.rounds).map { _ in
      let start = processorTime()
      let outcome = HeldDatabase.hold("main", on: db, closing: connection, in: registry)
      let time = processorTime() - start
      guard case .held = outcome else { XCTFail("\(what) was not held: \(outcome)"); return time }
      return time
    }
    print("HOLDING \(what) \(Double(times.sorted()[times.count / 2]) / 1000)")
  }

  private func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
