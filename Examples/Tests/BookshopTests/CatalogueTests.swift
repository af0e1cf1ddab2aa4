import Bookshop
import Foundation
import GRDB
import XCTest

final class CatalogueTests: BookshopTestCase {
  func testFindsTheBooksOfAnAuthorInOrderOfTheirYears() throws {
    let books = try openShop().books(by: "Virginia Woolf")
    XCTAssertEqual(books.map(\.title), ["Mrs Dalloway", "To the Lighthouse", "Orlando"])
  }

  func testBooksOfTheFirstVersionGetALanguage() throws {
    let old = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(old, upTo: "v1 catalogue")
    try old.write(Catalogue.insertBooks)
    try old.close()

    let shop = try Bookshop(at: path)
    let nameless = try shop.database.read { db in
      try Book.filter(Column("language") == nil).fetchCount(db)
    }
    XCTAssertEqual(nameless, 0, "books without a language after migration")
  }

  func testImportsThePublishersList() throws {
    guard let list = ProcessInfo.processInfo.environment["PUBLISHERS_LIST"] else {
      throw XCTSkip("PUBLISHERS_LIST names no file")
    }
    XCTAssertEqual(try String(contentsOfFile: list, encoding: .utf8), Catalogue.list)
  }
}
