import Attach
import Foundation
import GRDB
import Testing
import XCTest

/// The stores of Folio's released versions: 1.3, 1.3.5, 1.4 and 1.6.
private func fixtures() throws -> MigrationFixtures {
  let root = (0..<6).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  return try MigrationFixtures(in: root.appendingPathComponent("Examples/Tests/FolioTests/Fixtures"))
}

private func documents(in fixture: MigrationFixture) throws -> Int {
  let queue = try DatabaseQueue(path: fixture.copy().path)
  defer { try? queue.close() }
  return try queue.write { db in
    try db.execute(sql: "DELETE FROM document WHERE id = 1")
    return try Int.fetchOne(db, sql: "SELECT count(*) FROM document") ?? 0
  }
}

/// A test for each version; that of 1.3.5 was copied from that of 1.3 and still has its fixture.
@Suite(.attachOnFailure) struct ListedTests {
  @Test func version1_3() throws { _ = try documents(in: fixtures().fixture("1.3")) }
  @Test func version1_3_5() throws { _ = try documents(in: fixtures().fixture("1.3")) }
  @Test func version1_4() throws { #expect(try documents(in: fixtures().fixture("1.4")) == 22) }
  @Test func version1_6() throws { _ = try documents(in: fixtures().fixture("1.6")) }
}

/// The same mistake in XCTest.
final class ListedXCTests: XCTestCase {
  func test1_3() throws { _ = try documents(in: fixtures().fixture("1.3")) }
  func test1_3_5() throws { _ = try documents(in: fixtures().fixture("1.3")) }
  func test1_4() throws { XCTAssertEqual(try documents(in: fixtures().fixture("1.4")), 22) }
  func test1_6() throws { _ = try documents(in: fixtures().fixture("1.6")) }
}

/// Arguments that were listed by hand, one of them twice.
@Suite(.attachOnFailure) struct ArgumentTests {
  @Test(arguments: zip(["1.3", "1.3.5", "1.4", "1.6"], ["1.3", "1.3", "1.4", "1.6"]))
  func opens(version: String, file: String) throws {
    #expect(try documents(in: fixtures().fixture(file)) != 21, "version \(version)")
  }
}

/// A loop over all of them is in order.
final class LoopXCTests: XCTestCase {
  func testEveryVersion() throws {
    for fixture in try fixtures() {
      XCTAssertNotEqual(try documents(in: fixture), 21, "version \(fixture)")
    }
  }
}
