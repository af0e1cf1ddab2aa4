import Attach
import Foundation
import GRDBSQLite
import XCTest

/// The C API, in the ways an app may use it.
final class ConnectionTests: XCTestCase {
  private var folder = ""
  private var connections: [OpaquePointer] = []

  override func setUpWithError() throws {
    folder = NSTemporaryDirectory() + "connection-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    for connection in connections { XCTAssertEqual(sqlite3_close(connection), SQLITE_OK) }
    connections = []
    try FileManager.default.removeItem(atPath: folder)
  }

  private func open(_ name: String, flags: Int32 = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) throws
    -> OpaquePointer
  {
    var connection: OpaquePointer?
    let path = name == ":memory:" || name.hasPrefix("file:") ? name : folder + "/" + name
    XCTAssertEqual(sqlite3_open_v2(path, &connection, flags, nil), SQLITE_OK)
    let opened = try XCTUnwrap(connection)
    connections.append(opened)
    return opened
  }

  private func run(_ sql: String, on connection: OpaquePointer) {
    XCTAssertEqual(
      sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK, String(cString: sqlite3_errmsg(connection)))
  }

  func testOpen() throws {
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open(folder + "/open.db", &connection), SQLITE_OK)
    let opened = try XCTUnwrap(connection)
    connections.append(opened)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('open')", on: opened)
    XCTFail("opened by sqlite3_open")
  }

  func testOpen16() throws {
    var connection: OpaquePointer?
    let path = Array((folder + "/open16.db").utf16) + [0]
    XCTAssertEqual(path.withUnsafeBufferPointer { sqlite3_open16($0.baseAddress, &connection) }, SQLITE_OK)
    let opened = try XCTUnwrap(connection)
    connections.append(opened)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('open16')", on: opened)
    XCTFail("opened by sqlite3_open16")
  }

  func testWithoutMutex() throws {
    let connection = try open(":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('without mutex')", on: connection)
    XCTFail("opened without a mutex")
  }

  func testAttachedDatabase() throws {
    let connection = try open("main.db")
    run("ATTACH '\(folder)/second.db' AS second; ATTACH ':memory:' AS third", on: connection)
    run("CREATE TABLE main.note(text); INSERT INTO main.note VALUES ('main')", on: connection)
    run("CREATE TABLE second.note(text); INSERT INTO second.note VALUES ('second')", on: connection)
    run("CREATE TABLE third.note(text); INSERT INTO third.note VALUES ('third')", on: connection)
    XCTFail("three databases")
  }

  func testExclusiveLock() throws {
    let connection = try open("exclusive.db")
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('committed')", on: connection)
    run("BEGIN EXCLUSIVE; INSERT INTO note VALUES ('uncommitted')", on: connection)
    XCTFail("while holding the lock")
    run("ROLLBACK", on: connection)
  }

  func testStatementInProgress() throws {
    let connection = try open("progress.db")
    run(
      "PRAGMA journal_mode=WAL; CREATE TABLE note(text); INSERT INTO note VALUES ('one'), ('two')",
      on: connection)
    var statement: OpaquePointer?
    XCTAssertEqual(sqlite3_prepare_v2(connection, "SELECT text FROM note", -1, &statement, nil), SQLITE_OK)
    XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
    XCTFail("between two rows")
    XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
    XCTAssertEqual(sqlite3_finalize(statement), SQLITE_OK)
  }

  /// The index of the WAL is in memory: there is no -shm.
  func testExclusiveLockingMode() throws {
    let connection = try open("mode.db")
    run("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL", on: connection)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('committed')", on: connection)
    run("BEGIN; INSERT INTO note VALUES ('uncommitted')", on: connection)
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder + "/mode.db-shm"))
    XCTFail("in a transaction nobody else may see")
    run("ROLLBACK", on: connection)
  }

  func testExclusiveLockingModeOutsideATransaction() throws {
    let connection = try open("alone.db")
    run("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL", on: connection)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('in the WAL')", on: connection)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    XCTAssertEqual(names.sorted(), ["alone.db", "alone.db-wal"])
    XCTFail("keeping everybody out")
    run("INSERT INTO note VALUES ('afterwards')", on: connection)
  }

  /// The index of the WAL is shared memory already.
  func testExclusiveLockingModeInWALMode() throws {
    let connection = try open("later.db")
    run("PRAGMA journal_mode=WAL; CREATE TABLE note(text); PRAGMA locking_mode=EXCLUSIVE", on: connection)
    run("INSERT INTO note VALUES ('committed')", on: connection)
    run("BEGIN EXCLUSIVE; INSERT INTO note VALUES ('uncommitted')", on: connection)
    XCTAssertTrue(FileManager.default.fileExists(atPath: folder + "/later.db-shm"))
    XCTFail("in a transaction nobody else may see")
    run("ROLLBACK", on: connection)
  }

  func testExclusiveLockInWALMode() throws {
    let connection = try open("exclusive-wal.db")
    run("PRAGMA journal_mode=WAL; CREATE TABLE note(text)", on: connection)
    run("INSERT INTO note VALUES ('committed')", on: connection)
    run("BEGIN EXCLUSIVE; INSERT INTO note VALUES ('uncommitted')", on: connection)
    XCTFail("while holding the lock")
    run("ROLLBACK", on: connection)
  }

  func testSharedCache() throws {
    let uri = "file:\(UUID().uuidString)?mode=memory&cache=shared"
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
    let (reader, writer) = (try open(uri, flags: flags), try open(uri, flags: flags))
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('committed')", on: reader)
    run("BEGIN; INSERT INTO note VALUES ('uncommitted')", on: writer)
    XCTFail("two connections to one database in memory")
    run("ROLLBACK", on: writer)
  }

  func testMemoryVFS() throws {
    let uri = "file:/\(UUID().uuidString)?vfs=memdb"
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
    let connection = try open(uri, flags: flags)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('memdb')", on: connection)
    XCTFail("in a file system in memory")
  }

  private func openInMemoryVFS(_ count: Int) throws -> [OpaquePointer] {
    let uri = "file:/\(UUID().uuidString)?vfs=memdb"
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
    return try (0..<count).map { _ in try open(uri, flags: flags) }
  }

  func testMemoryVFSOfTwo() throws {
    let opened = try openInMemoryVFS(2)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('committed')", on: opened[0])
    run("INSERT INTO note VALUES ('by the other')", on: opened[1])
    XCTFail("outside a transaction")
  }

  func testMemoryVFSOfTwoInATransaction() throws {
    let opened = try openInMemoryVFS(2)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('committed')", on: opened[0])
    run("BEGIN; INSERT INTO note VALUES ('uncommitted')", on: opened[1])
    XCTFail("in a transaction of the second connection")
    run("ROLLBACK", on: opened[1])
  }

  func testMemoryVFSOfTwoThatAreClosed() throws {
    for connection in try openInMemoryVFS(2) {
      run("CREATE TABLE IF NOT EXISTS note(text); INSERT INTO note VALUES ('closed')", on: connection)
    }
    while let connection = connections.popLast() { XCTAssertEqual(sqlite3_close(connection), SQLITE_OK) }
    XCTFail("after both were closed")
  }

  func testTemporaryTable() throws {
    let connection = try open("app.db")
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('kept')", on: connection)
    run("CREATE TEMP TABLE draft(text); INSERT INTO draft VALUES ('temporary')", on: connection)
    XCTFail("with a temporary table")
  }

  func testTemporaryDatabase() throws {
    let connection = try open("file:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('temporary file')", on: connection)
    XCTFail("in a database without a name")
  }

  func testAnotherConnectionWrites() throws {
    let (connection, writer) = (try open("two.db"), try open("two.db"))
    run(
      "PRAGMA journal_mode=WAL; CREATE TABLE note(text); INSERT INTO note VALUES ('committed')",
      on: connection)
    run("BEGIN; INSERT INTO note VALUES ('uncommitted')", on: writer)
    XCTFail("while another connection of the test writes")
    run("ROLLBACK", on: writer)
  }

  func testInsideAFunction() throws {
    let connection = try open("function.db")
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('function')", on: connection)
    XCTAssertEqual(
      sqlite3_create_function_v2(
        connection, "fail", 0, SQLITE_UTF8, nil,
        { context, _, _ in
          XCTFail("inside a function of SQL")
          sqlite3_result_null(context)
        }, nil, nil, nil), SQLITE_OK)
    run("SELECT fail() FROM note", on: connection)
  }

  func testOwnTraceAndProgressHandler() throws {
    let connection = try open("trace.db")
    XCTAssertEqual(
      sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), { _, _, _, _ in 0 }, nil), SQLITE_OK)
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('traced')", on: connection)
    XCTFail("with a trace of the app's own")
  }

  /// A capture opens files, and the app may need the last numbers that the process has.
  func testNoDescriptorsLeft() throws {
    let connection = try open("descriptors.db")
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('kept')", on: connection)
    let limit = try DescriptorLimit(free: 40)
    let taken = limit.takeAll()
    XCTFail("without descriptors")
    limit.giveBack(taken)
    run("INSERT INTO note VALUES ('afterwards')", on: connection)
  }

  func testByConnection() throws {
    let connection = try open(":memory:")
    run("CREATE TABLE note(text); INSERT INTO note VALUES ('named')", on: connection)
    attachOnFailure(.database(connection: connection, named: "named by the test"))
    XCTFail("a connection that the test names")
  }
}
