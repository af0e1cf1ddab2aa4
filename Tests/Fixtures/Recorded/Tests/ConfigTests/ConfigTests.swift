import Foundation
import GRDB
import GRDBSQLite
import XCTest

/// Run alone: SQLite is configured before its first use in the process.
final class ConfigTests: XCTestCase {
  private static let messages = Messages()

  func testSQLiteCanBeConfigured() throws {
    Database.logError = { code, message in Self.messages.append("\(code): \(message)") }
    // SQLITE_CONFIG_LOG is what GRDB sets; it is refused once SQLite is initialised.
    let queue = try DatabaseQueue()
    XCTAssertThrowsError(try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM missing") })
    XCTAssertTrue(
      Self.messages.all.contains { $0.contains("missing") }, "GRDB heard nothing: \(Self.messages.all)")
  }
}

private final class Messages: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [String] = []
  func append(_ message: String) { lock.withLock { list.append(message) } }
  var all: [String] { lock.withLock { list } }
}
