import Attach
import Foundation
import GRDB
import GRDBSQLite
import XCTest

/// Apps whose hooks, traces and sessions write down what they hear while their statements are recorded.
final class HookTests: XCTestCase {
  private var connection: OpaquePointer?

  override func setUp() {
    XCTAssertEqual(sqlite3_open(":memory:", &connection), SQLITE_OK)
    opened.run(
      """
      CREATE TABLE t(x INTEGER PRIMARY KEY, y);
      CREATE TABLE u(a TEXT PRIMARY KEY, b) WITHOUT ROWID;
      CREATE TABLE p(x);
      CREATE TABLE v(x REFERENCES t ON DELETE CASCADE, y, z BLOB);
      CREATE TRIGGER g AFTER UPDATE ON t BEGIN
        INSERT INTO u VALUES(new.x || '.' || (SELECT count(*) FROM u), old.y);
        DELETE FROM v WHERE x = new.y;
      END;
      PRAGMA foreign_keys=ON
      """)
    opened.fill()
  }

  override func tearDownWithError() throws {
    XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
    let test = name.split(separator: ".").last.map(String.init) ?? name
    try Transcript.shared.write(as: test)
  }

  private var opened: OpaquePointer {
    guard let connection else { preconditionFailure("It is open.") }
    return connection
  }

  func testSession() {
    let session = Library.Session(opened)
    let early = opened.prepared("DELETE FROM p")
    opened.changeEverything()
    XCTFail("with a session")
    session.note("after the failure")
    opened.run(prepared: early)
    let second = Library.Session(opened)
    opened.fill()
    opened.changeEverything()
    session.note("first")
    second.note("second")
    second.end()
    opened.changeEverything()
    session.note("first alone")
    session.end()
    opened.fill()
    opened.run(prepared: early)
    sqlite3_finalize(early)
    opened.setPreupdate(10)
    opened.removePreupdate()
  }

  func testUpdateHook() {
    let early = [opened.prepared("DELETE FROM p WHERE true"), opened.prepared("UPDATE t SET y = y + 1")]
    for statement in early { opened.run(prepared: statement) }
    opened.fill()
    opened.setUpdateHook(10)
    for statement in early { opened.run(prepared: statement) }
    opened.fill()
    opened.changeEverything()
    XCTFail("with an update hook")
    let late = opened.prepared("DELETE FROM p")
    opened.fill()
    opened.setUpdateHook(11)
    opened.run(prepared: late)
    opened.removeUpdateHook()
    opened.fill()
    opened.run(prepared: late)
    opened.changeEverything()
    opened.setUpdateHook(12)
    opened.fill()
    opened.run(prepared: late)
    opened.removeUpdateHook()
    for statement in early + [late] { sqlite3_finalize(statement) }
  }

  /// An authorizer that allows everything leaves `DELETE` without a word to the update hook.
  func testUpdateHookWithAnAuthorizer() {
    opened.setAuthorizer(argument(20))
    opened.setUpdateHook(10)
    let statement = opened.prepared("DELETE FROM p")
    opened.run(prepared: statement)
    opened.fill()
    opened.run(prepared: statement)
    opened.fill()
    opened.changeEverything()
    XCTFail("with both")
    opened.removeUpdateHook()
    opened.fill()
    opened.run(prepared: statement)
    opened.setUpdateHook(11)
    opened.fill()
    opened.run(prepared: statement)
    sqlite3_set_authorizer(opened, nil, nil)
    opened.fill()
    opened.run(prepared: statement)
    sqlite3_finalize(statement)
  }

  func testPreupdateHook() {
    opened.setPreupdate(10)
    let early = opened.prepared("DELETE FROM p")
    opened.changeEverything()
    XCTFail("with a preupdate hook")
    opened.fill()
    opened.run(prepared: early)
    opened.setPreupdate(11)
    opened.setUpdateHook(12)
    opened.fill()
    opened.changeEverything()
    opened.writeBlob()
    opened.removePreupdate()
    opened.fill()
    opened.run(prepared: early)
    opened.run("DELETE FROM p")
    opened.setPreupdate(13)
    opened.removeUpdateHook()
    opened.fill()
    opened.run("DELETE FROM p")
    opened.removePreupdate()
    opened.removePreupdate()
    sqlite3_finalize(early)
  }

  func testCommitAndRollbackHooks() {
    let before = opened.prepared("INSERT INTO t(y) VALUES(1)")
    opened.setCommitAndRollbackHooks(10, refuses: false)
    opened.run(prepared: before)
    opened.changeEverything()
    opened.run("BEGIN; INSERT INTO t(y) VALUES(2)")
    XCTFail("in a transaction")
    opened.run("ROLLBACK")
    opened.setCommitAndRollbackHooks(20, refuses: true)
    opened.run(prepared: before)
    opened.run("BEGIN; INSERT INTO t(y) VALUES(3); COMMIT")
    opened.run("INSERT INTO t(x) VALUES(1)")
    sqlite3_finalize(before)
  }

  /// Nothing of ours has a statement prepared anew, which the authorizer would hear.
  func testAuthorizer() {
    let early = opened.prepared("DELETE FROM p WHERE true")
    opened.setAuthorizer(argument(10))
    opened.run(prepared: early)
    let late = opened.prepared("DELETE FROM p WHERE true")
    let setters: [() -> Void] = [
      { [opened] in opened.setProgressHandler(11) }, { [opened] in opened.setUpdateHook(12) },
      { [opened] in sqlite3_progress_handler(opened, 0, nil, nil) },
      { [opened] in opened.removeUpdateHook() },
      { [opened] in opened.setPreupdate(13) }, { [opened] in opened.removePreupdate() },
      { [opened] in opened.setTrace(14, SQLITE_TRACE_STMT) }, { XCTFail("with an authorizer") },
    ]
    for set in setters {
      set()
      opened.fill()
      opened.run(prepared: early)
      opened.run(prepared: late)
    }
    sqlite3_finalize(early)
    sqlite3_finalize(late)
  }

  func testProgressHandler() {
    let early = opened.prepared("DELETE FROM p WHERE true")
    opened.run(prepared: early)
    opened.fill()
    opened.setProgressHandler(10)
    opened.run(prepared: early)
    opened.fill()
    opened.run("DELETE FROM p")
    opened.changeEverything()
    XCTFail("with a progress handler")
    opened.fill()
    opened.run(prepared: early)
    sqlite3_progress_handler(opened, 0, nil, nil)
    opened.fill()
    opened.run(prepared: early)
    sqlite3_finalize(early)
  }

  /// What `sqlite3_prepare` made cannot be prepared anew.
  func testStatementsOfTheOldPrepare() {
    let early = ["DELETE FROM p WHERE true", "UPDATE t SET y = y + 1", "SELECT x FROM t"].map { sql in
      var statement: OpaquePointer?
      XCTAssertEqual(sqlite3_prepare(opened, sql, -1, &statement, nil), SQLITE_OK)
      return statement
    }
    let setters: [() -> Void] = [
      { [opened] in opened.setUpdateHook(10) }, { [opened] in opened.setProgressHandler(11) },
      { [opened] in opened.removeUpdateHook() }, { [opened] in opened.setPreupdate(12) },
      { [opened] in sqlite3_progress_handler(opened, 0, nil, nil) },
      { [opened] in opened.removePreupdate() }, { [opened] in opened.setWALHook(13) },
      { [opened] in opened.removeWALHook() },
    ]
    for set in setters {
      set()
      opened.fill()
      for statement in early { opened.run(prepared: statement) }
    }
    XCTFail("with statements of the old prepare")
    for statement in early { sqlite3_finalize(statement) }
  }

  /// In WAL mode, where each commit is told with the frames of the log.
  func testWALHook() throws {
    let path = NSTemporaryDirectory() + "wal-hook-" + UUID().uuidString
    defer { for end in ["", "-wal", "-shm"] { unlink(path + end) } }
    XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
    XCTAssertEqual(sqlite3_open(path, &connection), SQLITE_OK)
    opened.run("PRAGMA journal_mode = WAL; CREATE TABLE p(x); CREATE TABLE q(x)")
    opened.setWALHook(10)
    for sql in ["INSERT INTO p VALUES(1), (2)", "DELETE FROM p", "INSERT INTO q VALUES(3)"] {
      opened.run(sql)
    }
    XCTFail("with a WAL hook")
    opened.run("PRAGMA wal_autocheckpoint = 500; DELETE FROM q; INSERT INTO q VALUES(4)")
    opened.setWALHook(11)
    opened.run("DELETE FROM q")
    opened.removeWALHook()
    XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
    connection = nil
  }

  /// `ANALYZE` empties its tables by a DELETE where somebody hears of changes.
  func testAnalyzeBesideAnAuthorizer() {
    opened.run("CREATE INDEX i ON t(y); ANALYZE")
    opened.setAuthorizer(argument(10), refusing: SQLITE_DELETE)
    opened.run("ANALYZE")
    opened.run("ANALYZE t")
    let early = opened.prepared("/* of all */ ANALYZE")
    opened.run("PRAGMA optimize")
    opened.run(prepared: early)
    XCTFail("with an authorizer that refuses")
    opened.run("CREATE INDEX j ON t(x, y)")
    opened.run(prepared: early)
    sqlite3_finalize(early)
    sqlite3_set_authorizer(opened, nil, nil)
    opened.run("ANALYZE")
  }

  /// What SQLite would do without us.
  func testExplain() {
    opened.explain("EXPLAIN DELETE FROM p")
    opened.explain("  -- a plan\n EXPLAIN QUERY PLAN DELETE FROM t")
    opened.explain("EXPLAIN ANALYZE")
    XCTFail("with an explanation")
  }

  /// A close that is refused is none.
  func testRefusedClose() {
    opened.run("BEGIN")
    let statement = opened.prepared("SELECT x FROM t")
    _ = opened.prepared("SELECT x FROM of nothing")
    for _ in 0..<2 {
      Transcript.shared.note("close: \(sqlite3_close(opened)), offset \(sqlite3_error_offset(opened))")
      opened.noteError()
      Transcript.shared.note("transaction \(sqlite3_txn_state(opened, nil))")
    }
    sqlite3_finalize(statement)
    opened.run("INSERT INTO p VALUES(7); COMMIT")
    XCTFail("behind a close that was refused")
  }

  /// The statement of an open blob ends without a word.
  func testProfileIsSetWhileABlobIsOpen() {
    for round in 0..<20 {
      var blob: OpaquePointer?
      XCTAssertEqual(sqlite3_blob_open(opened, "main", "v", "z", 2, 1, &blob), SQLITE_OK)
      if round % 2 == 0 { opened.setProfile(10 + round) } else { opened.removeProfile() }
      Transcript.shared.note("blob closed: \(sqlite3_blob_close(blob))")
      for value in 0..<5 { opened.run("SELECT \(value)") }
    }
    XCTFail("with blobs that were open")
  }

  func testLegacyTraceAndProfile() {
    let early = opened.prepared("SELECT ?1, :name,\n ?, x'00ff' FROM t\n WHERE x > @low")
    sqlite3_bind_double(early, 1, 0.1)
    sqlite3_bind_text(early, 2, "it's\n-- two", -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    sqlite3_bind_zeroblob(early, 3, 3)
    opened.setLegacyTrace(10)
    opened.setProfile(11)
    opened.setLegacyTrace(12)
    opened.run(
      "CREATE TRIGGER \"of\ntwo\" AFTER INSERT ON t WHEN new.x > 100 BEGIN\n UPDATE t SET y = 'a' WHERE x = new.x;\nEND"
    )
    opened.run("INSERT INTO t(x) VALUES(101)")
    opened.run("CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES('one\ntwo'); DELETE FROM f")
    opened.run(prepared: early)
    opened.changeEverything()
    XCTFail("with legacy traces")
    opened.run(prepared: early)
    opened.setProfile(13)
    opened.run(prepared: early)
    opened.run("INSERT INTO t(x) VALUES(102)")
    sqlite3_finalize(early)
  }

  func testGRDB() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(x INTEGER PRIMARY KEY, y)")
      db.trace(options: [.statement, .profile]) { event in
        if case .statement(let statement) = event {
          Transcript.shared.note("statement \(statement.sql): \(statement.expandedSQL)")
        } else if case .profile(let statement, _) = event {
          Transcript.shared.note("profile \(statement.expandedSQL)")
        }
      }
      try db.execute(sql: "INSERT INTO t(y) VALUES(?), (?)", arguments: [1, "two"])
      XCTFail("with GRDB's trace")
    }
    let observer = Observer()
    queue.add(transactionObserver: observer)
    try queue.write { db in
      for round in 0..<3 { try db.execute(sql: "INSERT INTO t(y) VALUES(?)", arguments: [round]) }
      try db.execute(sql: "UPDATE t SET y = ?", arguments: ["all"])
      try db.execute(sql: "DELETE FROM t")
      _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
    }
    // What it refuses is rolled back.
    try? queue.write { db in
      try db.execute(sql: "INSERT INTO t(x) VALUES(1)")
      try db.execute(sql: "INSERT INTO t(x) VALUES(1)")
    }
    queue.writeWithoutTransaction { $0.trace(nil) }
    try queue.write { try $0.execute(sql: "DROP TABLE t") }
    try queue.close()
  }
}

private final class Observer: TransactionObserver {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }

  func databaseDidChange(with event: DatabaseEvent) {
    Transcript.shared.note("change \(event.kind) \(event.tableName) \(event.rowID)")
  }

  func databaseDidCommit(_ db: Database) { Transcript.shared.note("did commit") }
  func databaseDidRollback(_ db: Database) { Transcript.shared.note("did roll back") }
}
