import ExhibitSQLite
import Testing

@testable import ReportStory
@testable import ReportTestSupport

/// What a test wrote and read last is told in a sentence each: the cause of its failure is mostly there.
@Suite struct StoryEndingTests {
  private func texts(_ write: (inout WrittenStory) -> Void) throws -> [String] {
    var written = WrittenStory()
    written.step("BEGIN")
    written.insert("orders", 1, "[1,'new']".replacing("'", with: "\""))
    written.insert("orders", 2, "[2,'new']".replacing("'", with: "\""))
    written.step("COMMIT")
    write(&written)
    written.issue(0)
    return try written.story().ending.map(\.text)
  }

  private func update(_ written: inout WrittenStory, on connection: Int = 1) {
    written.step("UPDATE orders SET state = 'paid' WHERE id = 1", on: connection, changed: 1)
    written.change(.update, "orders", 1, old: #"[1,"new"]"#, new: #"[1,"paid"]"#)
  }

  @Test func theLastTransactionAndTheLastReadAreTold() throws {
    let told = try texts { written in
      update(&written)
      written.step("SELECT count(*) FROM orders", rows: 1, results: "[[2]]", columns: #"["count(*)"]"#)
      written.step("SELECT identifier FROM grdb_migrations", rows: 0)
      written.step("PRAGMA query_only = 0", rows: 0)
    }
    #expect(
      told == [
        "Written last, in step 5: 1 row of orders changed in column 2 only (column 2: 'new' → 'paid')",
        "Read last, in step 6: SELECT count(*) FROM orders → 2",
      ])
  }

  @Test func whatIsToldAlreadyIsNotToldAgain() throws {
    #expect(try texts { _ in } == [])
  }

  @Test func whatWasRolledBackIsToldAsSuch() throws {
    let told = try texts { written in
      written.step("BEGIN")
      update(&written)
      written.step("ROLLBACK")
    }
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix("Written last, in step 6, and rolled back: 1 row of orders changed") == true)
  }

  @Test func rowsThatWereTakenBackAreNamed() throws {
    let told = try texts { written in
      written.step("BEGIN")
      written.insert("archive", 7, "[7]")
      written.step("DELETE FROM archive", changed: 1)
      written.change(.delete, "archive", 7, old: "[7]")
      written.step("COMMIT")
    }
    #expect(
      told == [
        "Written last, in steps 6 to 7: rows of archive, which are at the end as they were before"
      ])
  }

  @Test func twoConnectionsThatWroteInTurnAreBothTold() throws {
    let told = try texts { written in
      written.database(2, "/tmp/shop.sqlite")
      update(&written)
      update(&written, on: 2)
    }
    #expect(told.count == 2)
    #expect(told.first?.hasPrefix("Written last, in step 5 on connection 1: ") == true)
    #expect(told.last?.hasPrefix("Written last, in step 6 on connection 2: ") == true)
  }

  @Test func pageAndTextNameTheSameLastSteps() throws {
    var written = WrittenStory()
    written.insert("orders", 1, "[1,2]")
    update(&written)
    written.step("SELECT state FROM orders", rows: 1, results: #"[["paid"]]"#)
    written.insert("grdb_migrations", 1, #"["v1"]"#)
    written.step("SELECT last_insert_rowid()", rows: 1, results: "[[1]]")
    written.issue(0)
    let story = try written.story()
    #expect(story.highlights.suffix(2).map(\.last) == [2, 3] && story.ending.map(\.step) == [2, 3])
  }

  @Test func withoutValuesNoValueIsTold() throws {
    var written = WrittenStory()
    written.insert("orders", 1, "[1,2]")
    update(&written)
    written.step("SELECT 'secret' FROM orders", rows: 1, results: #"[["secret"]]"#)
    written.issue(0)
    var story = try written.story()
    #expect(story.ending.count == 2)
    story.removeValues(names: ["orders"])
    #expect(
      story.ending.map(\.text) == ["Written last, in step 2: 1 row of orders changed in column 2 only"])
    #expect(!"\(story.ending)".contains("paid"))
  }

  @Test(arguments: [
    ("PRAGMA main.table_xinfo(customer)", true), ("PRAGMA foreign_keys", true),
    ("PRAGMA foreign_keys = OFF", false), ("PRAGMA user_version", false),
    ("SELECT * FROM sqlite_master LIMIT 1", true), ("SELECT count(*) FROM sqlite_master", false),
    ("SELECT identifier FROM grdb_migrations", true), ("DELETE FROM grdb_migrations", false),
    // What FTS5 asks for itself.
    ("SELECT k, v FROM 'main'.'s_config'", true), ("PRAGMA 'main'.data_version", true),
    ("REPLACE INTO 'main'.'s_config' VALUES (1, 2)", false), ("SELECT k, v FROM main.s_config", false),
  ]) func whatALibraryAsksForIsKnown(sql: String, isHousekeeping: Bool) throws {
    var written = WrittenStory()
    let step = written.step(sql, rows: 0)
    let failed = written.step(sql, error: "no such table")
    written.issue(0)
    let story = try written.story()
    #expect(story[step: step]?.isHousekeeping == isHousekeeping)
    #expect(story[step: failed]?.isHousekeeping == false, "what goes wrong stands out")
    if isHousekeeping { #expect(story.marks(step) == []) }
  }
}
