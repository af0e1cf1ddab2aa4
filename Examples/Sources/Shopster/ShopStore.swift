import GRDB

/// The products of a shop, in WAL mode; prices have a currency since version 2.
package struct ShopStore: Sendable {
  package static let version = 2

  package struct Product: Sendable, Equatable, FetchableRecord, Decodable {
    package var name: String
    package var price: Int
    package var currency: String
  }

  package let database: DatabasePool

  package init(at path: String) throws {
    database = try DatabasePool(path: path)
  }

  package func products() throws -> [Product] {
    try database.read {
      try Product.fetchAll($0, sql: "SELECT name, price, currency FROM product ORDER BY id")
    }
  }

  /// Version 2 of version 1, in one connection.
  static func addCurrencies(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE new_product(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, currency TEXT NOT NULL DEFAULT 'EUR'
        );
        INSERT INTO new_product(id, name, price) SELECT id, name, price FROM product;
        DROP TABLE product;
        ALTER TABLE new_product RENAME TO product;
        PRAGMA user_version = 2;
        """)
  }
}
