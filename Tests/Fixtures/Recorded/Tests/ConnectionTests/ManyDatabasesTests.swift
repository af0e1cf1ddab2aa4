import Attach
import Foundation
import GRDBSQLite
import XCTest

/// More databases come and go than can be held until it is known that their test passed.
final class ManyDatabasesTests: XCTestCase {
  /// Opens, fills, closes and removes a database in WAL mode.
  private func comeAndGo(_ name: String) throws {
    let folder = NSTemporaryDirectory() + "many-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var connection: OpaquePointer?
    XCTAssertEqual(sqlite3_open("\(folder)/\(name)", &connection), SQLITE_OK, "\(name): \(errno)")
    let sql = "PRAGMA journal_mode=WAL; CREATE TABLE note(text); INSERT INTO note VALUES ('\(name)')"
    XCTAssertEqual(sqlite3_exec(connection, sql, nil, nil, nil), SQLITE_OK, "\(name): \(errno)")
    XCTAssertEqual(sqlite3_close(connection), SQLITE_OK)
  }

  func testFewDescriptors() throws {
    let limit = try DescriptorLimit(free: 56)
    for number in 0..<60 { try comeAndGo("few-\(number).db") }
    let taken = limit.takeAll()
    // What 60 databases and their WALs would take is not there; what is left to the app is.
    XCTAssertGreaterThanOrEqual(taken.count, 30)
    limit.giveBack(taken)
    XCTFail("after all of them were removed")
  }

  func testMany() throws {
    for number in 0..<135 { try comeAndGo("many-\(number).db") }
    XCTFail("after all of them were removed")
  }
}
