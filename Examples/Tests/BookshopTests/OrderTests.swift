import Bookshop
import GRDB
import XCTest

final class OrderTests: BookshopTestCase {
  func testAnOrderKeepsThePriceOfItsDay() throws {
    let shop = try openShop()
    let order = try shop.place([Quantity(book: 1, copies: 1)], for: 1, at: Self.today)
    try shop.database.write { try $0.execute(sql: "UPDATE book SET price = price * 2") }
    XCTAssertEqual(try shop.total(of: order), 799)
  }

  func testTheTotalCountsEveryCopy() throws {
    let shop = try openShop()
    let quantities = [
      Quantity(book: 2, copies: 1), Quantity(book: 14, copies: 3), Quantity(book: 26, copies: 2),
    ]
    let order = try shop.place(quantities, for: 3, at: Self.today)
    XCTAssertEqual(try shop.total(of: order), 899 + 3 * 1399 + 2 * 1699)
  }

  func testTheLastCopyIsReserved() throws {
    let shop = try openShop()
    let quantities = [6, 7, 8].map { Quantity(book: $0, copies: 1) }
    try shop.database.write { db in
      let order = try Bookshop.place(quantities, for: 2, at: Self.today, in: db)
      let reserved = try Int64.fetchAll(
        db, sql: #"SELECT book FROM reservation WHERE "order" = ?"#, arguments: [order.id])
      XCTAssertEqual(reserved, [6, 7, 8], "one copy of book 7 is left, and this order takes it")
    }
  }

  func testABookThatWasSoldCanLeaveTheCatalogue() throws {
    let shop = try openShop()
    _ = try shop.place([Quantity(book: 12, copies: 1)], for: 4, at: Self.today)
    try shop.remove(40)
    try shop.remove(12)
    XCTAssertEqual(try shop.database.read(Book.fetchCount), 38)
  }
}
