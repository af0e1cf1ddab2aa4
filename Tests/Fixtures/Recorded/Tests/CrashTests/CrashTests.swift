import Attach
import Foundation
import GRDB
import Testing
import XCTest

/// Run alone: each ends its process.
final class CrashXCTests: XCTestCase {
  private func crashing(_ crash: (Database) -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("crash-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pool = try DatabasePool(path: folder.appendingPathComponent("crash.sqlite").path)
    try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES ('committed')") }
    XCTAssertEqual(1, 2, "a failure before the crash")
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES ('uncommitted')")
      crash(db)
    }
  }

  func testFatalError() throws { try crashing { _ in fatalError("on purpose") } }
  func testKilled() throws { try crashing { _ in kill(getpid(), SIGKILL) } }
  func testZPassesAfterwards() {}
}

@Suite(.attachOnFailure, .serialized) struct CrashTraitTests {
  @Test func crashes() throws {
    #expect(1 == 2)
    fatalError("on purpose")
  }
}
