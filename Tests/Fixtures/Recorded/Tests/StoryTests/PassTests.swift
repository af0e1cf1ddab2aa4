import Attach
import Foundation
import GRDB
import Glibc
import XCTest

/// Tests that pass, or fail at their end where `$PASS_FAILS` says so: what both did is told alike.
final class PassTests: XCTestCase {
  private func end() {
    if ProcessInfo.processInfo.environment["PASS_FAILS"] == "1" { XCTFail("as it was told") }
  }

  /// Memory and a file, results, changes, a trigger, an error that nobody sees, and a transaction that is rolled back.
  func testOrders() throws {
    let folder = NSTemporaryDirectory() + "pass-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    addTeardownBlock { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try DatabaseQueue(path: folder + "/orders.db")
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE orders(id INTEGER PRIMARY KEY, total REAL, note TEXT UNIQUE);
          CREATE TABLE log(text);
          CREATE TRIGGER noted AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (new.note); END
          """)
      for number in 1...8 {
        try db.execute(
          sql: "INSERT INTO orders(total, note) VALUES (?, ?)",
          arguments: [Double(number) / 4, "note \(number)"])
      }
    }
    try queue.write { db in
      try? db.execute(sql: "INSERT INTO orders(total, note) VALUES (1, 'note 1')")
      try db.execute(sql: "UPDATE orders SET total = total * 2 WHERE id > ?", arguments: [4])
    }
    try queue.inDatabase { db in
      try db.execute(sql: "BEGIN; DELETE FROM orders WHERE id = 3; ROLLBACK")
    }
    let memory = try DatabaseQueue()
    let sums = try queue.read { try Double.fetchAll($0, sql: "SELECT total FROM orders ORDER BY id") }
    try memory.write { try $0.execute(sql: "CREATE TABLE t(x); INSERT INTO t VALUES (\(sums.count))") }
    end()
  }

  func testWithoutSteps() {}

  func testFails() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE failing(x)") }
    XCTFail("always")
  }

  /// One number is another one in each process, and a text only where it fails.
  func testVaries() throws {
    let fails = ProcessInfo.processInfo.environment["PASS_FAILS"] == "1"
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE run(process INTEGER, kind TEXT)")
      try db.execute(sql: "INSERT INTO run(process) VALUES (\(getpid()))")
      try db.execute(sql: "UPDATE run SET kind = ?", arguments: [fails ? "failing" : "passing"])
    }
    end()
  }

  /// More than a small ring keeps.
  func testManySteps() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE number(value)")
      for value in 0..<3000 { try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value]) }
    }
    end()
  }

  /// What is written before the exclusion is forgotten, and what comes behind has no values.
  func testExcludes() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE person(name TEXT)")
      try db.execute(sql: "INSERT INTO person VALUES ('sentinel-before')")
    }
    excludeFromEvidence(tables: ["person"])
    try queue.write { db in
      try db.execute(sql: "INSERT INTO person VALUES ('sentinel-literal')")
      try db.execute(sql: "INSERT INTO person VALUES (?)", arguments: ["sentinel-bound"])
      try db.execute(sql: "UPDATE person SET name = name || 'sentinel-changed'")
      _ = try Row.fetchAll(db, sql: "SELECT * FROM person")
      try db.execute(sql: "CREATE TABLE open(x); INSERT INTO open VALUES ('seen')")
    }
  }

  /// Neither the package nor a temporary folder has it.
  func testOutside() throws {
    guard let folder = ProcessInfo.processInfo.environment["PASS_OUTSIDE"] else { return }
    let queue = try DatabaseQueue(path: folder + "/outside.db")
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS person(name TEXT)")
      try db.execute(sql: "INSERT INTO person VALUES (?)", arguments: ["sentinel-outside"])
    }
  }

  /// Dies in the middle of a test, after others passed.
  func testZDies() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE dying(x)") }
    kill(getpid(), SIGKILL)
  }
}
