import Attach
import AttachGRDB
import Foundation
import GRDB
import Testing

@Suite(
  .store { db in
    try db.execute("CREATE TABLE game(id TEXT PRIMARY KEY DEFAULT (uuid()), name TEXT NOT NULL)")
    try db.rows("INSERT INTO game VALUES (?, 'outer')", .uuid(.seed(-1)))
  }
)
struct SeededTests {
  private func names() throws -> [SQLiteValue] {
    try SQLiteStore.current.database.rows("SELECT name FROM game ORDER BY rowid").map { $0[0] }
  }

  @Test(arguments: 0..<20) func eachCaseHasAStoreOfItsOwn(number: Int) throws {
    let db = try SQLiteStore.current.database
    try db.rows("INSERT INTO game(name) VALUES (?)", .integer(Int64(number)))
    let rows = try db.rows("SELECT id, name FROM game ORDER BY rowid")
    #expect(rows == [[.uuid(.seed(-1)), "outer"], [.uuid(.seed(0)), .text("\(number)")]])
  }

  @Test func fails() throws {
    let db = try SQLiteStore.current.database
    try db.execute("INSERT INTO game(name) VALUES ('added')")
    #expect(try names() == ["outer"])
  }

  @Suite(.store { db in try db.rows("INSERT INTO game VALUES (?, 'inner')", .uuid(.seed(-2))) })
  struct Nested {
    @Test(.store { db in try db.execute("INSERT INTO game(name) VALUES ('own')") })
    func seedsRunFromTheOutsideIn() throws {
      let db = try SQLiteStore.current.database
      #expect(try db.rows("SELECT name FROM game ORDER BY rowid") == [["outer"], ["inner"], ["own"]])
    }

    @Test(.store(.onDisk) { _ in }) func cannotAskForAnotherKind() {}

    @Test func throwsAfterClosing() throws {
      let store = try SQLiteStore.current
      try store.database.execute("DELETE FROM game WHERE name = 'inner'")
      throw Refused()
    }
  }
}

struct Refused: Error {}

@Suite(
  .store(GRDBStore.self, .onDisk) { db in
    try db.execute(sql: "CREATE TABLE game(id TEXT PRIMARY KEY DEFAULT (uuid()), name TEXT NOT NULL)")
    try db.execute(sql: "INSERT INTO game VALUES (?, 'outer')", arguments: [UUID.seed(-1).uuidString])
  }
)
struct SeededGRDBTests {
  @Test(arguments: 0..<20) func eachCaseHasAStoreOfItsOwn(number: Int) async throws {
    let writer = try GRDBStore.current.writer
    try await writer.write { try $0.execute(sql: "INSERT INTO game(name) VALUES ('new')") }
    let ids = try await writer.read { try String.fetchAll($0, sql: "SELECT id FROM game ORDER BY rowid") }
    #expect(ids == [UUID.seed(-1).uuidString, UUID.seed(0).uuidString])
  }

  @Test func theAppsOwnConnectionCountsOn() throws {
    let queue = try DatabaseQueue(path: GRDBStore.current.url.path)
    let id = try queue.write { db in
      try String.fetchOne(db, sql: "INSERT INTO game(name) VALUES ('new') RETURNING id")
    }
    #expect(id == UUID.seed(0).uuidString)
  }

  @Test func fails() throws {
    let writer = try GRDBStore.current.writer
    try writer.write { try $0.execute(sql: "UPDATE game SET name = 'changed'") }
    #expect(Bool(false))
  }

  @Test func failsInATransaction() throws {
    try GRDBStore.current.writer.write { db in
      try db.execute(sql: "INSERT INTO game(name) VALUES ('uncommitted')")
      #expect(Bool(false))
    }
  }
}

@Suite struct BlankTests {
  @Test func hasNoStore() throws {
    _ = try SQLiteStore.current
  }

  @Test(.store { _ in }) func hasNoStoreOfThatType() throws {
    _ = try GRDBStore.current
  }

  @Test(
    .store { db in
      try db.execute("CREATE TABLE half(value)")
      try db.execute("INSERT INTO nowhere VALUES (1)")
    }
  )
  func seedFails() {
    Issue.record("the body must not run")
  }
}

/// Databases that the test opens itself and marks.
@Suite(.attachOnFailure) struct MarkedTests {
  @Test func queueInMemory() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(v); INSERT INTO t VALUES (1)") }
    markBaseline(.database(queue))
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(Bool(false))
  }

  @Test func everyDatabase() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(v); INSERT INTO t VALUES (1)") }
    markBaseline()
    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(Bool(false))
  }

  @Test func empty() throws {
    let queue = try DatabaseQueue()
    markBaseline(.database(queue))
    try queue.write { try $0.execute(sql: "CREATE TABLE t(v); INSERT INTO t VALUES (1)") }
    #expect(Bool(false))
  }

  @Test func largeInMemory() throws {
    let queue = try DatabaseQueue()
    try shrink(queue) { markBaseline() }
    #expect(Bool(false))
    try queue.close()
  }

  @Test func largeOnDisk() throws {
    let store = try GRDBStore(.onDisk)
    try shrink(store.writer) { markBaseline(.database(store.writer)) }
    try store.checkpoint()
    #expect(Bool(false))
    try store.destroy()
  }

  @Test func largePasses() throws {
    try shrink(DatabaseQueue()) { markBaseline() }
  }

  /// From five megabytes to one page.
  private func shrink(_ writer: some DatabaseWriter, _ mark: () -> Void) throws {
    try writer.write { try $0.execute(sql: "CREATE TABLE t(v); INSERT INTO t VALUES (zeroblob(5000000))") }
    mark()
    try writer.write { try $0.execute(sql: "UPDATE t SET v = 1") }
    try writer.vacuum()
  }

  @Test(.attachOnFailure(excludingTables: ["secret"])) func excluded() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE secret(v); INSERT INTO secret VALUES ('XYZZY')") }
    markBaseline()
    #expect(Bool(false))
  }

  @Test func passes() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(v)") }
    markBaseline()
  }
}

/// What SQLite opens a temporary database for.
@Suite(.attachOnFailure) struct TemporaryTests {
  private func queue(_ sql: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE old(v); " + sql) }
    return queue
  }

  private let rename = "ALTER TABLE old RENAME TO new"
  private let fill = "CREATE TEMP TABLE basket(v); INSERT INTO basket VALUES (7)"

  @Test func renames() throws {
    let queue = try queue(rename)
    #expect(Bool(false))
    try queue.close()
  }

  @Test func renamesAndCloses() throws {
    try queue(rename).close()
    #expect(Bool(false))
  }

  @Test func fills() throws {
    let queue = try queue(fill)
    #expect(Bool(false))
    try queue.close()
  }

  @Test func fillsAndCloses() throws {
    try queue(fill).close()
    #expect(Bool(false))
  }
}

/// Registered by GRDB's own terms: they are captured also where connections are not watched.
@Suite(.attachOnFailure) struct GRDBEvidenceTests {
  private func queue() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(v); INSERT INTO t VALUES (1)") }
    attachOnFailure(.database(queue, named: "Queue"))
    return queue
  }

  @Test func outsideItsQueue() throws {
    let queue = try queue()
    #expect(Bool(false))
    try queue.close()
  }

  @Test func insideATransaction() throws {
    try queue().write { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      #expect(Bool(false))
    }
  }

  @Test func whileAnotherThreadUsesIt() throws {
    let queue = try queue()
    let inside = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        inside.signal()
        Thread.sleep(forTimeInterval: 0.3)
      }
    }
    inside.wait()
    #expect(Bool(false))
  }

  @Test func poolInATransaction() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try DatabasePool(path: folder.appendingPathComponent("pool.sqlite").path)
    try pool.write { try $0.execute(sql: "CREATE TABLE t(v); INSERT INTO t VALUES (1)") }
    attachOnFailure(.database(pool))
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      #expect(Bool(false))
    }
  }
}
