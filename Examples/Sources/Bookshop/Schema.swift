import GRDB

/// The versions of the shop's database.
package enum Schema {
  package static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1 catalogue", migrate: createCatalogue)
    migrator.registerMigration("v2 languages", migrate: addLanguages)
    migrator.registerMigration("v3 orders", migrate: createOrders)
    return migrator
  }

  private static func createCatalogue(_ db: Database) throws {
    try db.create(table: "book") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("title", .text).notNull()
      table.column("author", .text).notNull().indexed()
      table.column("year", .integer).notNull()
      table.column("price", .integer).notNull()
      table.column("stock", .integer).notNull().defaults(to: 0)
    }
  }

  private static func addLanguages(_ db: Database) throws {
    try db.alter(table: "book") { table in
      table.add(column: "language", .text)
    }
  }

  private static func createOrders(_ db: Database) throws {
    try db.create(table: "customer") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("name", .text).notNull()
      table.column("email", .text).notNull().unique()
    }
    try db.create(table: "order") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("customer", .integer).notNull().references("customer")
      table.column("placed", .datetime).notNull()
    }
    try db.create(table: "orderLine") { table in
      table.primaryKey {
        table.column("order", .integer).references("order", onDelete: .cascade)
        table.column("book", .integer).references("book")
      }
      table.column("quantity", .integer).notNull()
      table.column("price", .integer).notNull()
    }
    try db.create(table: "reservation") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("order", .integer).notNull().references("order", onDelete: .cascade)
      table.column("book", .integer).notNull().references("book")
      table.column("quantity", .integer).notNull()
    }
  }
}
