import Bookshop
import Foundation
import XCTest

/// A shop of its own for each test, in a folder that goes in teardown.
class BookshopTestCase: XCTestCase {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("bookshop-\(UUID().uuidString)")

  var path: String { folder.appendingPathComponent("bookshop.sqlite").path }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  /// A shop with 40 books, 5 customers and the given orders of the first customer.
  func openShop(orders: [[Quantity]] = []) throws -> Bookshop {
    let shop = try Bookshop(at: path)
    try shop.database.write { db in
      try Catalogue.insertBooks(db)
      try Catalogue.insertCustomers(db)
      for (day, quantities) in orders.enumerated() {
        _ = try Bookshop.place(quantities, for: 1, at: Self.date(day: day), in: db)
      }
    }
    return shop
  }

  static func date(day: Int) -> Date {
    Date(timeIntervalSince1970: 1_790_000_000 + Double(day) * 86_400)
  }
}
