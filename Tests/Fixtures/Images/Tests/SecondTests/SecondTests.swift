import AppSQLite
import Attach
import Foundation
import Testing
import XCTest

/// A store of the app's own copy of SQLite, which Exhibit does not see being opened.
final class Store: @unchecked Sendable {
  let folder: URL
  let path: String
  let database: OpaquePointer

  init(_ setup: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("second-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("second.sqlite").path
    database = try XCTUnwrap(app_open(path, 1))
    XCTAssertEqual(app_run(database, setup), 0)
  }

  deinit {
    app_close(database)
    try? FileManager.default.removeItem(at: folder)
  }

  /// What another process is told that wants to write.
  func writeFromOutside() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path, "BEGIN IMMEDIATE"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

private let rows = "CREATE TABLE note(text); INSERT INTO note VALUES ('one'), ('two');"

final class SecondTests: XCTestCase {
  func testWAL() throws {
    let store = try Store("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; \(rows)")
    XCTFail("in WAL mode")
    XCTAssertEqual(app_run(store.database, "INSERT INTO note VALUES ('three')"), 0)
  }

  func testLocksStayWhereTheyAre() throws {
    let store = try Store("\(rows) BEGIN IMMEDIATE; INSERT INTO note VALUES ('not committed')")
    XCTAssertNotEqual(try store.writeFromOutside(), 0)
    attachOnFailure(
      .file(at: URL(fileURLWithPath: store.path)), .directory(at: store.folder, named: "folder"))
    XCTFail("in a transaction")
    print("second.sqlite is", try store.writeFromOutside() == 0 ? "unlocked" : "locked")
    XCTAssertEqual(app_run(store.database, "COMMIT"), 0)
    XCTAssertEqual(app_integer(store.database, "SELECT count(*) FROM note"), 3)
  }

  func testExclusiveLock() throws {
    let store = try Store("\(rows) BEGIN EXCLUSIVE")
    XCTFail("while nobody else may read")
    XCTAssertEqual(app_run(store.database, "COMMIT"), 0)
  }

  func testPasses() throws {
    let store = try Store(rows)
    XCTAssertEqual(app_integer(store.database, "SELECT count(*) FROM note"), 2)
  }

  /// A descriptor table that is full: the helper cannot be started.
  func testNoDescriptorsLeft() throws {
    let store = try Store(rows)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let usual = limit
    limit.rlim_cur = 64
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
    XCTFail("without descriptors")
    taken.forEach { close($0) }
    limit = usual
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    XCTAssertEqual(app_integer(store.database, "SELECT count(*) FROM note"), 2)
  }
}

/// Signals of the app while a helper runs and ends.
final class SignalTests: XCTestCase {
  func testOwnHandlingOfChildren() throws {
    let store = try Store(rows)
    signal(SIGCHLD, SIG_IGN)
    XCTFail("children are reaped by the system")
    XCTAssertEqual(
      unsafeBitCast(signal(SIGCHLD, SIG_DFL), to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self))
    XCTAssertEqual(app_integer(store.database, "SELECT count(*) FROM note"), 2)
  }
}

@Suite(.attachOnFailure) struct SecondTraitTests {
  @Test(arguments: 0..<4) func atOnce(number: Int) async throws {
    let store = try Store("\(rows) INSERT INTO note VALUES (\(number))")
    attachOnFailure(.database(at: URL(fileURLWithPath: store.path)))
    await Task.yield()
    #expect(app_integer(store.database, "SELECT count(*) FROM note") == number)
  }
}
