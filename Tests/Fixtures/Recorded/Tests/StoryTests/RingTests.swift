import Attach
import Foundation
import GRDB
import GRDBSQLite
import Glibc
import XCTest

/// What may happen to the file in which the process keeps its latest steps.
final class RingTests: XCTestCase {
  private func queue() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE number(value)") }
    return queue
  }

  private func add(_ values: Range<Int>, to queue: DatabaseQueue) throws {
    try queue.write { db in
      for value in values { try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value]) }
    }
  }

  func testManySteps() throws {
    let queue = try queue()
    try add(0..<3000, to: queue)
    XCTFail("after many steps")
    try add(3000..<3010, to: queue)
  }

  func testItsRingIsRemoved() throws {
    let queue = try queue()
    try add(0..<10, to: queue)
    let runs = (ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"] ?? "") + "/runs"
    for run in try FileManager.default.contentsOfDirectory(atPath: runs) {
      try FileManager.default.removeItem(atPath: "\(runs)/\(run)/trace")
    }
    try add(10..<20, to: queue)
    XCTFail("without its ring")
  }

  /// Somebody else has the database open too, as a server, an extension of the app or a shell has.
  func testAnotherProcessWritesMeanwhile() throws {
    let folder = NSTemporaryDirectory() + "meanwhile-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    addTeardownBlock { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try DatabaseQueue(path: folder + "/meanwhile.db")
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE number(value)")
    }
    for value in 0..<5 { try add(value..<value + 1, to: queue) }
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    other.arguments = [
      "sqlite3", folder + "/meanwhile.db", "INSERT INTO number VALUES ('by another'), ('at once')",
    ]
    try other.run()
    other.waitUntilExit()
    XCTAssertEqual(other.terminationStatus, 0)
    try add(5..<7, to: queue)
    XCTFail("while somebody wrote")
  }

  /// A child of a fork works with its copy of the connection, as no program should, and ends.
  func testAChildOfAForkTellsNothing() throws {
    let queue = try queue()
    try add(0..<1, to: queue)
    let fork = try XCTUnwrap(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
    let pid = unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
    if pid == 0 {
      try queue.inDatabase { try $0.execute(sql: "INSERT INTO number VALUES ('of the child')") }
      _exit(0)
    }
    var status: Int32 = 0
    XCTAssertEqual(waitpid(pid, &status, 0), pid)
    try add(1..<2, to: queue)
    XCTFail("beside a child")
  }

  /// A child that is made past the handlers of `pthread_atfork` runs statements at the same time as its parent.
  func testAChildOfARawForkTellsNothing() throws {
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open(":memory:", &connection), SQLITE_OK)
    defer { sqlite3_close(connection) }
    XCTAssertEqual(sqlite3_exec(connection, "CREATE TABLE number(value)", nil, nil, nil), SQLITE_OK)
    let fork = try XCTUnwrap(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "_Fork"))
    let pid = unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
    if pid == 0 {
      for _ in 0..<5000 {
        sqlite3_exec(connection, "INSERT INTO number VALUES ('of the child')", nil, nil, nil)
      }
      _exit(0)
    }
    for _ in 0..<5000 {
      sqlite3_exec(connection, "INSERT INTO number VALUES ('of the parent')", nil, nil, nil)
    }
    var status: Int32 = 0
    XCTAssertEqual(waitpid(pid, &status, 0), pid)
    XCTAssertEqual(status, 0)
    XCTFail("beside a child of a raw fork")
  }

  /// Another process writes what it likes over the ring: first zeros, then always the same random bytes.
  func testAnotherProcessOverwritesItsRing() throws {
    let queue = try queue()
    try add(0..<10, to: queue)
    let runs = (ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"] ?? "") + "/runs"
    let run = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: runs).first)
    let ring = try XCTUnwrap(
      FileManager.default.contentsOfDirectory(atPath: "\(runs)/\(run)/trace").first {
        $0.contains("\(getpid())-")
      })
    let descriptor = open("\(runs)/\(run)/trace/\(ring)", O_RDWR)
    XCTAssertGreaterThan(descriptor, 0)
    defer { close(descriptor) }
    let zeros = [UInt8](repeating: 0, count: 60 << 10)
    XCTAssertEqual(pwrite(descriptor, zeros, zeros.count, 0), zeros.count)
    try add(10..<2000, to: queue)
    let fork = try XCTUnwrap(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
    let pid = unsafeBitCast(fork, to: (@convention(c) () -> pid_t).self)()
    if pid == 0 {
      var state: UInt64 = 1
      for _ in 0..<100_000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Within what the ring has, so that the file stays as long as it is.
        pwrite(descriptor, &state, 8, off_t(state >> 33) % (64 << 10))
      }
      _exit(0)
    }
    var status: Int32 = 0
    var value = 2000
    while waitpid(pid, &status, WNOHANG) == 0 {
      try add(value..<value + 100, to: queue)
      value += 100
    }
    try add(value..<value + 3000, to: queue)
    XCTFail("while its ring was overwritten")
  }

  /// GRDB has an authorizer on each connection.
  func testDeletesAllRows() throws {
    struct Player: Codable, PersistableRecord { var id: Int }
    let folder = NSTemporaryDirectory() + "players-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    addTeardownBlock { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try DatabaseQueue(path: folder + "/players.db")
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY)")
      for id in 1...2 { try Player(id: id).insert(db) }
    }
    try queue.write { db in
      XCTAssertEqual(try Player.deleteAll(db), 2)
      try Player(id: 3).insert(db)
    }
    XCTFail("behind a new beginning")
  }

  /// Beside hooks of the app's that would be called more often if these rows were told.
  func testRowsBesideHooks() {
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open(":memory:", &connection), SQLITE_OK)
    defer { sqlite3_close(connection) }
    func run(_ sql: String) { XCTAssertEqual(sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK) }
    run("CREATE TABLE number(value); INSERT INTO number VALUES (1)")
    sqlite3_update_hook(connection, { _, _, _, _, _ in }, nil)
    run("INSERT INTO number VALUES (2)")
    run("DELETE /* beside an update hook */ FROM number")
    run("CREATE TABLE emptied(value); INSERT INTO emptied VALUES (4)")
    run("CREATE TRIGGER empties AFTER INSERT ON number BEGIN DELETE FROM emptied; END")
    run("INSERT INTO number VALUES (5)")
    run("DROP TRIGGER empties")
    sqlite3_update_hook(connection, nil, nil)
    sqlite3_progress_handler(connection, 1000, { _ in 0 }, nil)
    run("INSERT INTO number VALUES (3); UPDATE number SET value = value + 10")
    run("DELETE /* beside a progress handler */ FROM number")
    sqlite3_progress_handler(connection, 0, nil, nil)
    run("INSERT INTO number VALUES (6)")
    run("DELETE /* beside none of them */ FROM number")
    XCTFail("beside hooks")
  }

  /// Tables without rowids, triggers whose WHEN is false, and statements that find nothing to do.
  func testWhatIsNotThere() {
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open(":memory:", &connection), SQLITE_OK)
    defer { sqlite3_close(connection) }
    func run(_ sql: String) {
      var statement: OpaquePointer?
      XCTAssertEqual(sqlite3_prepare_v2(connection, sql, -1, &statement, nil), SQLITE_OK)
      XCTAssertEqual(sqlite3_step(statement), SQLITE_DONE)
      XCTAssertEqual(String(cString: sqlite3_errmsg(connection)), "no more rows available", sql)
      sqlite3_finalize(statement)
    }
    run("CREATE TABLE code(name TEXT PRIMARY KEY, n) WITHOUT ROWID")
    run("CREATE TABLE number(value)")
    run("CREATE TRIGGER seldom AFTER INSERT ON number WHEN new.value > 9 BEGIN UPDATE code SET n = 1; END")
    run("CREATE TRIGGER always AFTER INSERT ON number BEGIN UPDATE code SET n = 2; END")
    run("INSERT INTO code VALUES ('a', 0)")
    run("INSERT INTO number(rowid, value) VALUES (0, 1)")
    run("INSERT INTO number VALUES (10)")
    for verb in ["CREATE TABLE IF NOT EXISTS number(value)", "CREATE TEMP TABLE IF NOT EXISTS number(value)"]
    { run(verb) }
    for verb in ["DROP TABLE IF EXISTS absent", "DROP TRIGGER IF EXISTS always"] { run(verb) }
    XCTFail("behind what is not there")
  }

  /// Run alone: it ends its process inside a statement.
  func testDiesInAStatement() throws {
    let queue = try queue()
    let die = DatabaseFunction("die", argumentCount: 0) { _ in
      kill(getpid(), SIGKILL)
      return nil
    }
    try queue.write { db in
      db.add(function: die)
      try db.execute(sql: "INSERT INTO number VALUES (7)")
      try db.execute(sql: "INSERT INTO number SELECT die()")
    }
  }

  /// As text, and as the digits of a blob.
  private static let keys = ["geheim", "67656865696d"]

  /// However SQLite lets a key be written, whether or not this one knows what to do with it.
  private static func statementsWithKeys(_ folder: String) -> [String] {
    let uri = "file:\(folder)/a.db?mode=rwc&key=geheim&hexkey=67656865696d"
    let blob = uri.utf8.map { String($0, radix: 16) }.joined()
    return [
      "PRAGMA key = 'geheim'", "\u{FEFF}PRAGMA key = 'geheim'",
      "/* a */ -- b\n pragma main.rekey = 'geheim'",
      "PRAGMA hexkey='geheim'", "\tATTACH ':memory:' AS a KEY 'geheim'",
      "\u{FEFF} attach ':memory:' as b key 'geheim'",
      "PRAGMA \u{FEFF}key = geheim(",
      "PRAGMA \"rekey\" = 'geheim'", "PRAGMA [rekey]=geheim", "PRAGMA `rekey`('geheim')",
      "PRAGMA 'ReKey' = \"geheim\"",
      "PRAGMA \"main\".\"rekey\" = 'geheim'", "pragma/**/[main]/* a */./**/`hexkey`-- b\n=/**/[geheim]",
      "PRAGMA main rekey = 'geheim'", "PRAGMA rekey 'geheim'", "PRAGMA \"key'geheim'",
      "EXPLAIN QUERY PLAN PRAGMA textkey = 'geheim'", ";;PRAGMA key = 'geheim'",
      "SELEKT 1; SELECT ';'; PRAGMA key = 'geheim'",
      "PRAGAM key='geheim'", "PRAGMAkey='geheim'", "' PRAGMA key='geheim'",
      "SELECT \"; PRAGMA key = 'geheim'",
      "ATACH ':memory:' AS a KEY 'geheim'", "ATACH 'a.db?hexkey=geheim' AS b",
      "PRAGAM \"rekey\"=x'6765' geheim",
      "PRAGAM cipher_passphrase('geheim')",
      "ATTACH '\(uri)' AS c; DETACH c", "ATTACH \"\(uri)\" AS c; DETACH c", "ATTACH [\(uri)] AS c; DETACH c",
      "ATTACH `\(uri)` AS c; DETACH c",
      "ATTACH '\(uri.replacingOccurrences(of: "key", with: "%6bey"))' AS c; DETACH c",
      "ATTACH 'file:\(folder)/a.db?ke' || 'y=geheim' AS c; DETACH c",
      "ATTACH 'file:\(folder)/a.db' || char(63) || 'key=geheim' AS c; DETACH c",
      "ATTACH x'\(blob)' AS c; DETACH c", "ATTACH 'file:\(folder)/nowhere/a.db?key=geheim' AS c",
      "EXPLAIN ATTACH '\(uri)' AS c", "VACUUM INTO 'file:\(folder)/b.db?key=geheim'",
      "VACUUM main INTO 'file:\(folder)/b.db?key=geheim'",
    ]
  }

  private func runStatementsWithKeys(on db: Database, in folder: String) {
    for statement in Self.statementsWithKeys(folder) {
      sqlite3_exec(db.sqliteConnection, statement, nil, nil, nil)
    }
    for bound in ["ATTACH ? AS d", "ATTACH ':memory:' AS e KEY ?", "VACUUM INTO ?"] {
      var statement: OpaquePointer?
      sqlite3_prepare_v2(db.sqliteConnection, bound, -1, &statement, nil)
      "file:\(folder)/d.db?key=geheim".withCString { path in
        sqlite3_bind_text(statement, 1, path, -1, nil)
        sqlite3_step(statement)
      }
      sqlite3_finalize(statement)
    }
  }

  private func openWithKeys(in folder: String) {
    for path in ["\(folder)/f.db", "\(folder)/nowhere/f.db"] {
      var connection: OpaquePointer?
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
      sqlite3_open_v2("file:\(path)?key=geheim", &connection, flags, nil)
      sqlite3_exec(connection, "CREATE TABLE word(a)", nil, nil, nil)
      sqlite3_close(connection)
    }
  }

  private func useKeys() throws {
    let folder = NSTemporaryDirectory() + "keys-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    addTeardownBlock { try? FileManager.default.removeItem(atPath: folder) }
    try queue().writeWithoutTransaction { db in
      runStatementsWithKeys(on: db, in: folder)
      openWithKeys(in: folder)
      try db.execute(sql: "INSERT INTO number VALUES (7)")
      try db.execute(sql: "ATTACH 'file:\(folder)/g.db?mode=rwc&cache=private' AS harmless")
      try db.execute(sql: "PRAGMA harmless.table_info(keys)")
    }
    let runs = (ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"] ?? "") + "/runs"
    for run in try FileManager.default.contentsOfDirectory(atPath: runs) {
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(runs)/\(run)/trace") {
        let ring = try Data(contentsOf: URL(fileURLWithPath: "\(runs)/\(run)/trace/\(file)"))
        for key in Self.keys { XCTAssertNil(ring.range(of: Data(key.utf8)), "in the ring") }
      }
    }
  }

  func testKeys() throws {
    try useKeys()
    XCTFail("after keys")
  }

  func testKeysBesideExclusions() throws {
    excludeFromEvidence(tables: ["person"])
    try useKeys()
    XCTFail("after keys")
  }

  private var filler: String { (ProcessInfo.processInfo.environment["EXHIBIT_ARTIFACTS"] ?? "") + "/filler" }

  /// Takes all room that the artifacts folder's disk has, where that is one of its own.
  private func fillTheDisk() throws {
    guard ProcessInfo.processInfo.environment["FILL_THE_DISK"] == "1" else { return }
    let descriptor = open(filler, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 1, count: 4096)
    for _ in 0..<(16 << 20) / bytes.count where write(descriptor, bytes, bytes.count) < bytes.count { return }
    XCTFail("The disk is larger than it should be.")
  }

  func testItsDiskFillsUp() throws {
    let queue = try queue()
    try add(0..<10, to: queue)
    try fillTheDisk()
    try add(10..<3000, to: queue)
    XCTFail("on a full disk")
    try add(3000..<3010, to: queue)
  }

  func testItsDiskHasRoomAgain() throws {
    let queue = try queue()
    try add(0..<10, to: queue)
    try fillTheDisk()
    try add(10..<3000, to: queue)
    unlink(filler)
    XCTFail("on a disk that was full")
    try add(3000..<3010, to: queue)
  }

  /// Run alone: it ends its process.
  func testDiesOnAFullDisk() throws {
    let queue = try queue()
    try add(0..<10, to: queue)
    try fillTheDisk()
    try add(10..<3000, to: queue)
    kill(getpid(), SIGKILL)
  }

  /// A column's name, asked for in UTF-16, stays where it is while its statement is stepped.
  func testNamesInUTF16() throws {
    try queue().write { db in
      let owner = try db.makeStatement(sql: "SELECT 1 AS \"Ångström\"")
      let statement = owner.sqliteStatement
      defer { withExtendedLifetime(owner) {} }
      let name = try XCTUnwrap(sqlite3_column_name16(statement, 0))
      let before = String(decodingCString: name.assumingMemoryBound(to: UInt16.self), as: UTF16.self)
      XCTAssertEqual(sqlite3_step(statement), SQLITE_ROW)
      let after = String(decodingCString: name.assumingMemoryBound(to: UInt16.self), as: UTF16.self)
      XCTAssertEqual(before, "Ångström")
      XCTAssertEqual(after, before)
      sqlite3_reset(statement)
    }
  }
}
