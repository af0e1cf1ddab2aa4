import Foundation
import GRDB

/// A bookshop whose catalogue, customers and orders lie in one SQLite file.
package struct Bookshop: Sendable {
  package let database: DatabasePool

  /// Opens the shop, and brings a file of an earlier version up to date.
  package init(at path: String) throws {
    database = try DatabasePool(path: path)
    try Schema.migrator.migrate(database)
  }

  package func books(by author: String) throws -> [Book] {
    try database.read { db in
      try Book.filter(Column("author") == author).order(Column("year")).fetchAll(db)
    }
  }

  /// Takes a book out of the catalogue.
  package func remove(_ book: Int64) throws {
    _ = try database.write { try Book.deleteOne($0, key: book) }
  }

  /// The price of everything in an order, in cents.
  package func total(of order: Order) throws -> Int {
    try database.read { db in
      let sql = #"SELECT sum(price) FROM orderLine WHERE "order" = ?"#
      return try Int.fetchOne(db, sql: sql, arguments: [order.id]) ?? 0
    }
  }
}

// MARK: - Ordering

extension Bookshop {
  package func place(_ quantities: [Quantity], for customer: Int64, at date: Date) throws -> Order {
    try database.write { try Self.place(quantities, for: customer, at: date, in: $0) }
  }

  /// Takes an order down and reserves its books.
  package static func place(
    _ quantities: [Quantity], for customer: Int64, at date: Date, in db: Database
  ) throws -> Order {
    var order = Order(customer: customer, placed: date)
    try order.insert(db)
    for quantity in quantities {
      try add(quantity, to: order, in: db)
      try reserve(quantity, for: order, in: db)
    }
    return order
  }

  private static func add(_ quantity: Quantity, to order: Order, in db: Database) throws {
    let sql = #"""
      INSERT INTO orderLine("order", book, quantity, price)
      SELECT ?, id, ?, price FROM book WHERE id = ?
      """#
    try db.execute(sql: sql, arguments: [order.id, quantity.copies, quantity.book])
  }

  private static func reserve(_ quantity: Quantity, for order: Order, in db: Database) throws {
    let sql = #"""
      INSERT INTO reservation("order", book, quantity)
      SELECT ?, id, ? FROM book WHERE id = ? AND stock > ?
      """#
    try db.execute(sql: sql, arguments: [order.id, quantity.copies, quantity.book, quantity.copies])
  }
}
