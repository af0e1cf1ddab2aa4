import Bookshop
import GRDB
import XCTest

final class OrderTests: BookshopTestCase {
  func testAnOrderKeepsThePriceOfItsDay() throws {
    let shop = try openShop(orders: [[Quantity(book: 1, copies: 1)]])
    try shop.database.write { try $0.execute(sql: "UPDATE book SET price = price * 2") }
    XCTAssertEqual(try shop.total(of: 1), 799)
  }

  func testTheTotalCountsEveryCopy() throws {
    let order = [Quantity(book: 2, copies: 1), Quantity(book: 14, copies: 3), Quantity(book: 26, copies: 2)]
    let shop = try openShop(orders: [[Quantity(book: 1, copies: 1)], order])
    XCTAssertEqual(try shop.total(of: 2), 899 + 3 * 1399 + 2 * 1699)
  }

  func testTheLastCopyIsReserved() throws {
    let shop = try openShop(orders: [[Quantity(book: 5, copies: 2)]])
    let order = [Quantity(book: 6, copies: 2), Quantity(book: 7, copies: 1), Quantity(book: 8, copies: 1)]
    try shop.database.write { db in
      let placed = try Bookshop.place(order, for: 2, at: Self.date(day: 1), in: db)
      let reserved = try Int64.fetchAll(
        db, sql: #"SELECT book FROM reservation WHERE "order" = ?"#, arguments: [placed.id])
      XCTAssertEqual(reserved, [6, 7, 8], "book 7 has one copy left, and this order takes it")
    }
  }

  func testABookThatWasSoldCanLeaveTheCatalogue() throws {
    let shop = try openShop(orders: [[Quantity(book: 12, copies: 1)]])
    try shop.remove(40)
    try shop.remove(12)
    XCTAssertEqual(try shop.database.read(Book.fetchCount), 38)
  }
}
