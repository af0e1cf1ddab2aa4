import Attach
import Foundation
import GRDB
import GRDBSQLite
import Testing
import XCTest

/// Where the tests that die leave their databases.
private let dyingFolder = URL(
  fileURLWithPath: ProcessInfo.processInfo.environment["DYING_FOLDER"] ?? NSTemporaryDirectory(),
  isDirectory: true)

/// Run in parallel, a process each: each dies in the middle of a transaction that has written to disk already.
final class DyingXCTests: XCTestCase {
  private func makeFolder() throws -> URL {
    let folder = dyingFolder.appendingPathComponent("dying-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static let commit = "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')"
  /// More pages than the cache holds.
  private static let fill = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO t SELECT 'uncommitted' || zeroblob(900) FROM n
    """

  private var smallCache: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = 2") }
    return configuration
  }

  private func die(in writer: any DatabaseWriter, _ death: @Sendable () -> Void) throws {
    try writer.write { try $0.execute(sql: Self.commit) }
    try writer.write { db in
      try db.execute(sql: Self.fill)
      death()
    }
  }

  private func open(_ file: String, journalMode: String) throws -> OpaquePointer {
    var connection: OpaquePointer?
    let path = try makeFolder().appendingPathComponent(file).path
    XCTAssertEqual(sqlite3_open(path, &connection), SQLITE_OK)
    let opened = try XCTUnwrap(connection)
    run("PRAGMA journal_mode=\(journalMode); PRAGMA cache_size=2; \(Self.commit)", on: opened)
    return opened
  }

  private func run(_ sql: String, on connection: OpaquePointer) {
    XCTAssertEqual(
      sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK, String(cString: sqlite3_errmsg(connection)))
  }

  func testPoolTraps() throws {
    let path = try makeFolder().appendingPathComponent("pool.sqlite").path
    let numbers: [Int] = []
    try die(in: try DatabasePool(path: path, configuration: smallCache)) { print(numbers[3]) }
  }

  func testQueueEndsInFatalError() throws {
    let path = try makeFolder().appendingPathComponent("queue.sqlite").path
    try die(in: try DatabaseQueue(path: path, configuration: smallCache)) { fatalError("on purpose") }
  }

  func testConnectionIsKilledInWALMode() throws {
    let connection = try open("wal.db", journalMode: "WAL")
    run("BEGIN; \(Self.fill)", on: connection)
    kill(getpid(), SIGKILL)
  }

  func testConnectionIsKilledInRollbackMode() throws {
    let connection = try open("rollback.db", journalMode: "DELETE")
    run("BEGIN; \(Self.fill)", on: connection)
    kill(getpid(), SIGKILL)
  }

  /// One database is closed and removed before the crash, one closed and left, one open with an excluded table.
  func testOthersDatabases() throws {
    let folder = try makeFolder()
    for name in ["removed.db", "closed.db"] {
      try DatabaseQueue(path: folder.appendingPathComponent(name).path).write {
        try $0.execute(sql: Self.commit)
      }
    }
    try FileManager.default.removeItem(at: folder.appendingPathComponent("removed.db"))
    var excluding = smallCache
    excluding.label = "excluding"
    let queue = try DatabaseQueue(
      path: folder.appendingPathComponent("secret.db").path, configuration: excluding)
    excludeFromEvidence(tables: ["secret"])
    try queue.write { try $0.execute(sql: Self.commit + "; CREATE TABLE secret AS SELECT * FROM t") }
    fatalError("on purpose")
  }
}

/// Databases beside the main one of a connection.
final class DyingBesideXCTests: XCTestCase {
  private func makeFolder() throws -> String {
    let folder = dyingFolder.appendingPathComponent("dying-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.path
  }

  private func run(_ sql: String, on connection: OpaquePointer) {
    XCTAssertEqual(
      sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK, String(cString: sqlite3_errmsg(connection)))
  }

  /// One is attached to a database in memory, one to a file; one is gone again.
  func testAttached() throws {
    let folder = try makeFolder()
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "ATTACH DATABASE ? AS archive", arguments: ["\(folder)/archive.db"])
      try db.execute(sql: "PRAGMA archive.journal_mode=WAL; CREATE TABLE archive.t(a)")
      try db.execute(sql: "INSERT INTO archive.t VALUES ('one'), ('two')")
    }
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open("\(folder)/main.db", &connection), SQLITE_OK)
    let opened = try XCTUnwrap(connection)
    run("/* twice */ ATTACH '\(folder)/gone.db' AS gone; CREATE TABLE gone.t(a); DETACH gone", on: opened)
    try FileManager.default.removeItem(atPath: "\(folder)/gone.db")
    run(";\u{FEFF} ATTACH '\(folder)/second.db' AS second; CREATE TABLE second.t(a)", on: opened)
    run("CREATE TABLE main.t(a); INSERT INTO main.t VALUES ('main')", on: opened)
    run(
      "INSERT INTO second.t VALUES ('one'), ('two'); BEGIN; INSERT INTO second.t VALUES ('three')", on: opened
    )
    fatalError("on purpose")
  }

  /// `queue` is the process's, from before the test.
  private static let queue = Result { try DatabaseQueue() }

  func testInMemory() throws {
    let queue = try Self.queue.get()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')") }
    fatalError("on purpose")
  }

  func testWithoutAnyDatabase() { fatalError("on purpose") }
}

/// Never ends by itself.
final class HangingXCTests: XCTestCase {
  func testHangs() throws {
    let folder = dyingFolder.appendingPathComponent("hanging-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pool = try DatabasePool(path: folder.appendingPathComponent("hanging.sqlite").path)
    try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')") }
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES ('uncommitted')")
      try Data().write(to: URL(fileURLWithPath: dyingFolder.path + "/hangs.ready"))
      while true { sleep(1) }
    }
  }
}

/// Two run at the same time when one crashes.
@Suite(.attachOnFailure) struct DyingTraitTests {
  private static let ready = dyingFolder.path + "/waits.ready"

  @Test func waits() async throws {
    let queue = try DatabaseQueue(path: dyingFolder.path + "/waits-\(UUID().uuidString).sqlite")
    try await queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('waits')") }
    try Data().write(to: URL(fileURLWithPath: DyingTraitTests.ready))
    try await Task.sleep(for: .seconds(600))
  }

  @Test func crashesBesideIt() async throws {
    let queue = try DatabaseQueue(path: dyingFolder.path + "/crashes-\(UUID().uuidString).sqlite")
    try await queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('crashes')") }
    while !FileManager.default.fileExists(atPath: DyingTraitTests.ready) {
      try await Task.sleep(for: .milliseconds(10))
    }
    fatalError("on purpose")
  }
}

/// Its time limit strikes while it is where nothing can be cancelled.
@Suite(.attachOnFailure) struct EndlessTraitTests {
  @Test(.timeLimit(.minutes(1))) func neverReturns() throws {
    let folder = dyingFolder.appendingPathComponent("hanging-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pool = try DatabasePool(path: folder.appendingPathComponent("endless.sqlite").path)
    try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')") }
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES ('uncommitted')")
      while true { sleep(1) }
    }
  }
}

/// Each ends its process in a transaction, in order and as if all were well.
final class ExitingXCTests: XCTestCase {
  private func exiting(_ name: String, _ end: @Sendable () -> Void) throws {
    let folder = dyingFolder.appendingPathComponent("dying-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pool = try DatabasePool(path: folder.appendingPathComponent(name).path)
    try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')") }
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES ('uncommitted')")
      end()
    }
  }

  func testExits() throws { try exiting("exits.sqlite") { exit(0) } }
  func testExitsAtOnce() throws { try exiting("at-once.sqlite") { _exit(0) } }
  func testZPassesAfterwards() {}
}

@Suite(.attachOnFailure, .serialized) struct ExitingTraitTests {
  @Test func exits() throws {
    let queue = try DatabaseQueue(path: dyingFolder.path + "/exits-\(UUID().uuidString).sqlite")
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('one'), ('two')") }
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES ('uncommitted')")
      exit(0)
    }
  }
}
