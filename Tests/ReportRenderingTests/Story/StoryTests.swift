import Collector
import ExhibitSQLite
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// Statements in their transactions, with what became of their changes.
@Suite struct StoryTests {
  @Test func transactionsAndSingleStatementsAreGroupsInTheirOrder() throws {
    var written = WrittenStory()
    written.step("CREATE TABLE orders(id, state)")
    written.step("BEGIN")
    written.insert("orders", 1, #"[1,"new"]"#)
    written.step("COMMIT")
    written.step("SELECT * FROM orders", rows: 1)
    written.step("UPDATE orders SET state = 'paid'", changed: 1)
    written.issue(0)
    let story = try written.story()
    #expect(story.groups.map(\.state) == [.single, .committed, .single])
    #expect(story.groups.map { $0.steps.map(\.number) } == [[1], [2, 3, 4], [5, 6]])
    #expect(story.items.last == .issue(0) && story.source == .trace && story.stepCount == 6)
    #expect(story.databases == [StoryDatabase(name: "shop.sqlite", path: "/tmp/shop.sqlite")])
  }

  @Test func whatWasRolledBackIsMarkedAndKept() throws {
    var written = WrittenStory()
    written.step("BEGIN")
    written.insert("orders", 1, "[1]")
    written.step("ROLLBACK")
    written.issue(0)
    let story = try written.story()
    #expect(story.groups.map(\.state) == [.rolledBack])
    #expect(story[step: 2]?.undone == .rolledBack && story[step: 1]?.undone == nil)
    #expect(story.changes.sentence == "")
  }

  @Test func rollingBackToASavepointTakesBackWhatFollowedIt() throws {
    var written = WrittenStory()
    written.step("SAVEPOINT first")
    written.insert("orders", 1, "[1]")
    written.step("SAVEPOINT \\\"Inner\\\"")
    written.insert("orders", 2, "[2]")
    written.step("SAVEPOINT deep")
    written.insert("orders", 3, "[3]")
    written.step("RELEASE deep")
    written.step("ROLLBACK TO SAVEPOINT inner", staysIn: true)
    written.insert("orders", 4, "[4]")
    written.step("RELEASE first", staysIn: false)
    written.issue(0)
    let story = try written.story()
    #expect(story.groups.map(\.state) == [.committed])
    let undone = [2, 4, 6, 9].map { story[step: $0]?.undone }
    #expect(undone == [nil, .rolledBackTo("inner"), .rolledBackTo("inner"), nil])
    #expect(story.changes.sentence == "+2 orders")
  }

  @Test func aFailedStatementIsMarkedAndItsRowsAreTakenBack() throws {
    var written = WrittenStory()
    written.step("INSERT INTO orders SELECT * FROM old", error: "UNIQUE constraint failed: orders.id")
    written.change(.insert, "orders", 1, new: "[1]")
    written.step(
      "INSERT OR FAIL INTO orders SELECT * FROM old", changed: 1, error: "UNIQUE constraint failed: orders.id"
    )
    written.change(.insert, "orders", 2, new: "[2]")
    written.issue(0)
    let story = try written.story()
    #expect(story[step: 1]?.undone == .failed && story[step: 2]?.undone == nil)
    #expect(story.changes.sentence == "+1 orders")
  }

  @Test func anErrorThatEndsTheTransactionRollsItBack() throws {
    var written = WrittenStory()
    written.step("BEGIN")
    written.insert("orders", 1, "[1]")
    written.step("INSERT OR ROLLBACK INTO orders VALUES (1)", error: "UNIQUE", staysIn: false)
    written.issue(0)
    let story = try written.story()
    #expect(story.groups.map(\.state) == [.rolledBack] && story[step: 2]?.undone == .rolledBack)
  }

  @Test func aTransactionThatIsOpenAtTheFailureGoesOnBehindIt() throws {
    var written = WrittenStory()
    written.step("BEGIN")
    written.insert("orders", 1, "[1]")
    written.issue(0)
    written.step("ROLLBACK")
    written.end()
    let story = try written.story()
    #expect(story.groups.map(\.state) == [.open])
    #expect(story.groups.first?.entries.last == .issue(0))
    // At the failure its rows were there.
    #expect(story[step: 2]?.undone == nil && story.changes.sentence == "+1 orders")
    let rest = try #require(story.afterFailure.first?.only)
    #expect(rest.isContinued && rest.state == .rolledBack && rest.steps.map(\.number) == [3])
  }

  @Test func closingAConnectionRollsItsTransactionBack() throws {
    var written = WrittenStory()
    written.step("BEGIN")
    written.insert("orders", 1, "[1]")
    written.closed(1)
    written.database(2, "/tmp/shop.sqlite")
    written.step("SELECT * FROM orders", on: 2, rows: 0)
    written.issue(0)
    let story = try written.story()
    #expect(story.groups.map(\.state) == [.rolledBack, .single] && story[step: 2]?.undone == .rolledBack)
  }

  @Test func transactionsOfConnectionsThatTakeTurnsStayTogether() throws {
    var written = WrittenStory()
    written.database(2, "/tmp/shop.sqlite")
    written.step("BEGIN")
    written.step("SELECT 1 FROM orders", on: 2, rows: 1)
    written.insert("orders", 1, "[1]")
    written.step("COMMIT")
    written.issue(0)
    let story = try written.story()
    #expect(story.groups.map { $0.steps.map(\.number) } == [[1, 3, 4], [2]])
    #expect(story.groups.map(\.connection) == [1, 2] && story.databases.count == 1)
  }

  @Test func theSetUpEndsAtTheLastBaselineBeforeTheFailure() throws {
    var written = WrittenStory()
    written.step("CREATE TABLE orders(id)")
    written.baseline()
    written.insert("orders", 1, "[1]")
    written.baseline()
    written.insert("orders", 2, "[2]")
    written.issue(0)
    written.insert("orders", 3, "[3]")
    written.baseline()
    let story = try written.story()
    #expect(story.setUp.flatMap(\.steps).map(\.number) == [1, 2])
    #expect(story.items.flatMap(\.steps).map(\.number) == [3])
    #expect(story.afterFailure.flatMap(\.steps).map(\.number) == [4])
    #expect(story.changes.sentence == "+1 orders")
  }

  @Test func aKnownIssueIsNotTheFailure() throws {
    var written = WrittenStory()
    written.step("SELECT 1 FROM orders", rows: 1)
    written.issue(0)
    written.step("SELECT 2 FROM orders", rows: 1)
    written.issue(1)
    let recorded = try #require(StoryFile(written.bytes).story)
    let issues = [true, false].map { TestIssue(message: "m", location: nil, severity: .error, isKnown: $0) }
    let story = StoryBuilder.story(of: recorded, issues: issues)
    #expect(story.afterFailure == [] && story.items.flatMap(\.steps).count == 2)
    let entries = try #require(story.groups.first?.entries)
    #expect(entries[1] == .issue(0) && story.items.last == .issue(1))
  }

  @Test func aStatementThatWasRunningIsTheLast() throws {
    var written = WrittenStory()
    written.step("SELECT crash()", more: ",\"running\":true")
    let story = try written.story(failing: [])
    #expect(story.steps.last?.isRunning == true && story.marks(1) == [])
  }

  @Test func triggersAndCascadesStandBelowTheirStatement() throws {
    var written = WrittenStory()
    written.step("DELETE FROM orders WHERE id = 1", changed: 1, triggers: ["log"])
    written.change(.delete, "orders", 1, old: #"[1,"new","2026"]"#)
    written.change(.delete, "orderLine", 7, old: #"[7,"tea"]"#, depth: 1)
    written.change(.insert, "history", 1, new: "[1]", depth: 1)
    written.issue(0)
    let story = try written.story(schemas: [.shop])
    let step = try #require(story[step: 1])
    #expect(
      step.changes.map(\.table.name) == ["orders"] && step.changes[0].columns == ["id", "state", "placed_at"])
    #expect(step.consequences.map(\.table.name) == ["orderLine", "history"])
    #expect(step.consequences[1].columns == ["column 1"])
  }

  @Test func theDataOfAFullTextTableStandsUnderIt() throws {
    var written = WrittenStory()
    written.step("INSERT INTO note VALUES ('a', 'b')", changed: 1)
    written.change(.insert, "note_content", 1, new: #"[1,"a","b"]"#)
    written.change(.insert, "note_docsize", 1, new: "[1,1]")
    written.change(.update, "note_data", 10, old: "[10,1]", new: "[10,2]")
    written.change(.insert, "other_data", 1, new: "[1]")
    written.issue(0)
    let story = try written.story(schemas: [.shop])
    let changes = try #require(story[step: 1]?.changes)
    #expect(changes.map(\.table.name) == ["note", "other_data"])
    #expect(changes[0].shadows == ["note_content": 1, "note_docsize": 1, "note_data": 1])
    #expect(changes[0].columns == ["title", "body"])
    #expect(changes[0].changes.map(\.new) == [[.text("a"), .text("b")]])
    #expect(story.changes.sentence == "+1 note, +1 other_data")
  }

  @Test func whatAFullTextTableRunsIsPartOfItsStatement() throws {
    var written = WrittenStory()
    written.step("CREATE VIRTUAL TABLE note USING fts5(title)")
    written.step("INSERT INTO note VALUES ('a')", changed: 1)
    written.change(.insert, "note_content", 1, new: #"[1,"a"]"#)
    written.issue(0)
    let story = try written.story()
    #expect(story.steps.map(\.number) == [1, 2])
    #expect(story[step: 2]?.changes.first?.table.name == "note")
  }

  @Test func theDataOfAVirtualTableIsKnownWithoutASchema() throws {
    var written = WrittenStory(path: nil)
    written.step("INSERT INTO place VALUES (1, 2, 3)", changed: 1)
    written.change(.insert, "place_rowid", 1, new: "[1,1]")
    written.change(.update, "place_node", 1, old: "[1,0]", new: "[1,1]")
    written.step("INSERT INTO big_data VALUES (1)", changed: 1)
    written.change(.insert, "big_data", 1, new: "[1]")
    written.issue(0)
    let story = try written.story()
    #expect(story[step: 1]?.changes.map(\.table.name) == ["place"])
    #expect(story[step: 1]?.changes.first?.shadows == ["place_rowid": 1, "place_node": 1])
    #expect(story[step: 2]?.changes.map(\.table.name) == ["big_data"])
    #expect(story.databases.map(\.name) == ["in memory"])
  }

  @Test func attachedDatabasesAreNamed() throws {
    var written = WrittenStory(path: "/a/shop.sqlite")
    written.step("ATTACH '/b/shop.sqlite' AS archive")
    written.database(1, "/b/shop.sqlite", schema: "archive")
    written.step("INSERT INTO Archive.orders VALUES (1)", changed: 1)
    written.change(.insert, "orders", 1, new: "[1]", schema: "archive")
    written.insert("orders", 1, "[1]")
    written.step("SELECT * FROM archive.orders", rows: 1)
    written.issue(0)
    let story = try written.story()
    #expect(story.databases.map(\.name) == ["a/shop.sqlite", "b/shop.sqlite"])
    #expect(story.steps.map(\.database) == [0, 1, 0, 1])
    #expect(story.changes.sentence == "+1 orders of b/shop.sqlite, +1 orders of a/shop.sqlite")
  }

  @Test func whatIsMissingIsSaid() throws {
    var written = WrittenStory(missing: 12, more: #","withoutChanges":"The library has no preupdate hook.""#)
    written.step("UPDATE orders SET state = 1 WHERE id = 1", more: #","owner":"nobody""#)
    written.step("COMMIT", staysIn: false)
    let story = try written.story()
    #expect(story.missing == 12 && story.notices.count == 3)
    #expect(story.notices[0].contains("at least 12 steps"))
    #expect(story.notices[1] == "Rows are not told: The library has no preupdate hook.")
    #expect(story[step: 1]?.owner == .nobody && story.marks(1) == [])
  }

  @Test(arguments: [
    ("updateHook", "an update hook"), ("progressHandler", "a progress handler"), ("later", "something"),
  ]) func whyAConnectionsRowsAreNotToldIsSaid(word: String, words: String) throws {
    var written = WrittenStory()
    written.database(2, "/tmp/other.sqlite")
    written.insert("orders", 1, "[1]")
    let more = ",\"untold\":\"\(word)\""
    written.step("BEGIN IMMEDIATE", on: 2, changed: 0, more: more)
    let step = written.step(
      "UPDATE orders SET state = 2 WHERE id = 1", on: 2, changed: 1, triggers: ["log"], more: more)
    written.step("DELETE FROM orders WHERE id = 7", on: 2, changed: 0, more: more)
    written.issue(0)
    let story = try written.story()
    #expect(story.notices.count == 1)
    let notice = try #require(story.notices.first)
    #expect(notice.hasPrefix("Rows of 1 step on connection 2 (other.sqlite) are not told: the app has "))
    #expect(notice.contains(words))
    #expect(story[step: step]?.remarks == ["Its rows are not told. SQLite counted 1."])
    #expect(story.marks(step) == [])
    #expect(story.marks(step + 1) == [.changedNothing])
  }
}
