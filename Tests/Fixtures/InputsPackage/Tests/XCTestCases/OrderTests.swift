import Foundation
import XCTest

final class OrderTests: XCTestCase {
  func testPass() {
    XCTAssertEqual(1 + 1, 2)
  }

  func testFail() {
    XCTAssertEqual("a < b & \"c\"", "a > b")
  }

  func testFailTwice() {
    XCTAssertTrue(false, "the first")
    XCTFail("the second")
  }

  func testThrow() throws {
    throw OrderError.outOfStock(item: "pen")
  }

  func testSkip() throws {
    throw XCTSkip("not today")
  }

  func testAsyncFail() async {
    await Task.yield()
    XCTFail("after a suspension")
  }

  func testEscape() {
    XCTFail("\u{1B}[31mred\u{1B}[0m and a bell \u{07}")
  }

  func testCrashWhenAsked() {
    if ProcessInfo.processInfo.environment["CRASH"] == "xctest" {
      let numbers: [Int] = []
      print(numbers[1])
    }
  }
}

enum OrderError: Error {
  case outOfStock(item: String)
}

final class StoreTests: XCTestCase {
  func testPass() {}

  override func setUpWithError() throws {
    if name.contains("testSetUpThrows") { throw OrderError.outOfStock(item: "ink") }
  }

  func testSetUpThrows() {}
}
