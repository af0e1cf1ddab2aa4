import Foundation
import GRDB
import Testing
import XCTest

/// Tests that fail until they have run as often as their number says; files in `$AGAIN` count.
private func count(_ name: String) throws -> Int {
  let folder = try #require(ProcessInfo.processInfo.environment["AGAIN"])
  let path = "\(folder)/\(name)"
  let number = ((FileManager.default.contents(atPath: path)?.count) ?? 0) + 1
  try Data(repeating: UInt8(ascii: "x"), count: number).write(to: URL(fileURLWithPath: path))
  let queue = try DatabaseQueue()
  try queue.write {
    try $0.execute(sql: "CREATE TABLE runs (number INTEGER); INSERT INTO runs VALUES (\(number))")
  }
  return number
}

final class AgainXCTests: XCTestCase {
  func testPasses() throws { XCTAssertEqual(try count("testPasses"), 1) }
  func testFailsOnce() throws { XCTAssertGreaterThan(try count("testFailsOnce"), 1) }
  /// Its name is the beginning of none, and that of another is its beginning.
  func testFailsOnceMore() throws { XCTAssertEqual(try count("testFailsOnceMore"), 1) }
  func testFailsTwice() throws { XCTAssertGreaterThan(try count("testFailsTwice"), 2) }
  func testFailsAlways() throws { XCTAssertEqual(try count("testFailsAlways"), 0) }
  func testFailsAsync() async throws { XCTAssertNotEqual(try count("testFailsAsync"), 1) }
}

final class DyingOnceXCTests: XCTestCase {
  func testDiesOnce() throws {
    if try count("testDiesOnce") == 1 { fatalError("It dies once.") }
  }
}

@Test func failsOnceFreely() throws { #expect(try count("failsOnceFreely") != 1) }

@Suite struct AgainSuite {
  @Suite struct Inner {
    @Test("Fails in its first run") func failsOnce() throws { #expect(try count("failsOnce") != 1) }
    @Test func failsOnceNot() throws { #expect(try count("failsOnceNot") == 1) }
  }

  @Test(arguments: ["a", "b", "c"]) func failsOnce(case name: String) throws {
    let number = try count("case-\(name)")
    #expect(name == "a" || name == "b" && number != 1 || name == "c" && number == 0)
  }

  @Test func `fails (once) $1.50 + [more]`() throws { #expect(try count("raw") != 1) }

  /// It passes when it runs again, and fails once more.
  @Test func passesOnlyInTheSecondRun() throws { #expect(try count("second") == 2) }
}
