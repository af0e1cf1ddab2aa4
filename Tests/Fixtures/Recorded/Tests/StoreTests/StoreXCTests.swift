import Attach
import AttachGRDB
import Foundation
import GRDB
import XCTest

/// The same tests on both store types; those that XCTest finds are in the subclasses.
class StationTestCase<Store: TestStore>: StoreTestCase<Store> {
  override var attachments: [StoreAttachment] { [.database, .folder] }

  func run(_ sql: String) throws { XCTFail("a subclass runs \(sql)") }
  func departures() throws -> Int { XCTFail("a subclass counts"); return 0 }

  override func prepare(_ store: Store) throws {
    try run("CREATE TABLE departure(id INTEGER PRIMARY KEY, destination TEXT NOT NULL, track INTEGER)")
    try run("INSERT INTO departure(destination, track) VALUES ('Oslo', 1), ('Bergen', 2), ('Narvik', 3)")
    let support = store.folder.appendingPathComponent(".Station_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 2000).write(to: support.appendingPathComponent("0001"))
  }

  func startAfresh() throws {
    XCTAssertEqual(try departures(), 3)
    try run("DELETE FROM departure")
  }

  func changeAndFail() throws {
    try run("INSERT INTO departure(destination, track) VALUES ('Bodø', 4)")
    try run("UPDATE departure SET track = 9 WHERE destination = 'Oslo'")
    try run("DELETE FROM departure WHERE destination = 'Narvik'")
    XCTAssertEqual(try departures(), 4, "at \(store.url.path)")
  }

  func changeAndThrow() throws {
    try run("INSERT INTO departure(destination) VALUES ('thrown')")
    try run("no statement")
  }
}

final class SQLiteStationTests: StationTestCase<SQLiteStore> {
  func testEveryTestStartsAfresh() throws { try startAfresh() }
  func testEveryTestStartsAfreshAgain() throws { try startAfresh() }
  func testFails() throws { try changeAndFail() }
  func testThrows() throws { try changeAndThrow() }

  override func run(_ sql: String) throws { try store.database.execute(sql) }

  override func departures() throws -> Int {
    guard case .integer(let count)? = try store.database.rows("SELECT count(*) FROM departure").first?.first
    else { return -1 }
    return Int(count)
  }
}

final class GRDBStationTests: StationTestCase<GRDBStore> {
  func testEveryTestStartsAfresh() throws { try startAfresh() }
  func testEveryTestStartsAfreshAgain() throws { try startAfresh() }
  func testFails() throws { try changeAndFail() }
  func testThrows() throws { try changeAndThrow() }

  override func run(_ sql: String) throws { try store.writer.write { try $0.execute(sql: sql) } }

  override func departures() throws -> Int {
    try store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM departure") ?? -1 }
  }
}

final class UnpreparedStationTests: StoreTestCase<SQLiteStore> {
  override func prepare(_ store: SQLiteStore) throws {
    try store.database.execute("CREATE TABLE departure(id INTEGER PRIMARY KEY, destination TEXT NOT NULL)")
    try store.database.execute("INSERT INTO departure(destination) VALUES ('Oslo')")
    try store.database.execute("INSERT INTO departure(destination) VALUES (NULL)")
  }

  func testIsNotReached() {}
}
