#if ATTACH
  import Attach
  import Foundation
  import Testing
  import XCTest

  final class StoreXCTests: StoreTestCase<SQLiteStore> {
    override var attachments: [StoreAttachment] { [.database, .folder] }

    override func prepare(_ store: SQLiteStore) throws {
      try store.database.execute("CREATE TABLE departure (line TEXT, minute INTEGER)")
    }

    func testFailsWithItsStore() throws {
      try store.database.execute("INSERT INTO departure VALUES ('U1', 7)")
      XCTAssertEqual(try store.database.rows("SELECT * FROM departure").count, 2)
    }
  }

  @Suite struct StoreTests {
    @Test func attachesWhatItIsTold() throws {
      attachOnFailure(.text("at the failure", named: "failure.txt"))
      attach(.text("now", named: "now.txt"))
      excludeFromEvidence(tables: ["secret"])
      let store = try SQLiteStore(.onDisk)
      defer { try? store.destroy() }
      try store.database.execute("CREATE TABLE secret (word TEXT)")
      try store.database.execute("INSERT INTO secret VALUES ('sesame')")
      markBaseline(store.evidence)
      try store.database.execute("CREATE TABLE open (word TEXT)")
      #expect(try store.database.rows("SELECT * FROM secret").isEmpty)
    }
  }

  #if compiler(>=6.1)
    @Suite(.store { db in try db.execute("CREATE TABLE game (name TEXT)") }) struct TraitTests {
      @Test func failsWithTheStoreOfTheTrait() throws {
        let store = try SQLiteStore.current
        try store.database.execute("INSERT INTO game VALUES ('Go')")
        #expect(try store.database.rows("SELECT * FROM game").isEmpty)
      }

      @Test(.attachOnFailure(.text("from a trait", named: "trait.txt"))) func keepsTheTextOfItsTrait() {
        Issue.record("by hand")
      }
    }
  #endif
#endif
