import Harbour
import XCTest

final class HarbourTests: XCTestCase {
  private func harbour() throws -> Harbour {
    let harbour = try Harbour(Database())
    for berth in 1...14 {
      try harbour.arrive("Gull \(berth)", tons: 100 + 10 * berth, at: "A\(berth)", on: berth)
    }
    return harbour
  }

  func testOneShipLeavesEarly() throws {
    let harbour = try harbour()
    try harbour.release("A3", on: 20)
    try harbour.release("A1", on: 21)
    try harbour.invoice(until: 30)
    XCTAssertEqual(try harbour.due(), 5_056)
  }

  func testAllStay() throws {
    let harbour = try harbour()
    try harbour.invoice(until: 30)
    XCTAssertEqual(try harbour.due(), 5_285)
  }
}
