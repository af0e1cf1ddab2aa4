import Foundation
import GRDB
import XCTest

/// A folder of its own for one test, removed in its teardown.
class FolderTestCase: XCTestCase {
  var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

extension Database {
  func createPlayers(_ names: [String]) throws {
    try execute(sql: "CREATE TABLE IF NOT EXISTS player(id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    for name in names { try execute(sql: "INSERT INTO player(name) VALUES (?)", arguments: [name]) }
  }
}

final class QueueTests: FolderTestCase {
  private let property = try? DatabaseQueue()

  func testPasses() throws {
    let queue = try DatabaseQueue(path: path("passes.sqlite"))
    try queue.write { try $0.createPlayers(["Ada"]) }
  }

  func testLocalQueueOnDisk() throws {
    let queue = try DatabaseQueue(path: path("local.sqlite"))
    try queue.write { try $0.createPlayers(["Ada", "Grace"]) }
    XCTAssertEqual(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") }, 3)
  }

  func testLocalQueueInMemory() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.createPlayers(["in memory"]) }
    XCTAssertEqual(1, 2)
    XCTAssertEqual(3, 4, "a second failure")
  }

  func testPool() throws {
    let pool = try DatabasePool(path: path("pool.sqlite"))
    try pool.write { try $0.createPlayers(["Ada", "Grace", "Edsger"]) }
    XCTAssertEqual(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") }, 4)
  }

  func testProperty() throws {
    try property?.write { try $0.createPlayers(["property"]) }
    XCTAssertNil(property)
  }

  func testInsideATransaction() throws {
    let queue = try DatabaseQueue(path: path("transaction.sqlite"))
    try queue.write { try $0.createPlayers(["committed"]) }
    try queue.write { db in
      try db.createPlayers(["uncommitted"])
      XCTAssertTrue(false, "inside the transaction")
    }
  }

  func testInsideAPoolTransaction() throws {
    let pool = try DatabasePool(path: path("pool-transaction.sqlite"))
    try pool.write { try $0.createPlayers(["committed"]) }
    try pool.write { db in
      try db.createPlayers(["uncommitted"])
      XCTAssertTrue(false, "inside the transaction")
    }
  }

  func testInsideARead() throws {
    let pool = try DatabasePool(path: path("read.sqlite"))
    try pool.write { try $0.createPlayers(["Ada"]) }
    try pool.read { db in
      XCTAssertEqual(try Int.fetchOne(db, sql: "SELECT count(*) FROM player"), 5)
    }
  }

  func testThrows() throws {
    let queue = try DatabaseQueue(path: path("throws.sqlite"))
    try queue.write { try $0.createPlayers(["Ada"]) }
    try queue.write { try $0.execute(sql: "INSERT INTO missing VALUES (1)") }
  }

  func testSkipped() throws {
    throw XCTSkip("not today")
  }

  func testAsynchronous() async throws {
    let queue = try DatabaseQueue(path: path("async.sqlite"))
    try await queue.write { try $0.createPlayers(["async"]) }
    let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") }
    XCTAssertEqual(count, 0)
  }
}
