import FixtureSQLite
import XCTest

/// None of them names Attach.
final class LinkedXCTests: XCTestCase {
  private var db: OpaquePointer?

  override func setUp() {
    sqlite3_open(":memory:", &db)
    sqlite3_exec(db, "CREATE TABLE note (text TEXT)", nil, nil, nil)
  }

  override func tearDown() { sqlite3_close(db) }

  private func add(_ text: String) -> Int32 {
    sqlite3_exec(db, "INSERT INTO note VALUES ('\(text)')", nil, nil, nil)
  }

  func testPasses() { XCTAssertEqual(add("kept"), SQLITE_OK) }

  func testFails() {
    XCTAssertEqual(add("one"), SQLITE_OK)
    XCTAssertEqual(sqlite3_changes(db), 2)
  }

  func testThrows() throws {
    struct Refused: Error {}
    _ = add("thrown")
    throw Refused()
  }

  func testIsSkipped() throws { throw XCTSkip("not today") }

  func testFailsInATask() async {
    _ = add("awaited")
    await Task.yield()
    XCTFail("awaited")
  }

  /// Runs alone: it ends its process.
  func testTrapsWhenAsked() {
    guard ProcessInfo.processInfo.environment["TRAPS"] == "1" else { return }
    _ = add("last")
    let none: Int? = nil
    print(none!)
  }
}
