import Attach
import Foundation
import GRDBSQLite
import XCTest

/// Apps whose callbacks write down what they hear: a capture is not among it.
final class CallbackTests: XCTestCase {
  private var folder = ""

  override class func setUp() {
    _registerErrorLogCallback { _, code, message in
      Transcript.shared.note("log \(code): \(message.map { String(cString: $0) } ?? "-")")
    }
    let entry: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32 = {
      _, _, _ in
      Transcript.shared.note("opened")
      return SQLITE_OK
    }
    XCTAssertEqual(
      sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self)), SQLITE_OK)
  }

  override func setUpWithError() throws {
    folder = NSTemporaryDirectory() + "callbacks-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: folder)
    let test = name.split(separator: ".").last.map(String.init) ?? name
    try Transcript.shared.write(as: test)
  }

  private func open(_ name: String = ":memory:") throws -> OpaquePointer {
    var connection: OpaquePointer?
    let path = name.hasPrefix(":") ? name : folder + "/" + name
    XCTAssertEqual(sqlite3_open(path, &connection), SQLITE_OK)
    let opened = try XCTUnwrap(connection)
    opened.run("CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES(1)")
    opened.setCallbacks(from: 10)
    return opened
  }

  private func close(_ connection: OpaquePointer) {
    XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
    Transcript.shared.note("closed")
  }

  private func failInTheMiddle(of connection: OpaquePointer, begin: String = "BEGIN") {
    var statement: OpaquePointer?
    XCTAssertEqual(sqlite3_prepare_v2(connection, "SELECT x FROM t", -1, &statement, nil), SQLITE_OK)
    if !begin.isEmpty { connection.run("\(begin); INSERT INTO t VALUES(2)") }
    connection.run("INSERT INTO t VALUES(1)")
    XCTFail("in the middle")
    connection.noteError()
    // A statement that was prepared before asks nobody again.
    XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
    Transcript.shared.note("again: \(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0))")
    connection.noteError()
    XCTAssertEqual(sqlite3_finalize(statement), SQLITE_OK)
    connection.run("INSERT INTO t VALUES(3)")
    if !begin.isEmpty { connection.run("COMMIT") }
    close(connection)
  }

  func testMemory() throws { failInTheMiddle(of: try open(), begin: "") }
  func testMemoryInATransaction() throws { failInTheMiddle(of: try open()) }
  func testFile() throws { failInTheMiddle(of: try open("file.db"), begin: "") }
  func testFileInATransaction() throws { failInTheMiddle(of: try open("file.db")) }
  func testFileInAnExclusiveTransaction() throws {
    failInTheMiddle(of: try open("file.db"), begin: "BEGIN EXCLUSIVE")
  }

  func testWALInATransaction() throws {
    let connection = try open("wal.db")
    connection.run("PRAGMA journal_mode=WAL")
    failInTheMiddle(of: connection)
  }

  /// Every error that may stand when a test fails is there afterwards.
  func testErrors() throws {
    let connection = try open()
    // SQLite forgets the schema when ATTACH fails, and these hear who reads it again.
    sqlite3_progress_handler(connection, 0, nil, nil)
    connection.setTrace(20, SQLITE_TRACE_STMT)
    connection.run("BEGIN; INSERT INTO t VALUES(2)")
    for sql in [
      "nonsense", "SELECT * FROM nothing", "ATTACH '/no/such/folder/x' AS a", "INSERT INTO t VALUES(1)",
    ] {
      connection.run(sql)
      attach(.database(connection: connection, named: "attached"))
      connection.noteError()
    }
    var statement: OpaquePointer?
    XCTAssertEqual(sqlite3_prepare_v2(connection, "SELECT x FROM t", -1, &statement, nil), SQLITE_OK)
    XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
    attach(.database(connection: connection, named: "attached"))
    connection.noteError()
    XCTAssertEqual(sqlite3_finalize(statement), SQLITE_OK)
    connection.run("COMMIT")
    close(connection)
    XCTFail("after everything was attached")
  }

  /// A statement that fails with SQLITE_CORRUPT makes every later write of the transaction fail.
  func testDamage() throws {
    let connection = try open()
    connection.run(
      "CREATE TABLE a(x); PRAGMA writable_schema=ON; UPDATE sqlite_master SET rootpage=3 WHERE name='a';"
        + " PRAGMA writable_schema=RESET")
    connection.run("BEGIN; INSERT INTO t VALUES(2)")
    connection.run("SELECT * FROM a")
    XCTFail("with a damaged table")
    connection.noteError()
    connection.run("INSERT INTO t VALUES(3)")
    connection.run("ROLLBACK")
    close(connection)
  }

  /// The last one that was set counts, as SQLite has it, and each returns the one before.
  func testTraceAndProfileInEveryOrder() throws {
    let connection = try open()
    connection.run(
      "CREATE TABLE u(x); CREATE TRIGGER g AFTER INSERT ON t BEGIN\n DELETE FROM u;\n INSERT INTO u VALUES(new.x); END"
    )
    let setters: [(Int) -> Void] = [
      { connection.setLegacyTrace($0) }, { connection.setProfile($0) },
      { connection.setTrace($0, SQLITE_TRACE_STMT) }, { connection.setTrace($0, SQLITE_TRACE_PROFILE) },
      { connection.setTrace($0, 0) },
      { _ in Transcript.shared.note("\(sqlite3_trace(connection, nil, nil) == nil)") },
      { _ in Transcript.shared.note("\(sqlite3_profile(connection, nil, nil) == nil)") },
    ]
    for first in setters.indices {
      for second in setters.indices {
        setters[first](100 + first)
        setters[second](200 + second)
        connection.run("INSERT INTO t SELECT max(x) + 1 FROM t")
      }
    }
    XCTFail("with the last of them")
    connection.run("INSERT INTO t VALUES(1000)")
    close(connection)
  }

  func testBaseline() throws {
    let connection = try open()
    connection.run("INSERT INTO t VALUES(1)")
    markBaseline()
    connection.noteError()
    connection.run("BEGIN; INSERT INTO t VALUES(2); INSERT INTO t VALUES(1)")
    markBaseline()
    connection.noteError()
    connection.run("COMMIT")
    close(connection)
  }

  func testTemporaryTables() throws {
    let connection = try open("file.db")
    connection.run("ALTER TABLE t RENAME TO s; CREATE TEMP TABLE v(x); INSERT INTO v VALUES(1)")
    XCTFail("with a temporary table")
    connection.run("DROP TABLE v")
    close(connection)
  }

  func testClosesAndThrows() throws {
    let connection = try open()
    connection.run("INSERT INTO t VALUES(2); CREATE TEMP TABLE v(x)")
    close(connection)
    throw CocoaError(.featureUnsupported)
  }

  func testClosesInATransactionAndThrows() throws {
    let connection = try open()
    connection.run("BEGIN; INSERT INTO t VALUES(2)")
    close(connection)
    throw CocoaError(.featureUnsupported)
  }

  /// The callbacks' argument is gone before the connection.
  func testFreesTheArgumentAndCloses() throws {
    for begin in ["", "BEGIN; INSERT INTO t VALUES(2)"] {
      let connection = try open()
      let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      connection.setAuthorizer(page)
      if !begin.isEmpty { sqlite3_exec(connection, begin, nil, nil, nil) }
      munmap(page, 4096)
      XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
    }
    // The addresses differ from run to run.
    Transcript.shared.forget()
  }

  func testNamedByTheTest() throws {
    let connection = try open()
    attachOnFailure(.database(connection: connection, named: "named"))
    failInTheMiddle(of: connection)
  }
}
