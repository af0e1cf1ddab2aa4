import AppSQLite
import Attach
import Dispatch
import Foundation
import Testing
import XCTest

private let rows = "CREATE TABLE note(text); INSERT INTO note VALUES ('one'), ('two');"

/// SQLite in the executable, where its functions cannot be replaced: connections stay as the app opened them.
final class OwnTests: XCTestCase {
  private var folder = ""
  private var kept: OpaquePointer?

  override func setUpWithError() throws {
    folder = NSTemporaryDirectory() + "own-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: folder)
  }

  private func open(_ name: String, hasMutex: Bool, _ setup: String) throws -> OpaquePointer {
    let path = name == ":memory:" ? name : folder + "/" + name
    let database = try XCTUnwrap(app_open(path, hasMutex ? 1 : 0))
    XCTAssertEqual(app_run(database, setup), 0)
    return database
  }

  func testFileWithoutMutex() throws {
    let database = try open("own.sqlite", hasMutex: false, "PRAGMA journal_mode=WAL; \(rows)")
    XCTFail("a file")
    XCTAssertEqual(app_close(database), 0)
  }

  func testMemoryWithMutex() throws {
    let database = try open(":memory:", hasMutex: true, rows)
    XCTFail("in memory")
    XCTAssertEqual(app_close(database), 0)
  }

  func testMemoryThatIsUsedAgain() throws {
    let database = try open(":memory:", hasMutex: false, rows)
    XCTFail("in memory, without a mutex")
    XCTAssertEqual(app_run(database, "INSERT INTO note VALUES ('later')"), 0)
    XCTAssertEqual(app_close(database), 0)
  }

  func testMemoryThatIsClosed() throws {
    let database = try open(":memory:", hasMutex: false, rows)
    XCTFail("in memory, without a mutex")
    XCTAssertEqual(app_close(database), 0)
  }

  func testMemoryThatIsKept() throws {
    kept = try open(":memory:", hasMutex: false, rows)
    XCTFail("in memory, without a mutex")
  }

  func testMemoryOnAQueue() throws {
    let queue = DispatchQueue(label: "store")
    let database = try queue.sync { try open(":memory:", hasMutex: false, rows) }
    XCTFail("from outside the queue")
    queue.sync { XCTAssertEqual(app_close(database), 0) }
  }

  func testTransactionOnAQueue() throws {
    let queue = DispatchQueue(label: "store")
    try queue.sync {
      let database = try open("own.sqlite", hasMutex: false, rows)
      XCTAssertEqual(app_run(database, "BEGIN; INSERT INTO note VALUES ('not committed')"), 0)
      XCTFail("on the queue")
      XCTAssertEqual(app_run(database, "ROLLBACK"), 0)
      XCTAssertEqual(app_close(database), 0)
    }
  }

  func testThrowsAfterClosing() throws {
    let database = try open(":memory:", hasMutex: true, rows)
    XCTAssertEqual(app_close(database), 0)
    throw CocoaError(.featureUnsupported)
  }
}

@Suite(.attachOnFailure) struct OwnTraitTests {
  @Test(arguments: 0..<8) func atOnce(number: Int) async throws {
    let queue = DispatchQueue(label: "store")
    let database = try queue.sync {
      let database = try XCTUnwrap(app_open(":memory:", 0))
      XCTAssertEqual(app_run(database, "CREATE TABLE note(text); INSERT INTO note VALUES (\(number))"), 0)
      return database
    }
    await Task.yield()
    #expect(number < 0)
    queue.sync { _ = app_close(database) }
  }
}
