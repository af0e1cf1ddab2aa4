import Collector
import ExhibitSQLite
import Foundation
import ReportInspection
import Testing

@testable import ReportModel
@testable import ReportStory
@testable import ReportTestSupport

/// Where the states of a table end, and why.
@Suite struct StateBoundTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let tables = """
    CREATE TABLE orders(id INTEGER PRIMARY KEY, state); INSERT INTO orders VALUES (1, 'new');
    CREATE TABLE note(text); INSERT INTO note VALUES ('a');
    """

  private func states(
    _ sql: String = Self.tables, missing: Int = 0, more: String = "", isDamaged: Bool = false,
    _ write: (inout WrittenStory) -> Void
  ) throws -> StateTimeline {
    let file = try folder.database("\(UUID()).sqlite", sql)
    var written = WrittenStory(missing: missing, more: more)
    write(&written)
    written.issue(0)
    let recorded = try #require(StoryFile(written.bytes).story)
    let schema = CapturedSchema(of: file, evidence: "shop", source: "/tmp/shop.sqlite", isUncommitted: false)
    if isDamaged { try Data("no database".utf8).write(to: URL(fileURLWithPath: file)) }
    let issue = TestIssue(message: "failed", location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(recorded, issues: [issue], schemas: [schema], inspections: [:], path: { $0 })
    return StateTimeline(
      builder, database: try #require(builder.database(of: schema)), schema: schema, file: file)
  }

  private func bound(_ states: StateTimeline, _ table: String = "orders", after step: Int = 1) -> StateBound?
  {
    if case .failure(let bound) = states.state(of: table, .after(step: step)) { bound } else { nil }
  }

  private func exists(_ states: StateTimeline, _ table: String, after step: Int) -> Bool? {
    if case .success(let state) = states.state(of: table, .after(step: step)) { state.exists } else { nil }
  }

  @Test(arguments: [
    ("ALTER TABLE orders ADD COLUMN state", StateBound.altered(step: 2)),
    ("alter table main.ORDERS rename column a to state", .altered(step: 2)),
    ("CREATE TABLE IF NOT EXISTS orders(id INTEGER PRIMARY KEY, state)", .mayBeMade(step: 2)),
    ("ATTACH x AS 'main'", .replaced(step: 2)),
  ])
  func schemaChangesEndTheirTableAlone(sql: String, expected: StateBound) throws {
    let states = try states {
      $0.step("SELECT 1")
      $0.step(sql)
      $0.step("SELECT 2")
    }
    #expect(bound(states) == expected && bound(states, after: 2) == nil && bound(states, after: 3) == nil)
    #expect((bound(states, "note") == nil) == (expected != .replaced(step: 2)))
    #expect(expected.sentence.contains("tep 2 "))
    #expect(states.past(of: .rowid(1), in: "orders").origin == .bound(expected))
  }

  @Test func aTableIsNotThereBeforeItIsMadeNorBehindItsDrop() throws {
    let states = try states {
      $0.step("DROP TABLE orders")
      $0.step("CREATE TABLE orders AS SELECT 1 AS id, 'new' AS state")
      $0.step("CREATE TABLE gone(a)")
      $0.insert("gone", 1, "[1]")
      $0.step("DROP TABLE gone")
    }
    #expect(bound(states, after: 0) == .dropped(step: 1))
    #expect(exists(states, "orders", after: 1) == false && exists(states, "orders", after: 2) == true)
    #expect(exists(states, "gone", after: 2) == false && bound(states, "gone", after: 4) == .dropped(step: 5))
    #expect(exists(states, "gone", after: 5) == false)
  }

  @Test func aRenamedTableHasOneNameAtATime() throws {
    let states = try states {
      $0.step("SELECT 1")
      $0.step("ALTER TABLE old RENAME TO orders")
    }
    #expect(exists(states, "orders", after: 1) == false && exists(states, "orders", after: 2) == true)
    #expect(bound(states, "old", after: 1) == .altered(step: 2) && exists(states, "old", after: 2) == false)
    #expect(states.past(of: .rowid(1), in: "orders").origin == .bound(.altered(step: 2)))
  }

  /// FTS5 writes what it had in memory before a statement begins, and that stays where the statement fails.
  @Test func whatAModuleWroteInAFailedStatementEndsItsTables() throws {
    let states = try states(Self.tables + "CREATE VIRTUAL TABLE f USING fts5(words);") {
      $0.step("SELECT 1")
      $0.step("INSERT INTO orders VALUES (1)", changed: 0, error: "UNIQUE")
      $0.change(.insert, "f_config", nil, new: "[1,2]")
    }
    #expect(bound(states, "f_config") == .moduleWrote(step: 2) && bound(states, "f_config", after: 2) == nil)
    #expect(bound(states) == nil && bound(states, "f") == .isVirtual)
  }

  @Test func whatIsRolledBackEndsNothingButItsOwnTransaction() throws {
    let states = try states {
      $0.step("BEGIN")
      $0.step("DROP TABLE note")
      $0.step("ALTER TABLE orders ADD COLUMN more")
      $0.step("CREATE TABLE note(other)")
      $0.step("ROLLBACK")
      $0.step("DROP TABLE missing", error: "no such table", code: 1)
    }
    #expect(
      bound(states, after: 0) == nil && bound(states, after: 2) == nil && bound(states, after: 5) == nil)
    #expect(bound(states, after: 3) == .altered(step: 3))
    #expect(exists(states, "note", after: 1) == true && exists(states, "note", after: 2) == false)
    #expect(exists(states, "note", after: 4) == true && exists(states, "note", after: 5) == true)
  }

  @Test func vacuumEndsTablesWhoseRowidIsNoColumn() throws {
    let states = try states {
      $0.step("SELECT 1")
      $0.step("VACUUM")
      $0.step("VACUUM INTO '/tmp/copy'")
    }
    #expect(bound(states) == nil && bound(states, "note") == .vacuumed(step: 2))
    #expect(bound(states, "note", after: 2) == nil)
  }

  @Test func whatWasNotToldEndsAllTables() throws {
    let cases: [(StateBound, (inout WrittenStory) -> Void)] = [
      (.unkept(step: 2), { $0.step("DELETE FROM x", changed: 5, more: ",\"unkept\":5") }),
      (
        .untold(step: 2, .updateHook),
        { $0.step("DELETE FROM x", changed: 5, more: #","untold":"updateHook""#) }
      ),
      (.withheld(step: 2), { $0.step("DELETE FROM x", changed: 5, more: #","withheld":true"#) }),
      (
        .schemaWritten(step: 2),
        {
          $0.step("UPDATE sqlite_master SET sql = ''", changed: 1)
          $0.change(.update, "sqlite_master", 1, old: "[1,2,3,4,5]", new: "[1,2,3,4,6]")
        }
      ),
    ]
    for (expected, write) in cases {
      let states = try states {
        $0.step("SELECT 1")
        write(&$0)
      }
      #expect(
        bound(states) == expected && bound(states, "note") == expected && bound(states, after: 2) == nil)
      #expect(expected.sentence.contains("tep 2"))
    }
  }

  @Test func missingStepsAndStoriesWithoutRowsHaveNoStates() throws {
    let missing = try states(missing: 5) {
      for _ in 1...3 { $0.step("SELECT 1") }
    }
    #expect(bound(missing, after: 0) == nil && bound(missing, after: 9) == .noSuchStep(9))
    let silent = try states(more: #","withoutChanges":"The library has no hook.""#) { $0.step("SELECT 1") }
    #expect(bound(silent) == .rowsNotTold("The library has no hook."))
    #expect(bound(missing, "sqlite_sequence") == .isOfSQLite && bound(missing, "nothing") == .notCaptured)
  }

  @Test func aTransactionOfWhichTheBeginningIsMissingHidesItsRows() throws {
    var written = WrittenStory()
    written.step("BEGIN")
    written.insert("orders", 2, #"[2,"b"]"#)
    written.step("ROLLBACK")
    written.issue(0)
    let lines = written.lines.filter { !$0.contains(#""sql":"BEGIN""#) }
    let recorded = try #require(StoryFile(Data((lines.joined(separator: "\n") + "\n").utf8)).story)
    let file = try folder.database("other.sqlite", Self.tables)
    let schema = CapturedSchema(of: file, evidence: "o", source: "/tmp/shop.sqlite", isUncommitted: false)
    let builder = StoryBuilder(recorded, issues: [], schemas: [schema], inspections: [:], path: { $0 })
    let other = StateTimeline(
      builder, database: try #require(builder.database(of: schema)), schema: schema, file: file)
    #expect(bound(other, after: 2) == .begunBefore(step: 2) && bound(other, after: 3) == nil)
    #expect(bound(other, after: 1) == .missing(firstStep: 2))
  }

  @Test func rowsWithoutTheirKeysAndOfOtherColumnsEndTheirTable() throws {
    let states = try states {
      $0.step("SELECT 1")
      $0.step("UPDATE orders SET state = 1", changed: 1)
      $0.change(.update, "orders", nil, old: #"[1,"old"]"#, new: #"[1,"new"]"#)
      $0.step("UPDATE note SET a = 1", changed: 1)
      $0.change(.insert, "note", 1, new: "[1,2,3]")
    }
    #expect(bound(states) == .keyNotTold(step: 2) && bound(states, "note") == .otherColumns(step: 3))
    #expect(bound(states, after: 2) == nil && bound(states, "note", after: 3) == nil)
  }

  @Test func anUnrecordedWriterIsFoundWhereItWroteARowThatIsTold() throws {
    let captured = try states {
      $0.step("UPDATE orders SET state = 'mine'", changed: 1)
      $0.change(.update, "orders", 1, old: #"[1,"old"]"#, new: #"[1,"mine"]"#)
      $0.step("SELECT 1")
    }
    // The captured row is another, and nobody knows since when.
    #expect(
      bound(captured) == .unseen(after: .max) && bound(captured, "note", after: 2) == .unseen(after: .max))
    let between = try states {
      $0.step("UPDATE orders SET state = 'mine'", changed: 1)
      $0.change(.update, "orders", 1, old: #"[1,"old"]"#, new: #"[1,"mine"]"#)
      $0.step("SELECT 1")
      $0.step("UPDATE orders SET state = 'new'", changed: 1)
      $0.change(.update, "orders", 1, old: #"[1,"theirs"]"#, new: #"[1,"new"]"#)
    }
    #expect(bound(between, after: 3) == nil)
    #expect(bound(between, after: 2) == .unseen(after: 3) && bound(between, after: 0) == .unseen(after: 3))
    let past = between.past(of: .rowid(1), in: "orders")
    #expect(past.entries.map(\.step) == [3] && past.origin == .bound(.unseen(after: 3)))
  }

  @Test func aFileThatCannotBeReadIsNamed() throws {
    let states = try states(isDamaged: true) { $0.insert("orders", 1, #"[1,"new"]"#) }
    guard case .failure(.unreadable) = states.page(of: "orders", .after(step: 1), upTo: 5) else {
      Issue.record("It was read.")
      return
    }
    #expect(bound(states) == nil)
  }
}
