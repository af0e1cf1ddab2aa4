import Attach
import Foundation
import Shopster
import XCTest

final class MigrationTests: XCTestCase {
  private static let oldShop = Result { try OldShop() }
  private var folder = URL(fileURLWithPath: "/")
  private var store = ""

  override class func setUp() {
    // Made before the first test, so that making it is no part of any.
    _ = oldShop
  }

  override class func tearDown() {
    if case .success(let shop) = oldShop { try? FileManager.default.removeItem(at: shop.folder) }
  }

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("Shopster-\(UUID().uuidString)")
    store = try Self.oldShop.get().copy(into: folder)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  func testTheStoreSurvivesAMigrationThatRenames() throws {
    try RenamingMigration.run(at: store)
    expectConsistentStore(at: folder)
    XCTAssertEqual(try ShopStore(at: store).products().count, OldShop.count)
  }

  func testTheStoreSurvivesStoreMigration() throws {
    XCTAssertEqual(try SafeMigration.run(at: store), .migrated)
    expectConsistentStore(at: folder)
    let products = try ShopStore(at: store).products()
    XCTAssertEqual(products.count, OldShop.count)
    XCTAssertEqual(Set(products.map(\.currency)), ["EUR"])
    XCTAssertEqual(try SafeMigration.run(at: store), .notNeeded)
  }
}
