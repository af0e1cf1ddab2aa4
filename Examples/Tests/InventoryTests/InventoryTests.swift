import Foundation
import Inventory
import XCTest

/// Attach is not named here: another test target of the package links it, and XCTest runs them all.
final class InventoryTests: XCTestCase {
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("inventory-\(UUID().uuidString).db")

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: file)
  }

  private func openInventory() throws -> Inventory {
    let inventory = try Inventory(at: file.path)
    try inventory.load(Delivery.sql)
    return inventory
  }

  func testAMoveIsWrittenDown() throws {
    let inventory = try openInventory()
    try inventory.move(3, of: 4, from: 4, to: 9)
    try inventory.move(2, of: 4, from: 9, to: 10)
    XCTAssertEqual(try inventory.movements(of: 4), [3, 2])
  }

  func testAMoveNeitherMakesNorLosesUnits() throws {
    let inventory = try openInventory()
    let before = try inventory.units(of: 7)
    try inventory.move(2, of: 7, from: 2, to: 11)
    try inventory.move(50, of: 7, from: 11, to: 5)
    XCTAssertEqual(try inventory.units(of: 7), before, "units of article 7 in the whole warehouse")
  }

  func testAnUnknownShelfIsRefused() throws {
    let inventory = try openInventory()
    XCTAssertThrowsError(try inventory.move(1, of: 4, from: 4, to: 99))
    XCTAssertEqual(try inventory.movements(of: 4), [])
  }
}
