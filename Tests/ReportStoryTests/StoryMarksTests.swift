import ExhibitSQLite
import Testing

@testable import ReportStory
@testable import ReportTestSupport

/// What a reader should see of the steps before the failure.
@Suite struct StoryMarksTests {
  private func marks(_ schemas: [CapturedSchema] = [], _ write: (inout WrittenStory) -> Void) throws
    -> [[StoryMark]]
  {
    var written = WrittenStory()
    write(&written)
    written.issue(0)
    let story = try written.story(schemas: schemas)
    return story.steps.map(\.marks)
  }

  @Test(arguments: [
    ("UPDATE orders SET state = 1 WHERE id = 9", true), ("DELETE FROM orders WHERE id = 9", true),
    ("INSERT OR IGNORE INTO orders VALUES (1)", true), ("INSERT INTO orders SELECT 1 FROM old", true),
    ("WITH a AS (SELECT 1) UPDATE orders SET state = 1 WHERE id IN a", true),
    ("DELETE FROM orders", false), ("CREATE TABLE a(b)", false), ("PRAGMA foreign_keys = ON", false),
  ])
  func aWriteThatChangedNothing(sql: String, isMarked: Bool) throws {
    #expect(try marks { $0.step(sql, changed: 0) } == [isMarked ? [.changedNothing] : []])
    #expect(try marks { $0.step(sql) } == [isMarked ? [.changedNothing] : []])
    #expect(try marks { $0.step(sql, changed: 1) } == [[]])
  }

  @Test func aWriteWhoseChangesAreOthersDoing() throws {
    let view = try marks {
      $0.step("UPDATE view SET state = 1 WHERE id = 9", changed: 0, triggers: ["instead"])
      $0.change(.update, "orders", 1, old: "[1]", new: "[2]", depth: 1)
    }
    #expect(view == [[]])
    let virtual = try marks {
      $0.step("UPDATE note SET title = 1 WHERE rowid = 9")
      $0.change(.update, "note_content", 9, old: "[9,0]", new: "[9,1]")
    }
    #expect(virtual == [[]])
  }

  @Test func aTriggerThatWritesAndChangedNothing() throws {
    let write: (inout WrittenStory) -> Void = { story in
      story.step("UPDATE orders SET state = 1", changed: 1, triggers: ["LOG", "check"])
      story.change(.update, "orders", 1, old: "[1]", new: "[2]")
    }
    #expect(try marks([.shop], write) == [[.triggerChangedNothing(trigger: "LOG", table: "history")]])
    let wrote = try marks([.shop]) {
      write(&$0)
      $0.change(.insert, "history", 1, new: "[1]", depth: 1)
    }
    #expect(wrote == [[]])
  }

  /// FTS5 writes its own tables, as a statement of its own, when it chooses to; `r` is heard of by nobody.
  @Test func aTriggerThatWritesAVirtualTableIsNotToldAsIdle() throws {
    let found = try marks {
      $0.step("CREATE VIRTUAL TABLE s USING fts5(t)")
      $0.step(
        "CREATE TRIGGER p_ai AFTER INSERT ON p BEGIN INSERT INTO S(rowid, t) VALUES (new.id, new.t); END")
      $0.step("INSERT INTO p(t) VALUES ('hello')", changed: 1, triggers: ["p_ai"])
      $0.change(.insert, "p", 1, new: #"[1,"hello"]"#)
      $0.change(.insert, "s_content", 1, new: #"[1,"hello"]"#)
      $0.step("INSERT INTO p(t) VALUES ('again')", changed: 1, triggers: ["p_ai"])
      $0.change(.insert, "p", 2, new: #"[2,"again"]"#)
    }
    #expect(found.suffix(2) == [[], []])
  }

  /// SQLite counts a row of which the connection heard nothing.
  @Test func whereRowsWereNotHeardNoTriggerIsIdle() throws {
    let found = try marks([.shop]) { $0.step("UPDATE orders SET state = 1", changed: 1, triggers: ["LOG"]) }
    #expect(found == [[]])
  }

  @Test func theProgramOfATriggerIsReadFromTheStoryToo() throws {
    let sql =
      "CREATE TRIGGER note_it AFTER UPDATE ON orders BEGIN SELECT 1; UPDATE main.total SET n = (SELECT 2); END"
    let found = try marks {
      $0.step(sql)
      $0.step("UPDATE orders SET state = 1", changed: 1, triggers: ["note_it"])
      $0.change(.update, "orders", 1, old: "[1]", new: "[2]")
    }
    #expect(found.last == [.triggerChangedNothing(trigger: "note_it", table: "total")])
  }

  @Test func anErrorThatTheAppSwallowed() throws {
    #expect(
      try marks { $0.step("INSERT INTO orders VALUES (1)", error: "UNIQUE constraint failed") }
        == [[.swallowedError]])
    var written = WrittenStory()
    written.step("INSERT INTO orders VALUES (1)", error: "UNIQUE constraint failed: orders.id")
    written.issue(0)
    let story = try written.story(failing: [
      "caught error: SQLite error 19: UNIQUE constraint failed: orders.id"
    ])
    #expect(story.marks(1) == [])
  }

  @Test func aReadThatReturnedNothing() throws {
    let found = try marks {
      $0.step("SELECT * FROM orders WHERE id = 3", rows: 0)
      $0.step("SELECT * FROM orders", rows: 1)
      $0.step("SELECT * FROM sqlite_master WHERE name = 'orders'", rows: 0)
    }
    #expect(found == [[.readNothing], [], []])
  }

  @Test func whatGoesWithADroppedTableIsToldUnlessItIsMadeAgain() throws {
    let made: (inout WrittenStory) -> Void = { story in
      story.step("CREATE TABLE note(id INTEGER PRIMARY KEY, t TEXT)")
      story.step("CREATE INDEX note_t ON note(t)")
      story.step("CREATE TRIGGER note_ai AFTER UPDATE OF t ON main.note BEGIN DELETE FROM log; END")
      story.step("CREATE TRIGGER other AFTER UPDATE ON log BEGIN DELETE FROM note; END")
      story.step("CREATE TABLE new_note(id INTEGER PRIMARY KEY, t TEXT, u)")
      story.step("DROP TABLE note")
    }
    let gone = ["the index note_t", "the trigger note_ai"]
    #expect(try marks { made(&$0) }.last == [.tookAlong(gone, table: "note", madeAgain: nil)])
    let lacking = try marks {
      made(&$0)
      $0.step("ALTER TABLE new_note RENAME TO note")
      $0.step("CREATE INDEX note_t ON note(t)")
    }
    #expect(lacking[5] == [.tookAlong(["the trigger note_ai"], table: "note", madeAgain: 7)])
    let whole = try marks {
      made(&$0)
      $0.step("ALTER TABLE new_note RENAME TO note")
      for sql in ["INDEX note_t ON note(t)", "TRIGGER note_ai AFTER DELETE ON note BEGIN SELECT 1; END"] {
        $0.step("CREATE \(sql)")
      }
    }
    #expect(whole.allSatisfy { $0.isEmpty })
    let undone = try marks {
      $0.step("BEGIN")
      made(&$0)
      $0.step("ROLLBACK")
    }
    #expect(undone.allSatisfy { $0.isEmpty })
  }

  @Test func aReadInATransactionThatIsOlderThanACommit() throws {
    var written = WrittenStory()
    written.database(2, "/tmp/shop.sqlite")
    written.step("BEGIN", on: 2)
    written.step("SELECT 1 FROM orders", on: 2, rows: 1)
    written.insert("orders", 1, "[1]")
    written.step("SELECT 2 FROM orders", on: 2, rows: 1)
    written.step("COMMIT", on: 2)
    written.step("SELECT 3 FROM orders", on: 2, rows: 1)
    written.issue(0)
    let story = try written.story()
    #expect(story.marks(4) == [.staleRead(commit: 3, connection: 1)])
    #expect([2, 6].allSatisfy { story.marks($0) == [] })
  }

  @Test(arguments: [
    nil, "SELECT 1", "SELECT datetime('now')", "SELECT last_insert_rowid()", "SELECT a FROM other",
    "EXPLAIN QUERY PLAN SELECT * FROM orders", "PRAGMA foreign_key_list(orders)",
  ])
  func aTransactionThatReadNothingOfTheFileYetIsNotOlder(before: String?) throws {
    var written = WrittenStory()
    written.database(2, "/tmp/shop.sqlite")
    written.step("BEGIN", on: 2)
    if let before { written.step(before, on: 2, rows: 1) }
    written.insert("orders", 1, "[1]")
    written.step("SELECT 2 FROM orders", on: 2, rows: 1)
    written.issue(0)
    #expect(try written.story().steps.allSatisfy { $0.marks == [] })
  }

  @Test func whatWasRolledBackIsNoCommit() throws {
    var written = WrittenStory()
    written.database(2, "/tmp/shop.sqlite")
    written.step("BEGIN", on: 2)
    written.step("SELECT 1 FROM orders", on: 2, rows: 1)
    written.step("BEGIN")
    written.insert("orders", 1, "[1]")
    written.step("ROLLBACK")
    written.step("SELECT 2 FROM orders", on: 2, rows: 1)
    written.issue(0)
    #expect(try written.story().steps.allSatisfy { $0.marks == [] })
  }

  @Test(arguments: [("DELETE FROM orders", true), ("SELECT * FROM orders", false)])
  func aWriteToAnotherFileThanItsNeighbours(sql: String, isMarked: Bool) throws {
    var written = WrittenStory()
    written.database(2, "/tmp/other.sqlite")
    written.insert("orders", 1, "[1]")
    written.insert("orders", 2, "[2]")
    written.step(sql, on: 2, rows: 1, changed: 1)
    written.issue(0)
    #expect(try written.story().marks(3) == (isMarked ? [.otherDatabase(around: 0)] : []))
  }

  @Test func aTestThatUsesTwoFilesIsAboutBoth() throws {
    var written = WrittenStory()
    written.database(2, "/tmp/other.sqlite")
    for key in 1...2 {
      written.insert("orders", 2 * key, "[\(2 * key)]")
      written.insert("orders", 2 * key + 1, "[\(2 * key + 1)]")
      written.step("DELETE FROM orders WHERE id = 3", on: 2, rows: 0, changed: 1)
    }
    written.issue(0)
    #expect(try written.story().steps.allSatisfy { $0.marks == [] })
  }

  @Test(arguments: [("ALTER TABLE orders ADD paid", false), ("INSERT INTO orders VALUES (1)", true)])
  func whatAMigrationDidInVainStandsBehindAllElse(sql: String, isTold: Bool) throws {
    var written = WrittenStory()
    written.step("BEGIN")
    written.step(sql, changed: 0)
    written.step("UPDATE orders SET paid = 1 WHERE id = 9", changed: 0)
    written.step("COMMIT")
    written.issue(0)
    let (groups, hasOthers) = try written.story().rareOddSteps { "\($0)" }
    #expect(groups.map(\.recent.count) == (isTold ? [1] : []) && hasOthers != isTold)
  }

  @Test func nothingIsMarkedBehindTheFailure() throws {
    var written = WrittenStory()
    written.issue(0)
    written.step("SELECT * FROM orders", rows: 0)
    let story = try written.story()
    #expect(story.afterFailure.flatMap(\.steps).map(\.marks) == [[]])
  }
}
