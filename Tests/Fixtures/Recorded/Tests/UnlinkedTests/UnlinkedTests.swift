import GRDB
import XCTest

/// This target does not link Attach; another one of the package does.
final class UnlinkedTests: XCTestCase {
  func testFailsInATargetThatDoesNotLinkAttach() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql:
          "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO player VALUES (1, 'unlinked')")
    }
    XCTAssertEqual(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") }, 2)
  }
}
