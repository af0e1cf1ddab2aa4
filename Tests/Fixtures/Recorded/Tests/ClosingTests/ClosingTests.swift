import Attach
import Foundation
import GRDBSQLite
import XCTest

/// A thread closes databases while they are captured: the failure is known, so the test itself still has them.
final class ClosingXCTests: XCTestCase {
  private var folder = ""
  private var connections: [Connection] = []

  private struct Connection: @unchecked Sendable {
    var pointer: OpaquePointer
    /// `nil` in memory.
    var path: String?
  }

  override func setUpWithError() throws {
    folder = NSTemporaryDirectory() + "closing-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Twenty databases, each with its number.
  private func open(inMemory: Bool = false, journalMode: String = "DELETE") throws {
    for number in 0..<20 {
      let path = inMemory ? nil : "\(folder)/\(number).db"
      var opened: OpaquePointer?
      XCTAssertEqual(sqlite3_open(path ?? ":memory:", &opened), SQLITE_OK)
      let pointer = try XCTUnwrap(opened)
      let sql = "PRAGMA journal_mode=\(journalMode); CREATE TABLE t(a); INSERT INTO t VALUES (\(number))"
      XCTAssertEqual(sqlite3_exec(pointer, sql, nil, nil, nil), SQLITE_OK)
      connections.append(Connection(pointer: pointer, path: path))
    }
  }

  /// Fails while a thread closes some of them, 3 ms after.
  private func fail(closing closed: Range<Int>, removing: Bool = false) {
    let done = DispatchSemaphore(value: 0)
    let connections = connections
    Thread.detachNewThread {
      usleep(3000)
      for connection in connections[closed] {
        sqlite3_close_v2(connection.pointer)
        if removing, let path = connection.path { unlink(path) }
      }
      done.signal()
    }
    XCTFail("while they are closed")
    done.wait()
    for (number, connection) in connections.enumerated() where !closed.contains(number) {
      sqlite3_close_v2(connection.pointer)
    }
  }

  func testTheLastFile() throws {
    try open()
    fail(closing: 19..<20)
  }

  func testTheLastFileInWALMode() throws {
    try open(journalMode: "WAL")
    fail(closing: 19..<20)
  }

  func testTheLastInMemory() throws {
    try open(inMemory: true)
    fail(closing: 19..<20)
  }

  func testTheLastIsRemovedToo() throws {
    try open()
    fail(closing: 19..<20, removing: true)
  }

  func testAllFiles() throws {
    try open()
    fail(closing: 0..<20)
  }

  func testAllInMemory() throws {
    try open(inMemory: true)
    fail(closing: 0..<20)
  }

  func testAllAreRemovedToo() throws {
    try open(journalMode: "WAL")
    fail(closing: 0..<20, removing: true)
  }

  func testOneIsDeletedAndStaysOpen() throws {
    try open()
    unlink("\(folder)/7.db")
    fail(closing: 0..<0)
  }

  /// Registered ones are captured first.
  func testARegisteredConnection() throws {
    try open(inMemory: true)
    attachOnFailure(.database(connection: connections[19].pointer, named: "registered"))
    for connection in connections { attachOnFailure(.database(connection: connection.pointer)) }
    fail(closing: 0..<20)
  }
}
