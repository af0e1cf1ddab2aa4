import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportPipeline
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What the WAL of a database has that no recorded step made.
@Suite final class StoryFromWALTests {
  private let folder: TemporaryFolder
  private let live: TestConnection
  private let other: TestConnection
  private var written: WrittenStory

  init() throws {
    folder = try TemporaryFolder()
    live = try TestConnection(
      folder("live.db"),
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT);
      CREATE TABLE stock(article TEXT PRIMARY KEY, count) WITHOUT ROWID; CREATE VIRTUAL TABLE note USING fts5(title);
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
    other = try TestConnection(folder("live.db"))
    written = WrittenStory(path: folder.path + "/live.db")
  }

  private func run(_ sql: String, changed: Int? = nil) throws {
    try live.execute(sql)
    written.step(sql, changed: changed)
  }

  /// Runs and records an INSERT of one order.
  private func insert(_ id: Int, _ state: String = "open", told: String? = nil) throws {
    try run("INSERT INTO orders VALUES (\(id), '\(state)')", changed: 1)
    written.change(.insert, "orders", id, new: "[\(id),\"\(told ?? state)\"]")
  }

  private func update(_ id: Int, from old: String, to new: String) throws {
    try run("UPDATE orders SET state = '\(new)' WHERE id = \(id)", changed: 1)
    written.change(.update, "orders", id, old: "[\(id),\"\(old)\"]", new: "[\(id),\"\(new)\"]")
  }

  private func contents(rows: Bool = true) throws -> (story: Story, notices: [String]) {
    for end in ["", "-wal"] { try folder.copy("live.db" + end, to: "raw.sqlite" + end) }
    try folder.fold("raw.sqlite", to: "shop.sqlite")
    written.issue(0)
    try folder.write(written.bytes, to: "story.jsonl")
    let evidence = [
      TestEvidence(
        kind: .database, name: "live", path: "shop.sqlite", bytes: 1, source: "live.db",
        details: .database(DatabaseCapture(method: .readTransaction, wal: .committed, databaseBytes: 1)),
        rawFiles: ["raw.sqlite", "raw.sqlite-wal"].map { RawFile(path: $0, bytes: 1) }),
      TestEvidence(kind: .story, name: "story", path: "story.jsonl", bytes: 1),
    ]
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)], evidence: evidence)
    let report = Report(title: "", runs: [], tests: [test], faults: [], notices: [])
    let lookup = ContentsLookup(
      folder: folder.path, sourceRoot: SourceRoot(path: folder.path), includesRows: rows)
    let contents = lookup.contents(of: report, nonce: "n")
    #expect(contents.report.faults == [])
    return (try #require(contents.stories[.store("a")]), contents.report.notices.map(\.message))
  }

  private func outside(_ story: Story) -> [String] {
    story.groups.filter { $0.state == .unexplained }.flatMap(\.steps).compactMap(\.commit?.text)
  }

  /// That nothing is told of what the steps made or may have made.
  private func expectSilence() throws {
    let (story, notices) = try contents()
    #expect(notices == [])
    #expect(outside(story) == [])
    #expect(
      !story.notices.contains { $0.contains("Another process") || $0.contains("WAL") }, "\(story.notices)")
  }

  @Test func whatTheStepsCommittedIsTheirs() throws {
    try run("BEGIN")
    try insert(1)
    try insert(2)
    try update(1, from: "open", to: "sent")
    try run("DELETE FROM orders WHERE id = 2", changed: 1)
    written.change(.delete, "orders", 2, old: #"[2,"open"]"#)
    try run("COMMIT")
    try insert(3)
    try update(3, from: "open", to: "open")
    try run("BEGIN")
    try insert(4)
    try run("ROLLBACK")
    try run("UPDATE orders SET id = 30 WHERE id = 3", changed: 1)
    written.change(.update, "orders", 3, old: #"[3,"open"]"#, new: #"[30,"open"]"#, more: ",\"newKey\":30")
    try expectSilence()
  }

  @Test func whatIsNotToldKeepsSilence() throws {
    try insert(1)
    try run("INSERT INTO stock VALUES ('pen', 5)", changed: 1)
    written.change(.insert, "stock", nil, new: #"["pen",5]"#)
    try run("INSERT INTO note VALUES ('words')", changed: 1)
    written.change(.insert, "note_content", 1, new: #"[1,"words"]"#)
    written.change(.insert, "note_docsize", 1, new: "[1,null]")
    try run("PRAGMA user_version = 5")
    try run("CREATE TABLE made AS SELECT * FROM orders")
    try run("ALTER TABLE orders RENAME COLUMN state TO status")
    try run("DROP TABLE made")
    try run("INSERT INTO orders VALUES (9, 'cut')", changed: 1)
    written.change(.insert, "orders", 9, new: #"[9,"cut"]"#)
    try insert(10)
    try expectSilence()
  }

  @Test func rowsThatHadNoRoomKeepSilence() throws {
    try insert(1)
    try live.execute("INSERT INTO orders VALUES (5, 'a'), (6, 'b')")
    written.step("INSERT INTO orders VALUES (5, 'a'), (6, 'b')", changed: 2, more: #","unkept":1"#)
    written.change(.insert, "orders", 5, new: #"[5,"a"]"#)
    try live.execute("UPDATE orders SET state = 'c'")
    written.step("UPDATE orders SET state = 'c'", changed: 3, more: #","untold":"updateHook""#)
    try insert(7)
    try expectSilence()
  }

  @Test func aCheckpointInTheMiddleKeepsSilence() throws {
    for id in 1...5 { try insert(id) }
    try live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for id in 6...8 { try insert(id) }
    try expectSilence()
  }

  @Test func whatWasThereBeforeTheTestIsNobodysBusiness() throws {
    try other.execute("INSERT INTO orders VALUES (100, 'earlier')")
    try insert(1)
    try insert(2)
    try expectSilence()
  }

  @Test func anotherConnectionsCommitIsToldAtItsPlace() throws {
    try insert(1)
    try insert(2)
    try other.execute("INSERT INTO orders VALUES (50, 'by another')")
    try insert(3)
    let (story, notices) = try contents()
    #expect(notices == [] && outside(story) == ["+1 orders"])
    #expect(story.groups.map(\.state) == [.single, .unexplained, .single])
    #expect(story.groups[0].steps.map(\.number) == [1, 2] && story.groups[2].steps.map(\.number) == [3])
    #expect(
      story.groups[1].steps[0].changes[0].changes[0].new == [.integer(50), .text("by another")])
    #expect(
      story.notices == [
        "Another process, connection or test committed to live.db once meanwhile, first behind step 2: +1 orders."
      ])
    let text = PrintedStory(story, of: TestResult(id: .store("a"), outcome: .failed)).steps(bytes: .max).map(
      \.text)
    #expect(text.contains { $0.hasPrefix("Committed by another process, connection or test · live.db") })
  }

  @Test func whatIsCommittedLastAndByNobodyIsTold() throws {
    try insert(1)
    try other.execute("UPDATE orders SET state = 'changed by another'")
    let (story, _) = try contents()
    #expect(outside(story) == ["1 row of orders changed in state only"])
    #expect(story.items.last == .issue(0))
  }

  @Test func rowsOfOtherKeysAreToldAndThoseThatLackContradict() throws {
    try insert(1)
    try live.execute("INSERT INTO orders VALUES (3, 'x')")
    written.step("INSERT INTO orders VALUES (2, 'x')", changed: 1)
    written.change(.insert, "orders", 2, new: #"[2,"x"]"#)
    try insert(4)
    let (story, notices) = try contents()
    #expect(outside(story) == ["+1 orders"])
    #expect(notices.contains { $0.hasSuffix("written by step 2, and is not in the captured database.") })
  }

  @Test func valuesThatNoStepWroteAreTold() throws {
    try insert(1)
    try update(1, from: "open", to: "sent")
    try other.execute("UPDATE orders SET state = 'lost'")
    try update(1, from: "lost", to: "sent")
    let (story, notices) = try contents()
    #expect(notices == [] && outside(story) == ["1 row of orders changed in state only"])
    #expect(story.notices.contains { $0.contains("once meanwhile, first behind step 2:") })
  }

  @Test func manyRowsOfTheTestsThatAnotherChangedAreTold() throws {
    for id in 1...40 { try insert(id) }
    try other.execute("UPDATE orders SET state = 'lost' WHERE id < 30")
    try other.execute("DELETE FROM orders WHERE id > 30")
    let (story, _) = try contents()
    #expect(outside(story) == ["29 rows of orders changed in state only", "−10 orders"])
  }

  /// What declares nothing, fails or is told without rows may be in no transaction, and rows be written again.
  @Test func whatChangesNothingKeepsSilence() throws {
    try insert(1)
    try run("CREATE TABLE IF NOT EXISTS made(x)")
    try run("PRAGMA user_version = 5")
    try insert(2)
    try run("CREATE TABLE IF NOT EXISTS made(x)")
    try run("DROP TABLE IF EXISTS missing")
    written.step("PRAGMA user_version = 5", changed: nil)
    try insert(3)
    try update(1, from: "open", to: "a")
    try update(1, from: "a", to: "b")
    // Its rows are not told to have changed, and the WAL has nothing of it.
    written.step("UPDATE orders SET state = 'b' WHERE id = 1", changed: 1)
    try update(1, from: "b", to: "c")
    try run("DROP TABLE made")
    try expectSilence()
  }

  @Test(arguments: [false, true]) func rowidsThatVACUUMGivesKeepSilence(isLast: Bool) throws {
    try run("CREATE TABLE log(what)")
    try run("INSERT INTO log VALUES ('a'), ('b'), ('c')", changed: 3)
    for (key, what) in zip(1..., ["a", "b", "c"]) {
      written.change(.insert, "log", key, new: "[\"\(what)\"]")
    }
    try run("DELETE FROM log WHERE rowid = 2", changed: 1)
    written.change(.delete, "log", 2, old: #"["b"]"#)
    try run("VACUUM", changed: 0)
    written.change(.insert, "sqlite_master", 12, new: #"["view"]"#, schema: "vacuum_db")
    if !isLast { try insert(1) }
    try expectSilence()
  }

  @Test func anotherConnectionIsFoundBesideWhatIsVague() throws {
    try insert(1)
    try run("CREATE TABLE IF NOT EXISTS made(x)")
    try other.execute("INSERT INTO orders VALUES (50, 'by another')")
    try run("INSERT INTO stock VALUES ('pen', 5)", changed: 1)
    written.change(.insert, "stock", nil, new: #"["pen",5]"#)
    try insert(2)
    let (story, notices) = try contents()
    #expect(notices == [] && outside(story) == ["+1 orders"])
  }

  /// The WAL begins with earlier tests that did the same, and more.
  @Test func whatEarlierTestsDidIsNobodysBusiness() throws {
    for _ in 1...3 {
      try other.execute("INSERT INTO orders VALUES (1, 'open')")
      try other.execute("INSERT INTO orders VALUES (7, 'earlier')")
      try other.execute("INSERT INTO orders VALUES (2, 'open')")
      try other.execute("DELETE FROM orders")
    }
    try insert(1)
    try update(1, from: "open", to: "open")
    try run("INSERT OR REPLACE INTO orders VALUES (1, 'open')", changed: 1)
    written.change(.delete, "orders", 1, old: #"[1,"open"]"#)
    written.change(.insert, "orders", 1, new: #"[1,"open"]"#)
    try insert(2)
    try expectSilence()
  }

  @Test func stepsThatWereCommittedInAnotherOrderKeepSilence() throws {
    try insert(1)
    try live.execute("INSERT INTO orders VALUES (3, 'open')")
    try insert(2)
    written.step("INSERT INTO orders VALUES (3, 'open')", changed: 1)
    written.change(.insert, "orders", 3, new: #"[3,"open"]"#)
    try insert(4)
    try expectSilence()
  }

  @Test func droppedTablesKeepSilence() throws {
    try insert(1)
    try insert(2)
    try run("BEGIN")
    try run("DROP TABLE orders")
    try run("CREATE TABLE orders(id INTEGER PRIMARY KEY, state TEXT)")
    try run("COMMIT")
    try insert(3)
    try expectSilence()
  }

  @Test func anotherConnectionIsFoundAmongThousands() throws {
    try other.execute("PRAGMA wal_autocheckpoint = 0")
    for id in 1...600 { try insert(id) }
    try other.execute("INSERT INTO orders VALUES (5000, 'by another')")
    try run("INSERT INTO stock VALUES ('pen', 5)", changed: 1)
    written.change(.insert, "stock", nil, new: #"["pen",5]"#)
    for id in 601...1200 { try insert(id) }
    try other.execute("INSERT INTO orders VALUES (5001, 'by another')")
    for id in 1201...1210 { try insert(id) }
    let (story, notices) = try contents()
    #expect(notices == [] && outside(story) == ["+1 orders", "+1 orders"])
    #expect(
      story.notices.contains {
        $0.contains("2 times meanwhile, first behind step 600: +1 orders; +1 orders.")
      })
  }

  @Test func statementsWithoutRowsHaveThemFromTheWAL() throws {
    written = WrittenStory(
      path: folder.path + "/live.db", more: #","withoutChanges":"EXHIBIT_TRACE is statements.""#)
    try live.execute("INSERT INTO orders VALUES (90, 'earlier')")
    try run("BEGIN")
    try run("INSERT INTO orders VALUES (1, 'open')", changed: 1)
    try run("COMMIT")
    try run("UPDATE orders SET state = 'sent' WHERE id = 1", changed: 1)
    try run("UPDATE orders SET state = 'sent' WHERE id = 500", changed: 0)
    let (story, notices) = try contents()
    #expect(notices == [] && outside(story) == [])
    let told = try #require(story.groups.last { $0.state == .inWAL })
    #expect(
      told.steps.compactMap(\.commit?.text) == [
        "+1 orders", "+1 orders", "1 row of orders changed in state only",
      ])
    #expect(told.steps[1].changes.first?.changes.first?.new == [.integer(1), .text("open")])
    #expect(story.changes.sentence == "+2 orders")
    #expect(
      story.notices.contains {
        $0.hasPrefix(
          "The rows of live.db come from its WAL, transaction by transaction since its last checkpoint")
      })
    for name in ["raw.sqlite", "raw.sqlite-wal", "shop.sqlite"] {
      try FileManager.default.removeItem(atPath: folder(name))
    }
    let bare = try contents(rows: false).story
    let printed = ["opened", "opener"].reduce("\(bare)") { $0.replacing($1, with: "") }
    #expect(!printed.contains("open") && bare.changes.sentence == "+2 orders")
  }
}
