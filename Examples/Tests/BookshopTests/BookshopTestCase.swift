import Bookshop
import Foundation
import GRDB
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

  /// A shop with 40 books, 5 customers and 12 orders of earlier days.
  func openShop() throws -> Bookshop {
    let shop = try Bookshop(at: path)
    try shop.database.write { db in
      try Catalogue.insertBooks(db)
      try Catalogue.insertCustomers(db)
      for day in 0..<12 { try placeOrder(ofDay: day, in: db) }
    }
    return shop
  }

  static let today = Date(timeIntervalSince1970: 1_790_000_000)

  private func placeOrder(ofDay day: Int, in db: Database) throws {
    let quantities = [
      Quantity(book: Int64(day * 3 % 40 + 1), copies: 1),
      Quantity(book: Int64((day * 7 + 5) % 40 + 1), copies: day % 2 + 1),
    ]
    let date = Self.today.addingTimeInterval(86_400 * Double(day - 12))
    _ = try Bookshop.place(quantities, for: Int64(day % 5 + 1), at: date, in: db)
  }
}
