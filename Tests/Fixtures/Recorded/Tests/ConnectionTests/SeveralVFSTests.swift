import Foundation
import GRDBSQLite
import XCTest

/// One file, open through SQLite's VFS with locks and through one whose close knows nothing of them.
final class SeveralVFSTests: XCTestCase {
  func testWithoutLocks() throws { try failInATransaction(beside: "unix-none") }
  func testWithLockFiles() throws { try failInATransaction(beside: "unix-dotfile") }

  private func failInATransaction(beside vfs: String) throws {
    let folder = NSTemporaryDirectory() + "several-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/several.db"
    let first = try open(path, vfs)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('committed')", on: first)
    let second = try open(path, "unix")
    run("BEGIN IMMEDIATE; INSERT INTO note VALUES ('uncommitted')", on: second)
    XCTFail("while one of them writes")
    XCTAssertTrue(try writeFromOutside(path).contains("database is locked"))
    run("COMMIT", on: second)
    for connection in [first, second] { XCTAssertEqual(sqlite3_close(connection), SQLITE_OK) }
  }

  private func open(_ path: String, _ vfs: String) throws -> OpaquePointer {
    var connection: OpaquePointer?
    XCTAssertEqual(
      sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs), SQLITE_OK)
    return try XCTUnwrap(connection)
  }

  private func run(_ sql: String, on connection: OpaquePointer) {
    XCTAssertEqual(
      sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK, String(cString: sqlite3_errmsg(connection)))
  }

  /// What another process is told that writes to the database.
  private func writeFromOutside(_ path: String) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path, "INSERT INTO note VALUES ('from outside')"]
    process.standardError = pipe
    try process.run()
    let words = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: words, as: UTF8.self)
  }
}
