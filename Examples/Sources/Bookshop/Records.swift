import Foundation
import GRDB

/// A title in the catalogue; prices are in cents.
package struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  package var id: Int64?
  package var title: String
  package var author: String
  package var year: Int
  package var price: Int
  package var stock: Int
  package var language: String?

  package mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// Someone who buys books.
package struct Customer: Codable, FetchableRecord, MutablePersistableRecord {
  package var id: Int64?
  package var name: String
  package var email: String

  package init(name: String, email: String) {
    self.name = name
    self.email = email
  }

  package mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// What a customer ordered at one time.
package struct Order: Codable, FetchableRecord, MutablePersistableRecord {
  package var id: Int64?
  package var customer: Int64
  package var placed: Date

  package mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// How many copies of one book an order asks for.
package struct Quantity: Sendable {
  package var book: Int64
  package var copies: Int

  package init(book: Int64, copies: Int) {
    self.book = book
    self.copies = copies
  }
}
