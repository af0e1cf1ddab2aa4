import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportStory
@testable import ReportTestSupport

/// Tables as they were after a step, told from the captured end.
@Suite struct StateTimelineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let orders = "CREATE TABLE orders(id INTEGER PRIMARY KEY, state);"
  private static let stock =
    "CREATE TABLE stock(article TEXT, shelf, count, PRIMARY KEY(article, shelf)) WITHOUT ROWID;"

  /// The states of a database that was captured as some SQL makes it.
  private func states(
    _ sql: String, isUncommitted: Bool = false, missing: Int = 0, more: String = "",
    _ write: (inout WrittenStory) -> Void
  ) throws -> StateTimeline {
    let file = try folder.database("\(UUID()).sqlite", sql)
    var written = WrittenStory(missing: missing, more: more)
    write(&written)
    let recorded = try #require(StoryFile(written.bytes).story)
    let schema = CapturedSchema(
      of: file, evidence: "shop", source: "/tmp/shop.sqlite", isUncommitted: isUncommitted)
    let issue = TestIssue(message: "failed", location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(recorded, issues: [issue], schemas: [schema], inspections: [:], path: { $0 })
    let database = try #require(builder.database(of: schema))
    return StateTimeline(builder, database: database, schema: schema, file: file)
  }

  /// The whole table as one text: `1 new, 2 paid`; `-` where it was not there, and the reason where it is not told.
  private func rows(_ states: StateTimeline, _ table: String = "orders", after step: Int) -> String {
    switch states.page(of: table, .after(step: step), upTo: 100) {
    case .failure(let bound): return "\(bound)"
    case .success(let page):
      guard page.exists else { return "-" }
      return page.rows.map { row in
        row.values.map { value in
          switch value {
          case nil: "?"
          case .integer(let number)?: "\(number)"
          case .text(let text, let whole)?: whole == nil ? text : text + "…"
          case .blob(let bytes, _)?: "x\(bytes.count)"
          case .some(let other): "\(other)"
          }
        }.joined(separator: " ")
      }.joined(separator: ", ")
    }
  }

  // MARK: - What stands and what does not

  @Test func aTransactionThatIsRolledBackLaterShowsItsRows() throws {
    let states = try states(Self.orders + "INSERT INTO orders VALUES (1, 'new'), (3, 'new');") {
      $0.step("BEGIN")
      $0.step("UPDATE orders SET state = 'paid'", changed: 1)
      $0.change(.update, "orders", 1, old: #"[1,"new"]"#, new: #"[1,"paid"]"#)
      $0.insert("orders", 2, #"[2,"new"]"#)
      $0.step("ROLLBACK")
      $0.insert("orders", 3, #"[3,"new"]"#)
      $0.issue(0)
    }
    #expect(rows(states, after: 0) == "1 new" && rows(states, after: 1) == "1 new")
    #expect(rows(states, after: 2) == "1 paid" && rows(states, after: 3) == "1 paid, 2 new")
    #expect(rows(states, after: 4) == "1 new" && rows(states, after: 5) == "1 new, 3 new")
    #expect(states.past(of: .rowid(1), in: "orders").origin == .before(firstStep: 1))
    let inside = states.past(of: .rowid(1), in: "orders", .after(step: 3))
    #expect(inside.entries.map(\.step) == [2] && inside.entries.map(\.operation) == [.update])
  }

  @Test func aSavepointShowsItsRowsUntilItIsTakenBack() throws {
    let states = try states(Self.orders + "INSERT INTO orders VALUES (1, 'a'), (3, 'c');") {
      $0.step("BEGIN")
      $0.insert("orders", 1, #"[1,"a"]"#)
      $0.step("SAVEPOINT s")
      $0.insert("orders", 2, #"[2,"b"]"#)
      $0.step("ROLLBACK TO s")
      $0.insert("orders", 3, #"[3,"c"]"#)
      $0.step("COMMIT")
      $0.issue(0)
    }
    let told = (0...7).map { rows(states, after: $0) }
    #expect(told == ["", "", "1 a", "1 a", "1 a, 2 b", "1 a", "1 a, 3 c", "1 a, 3 c"])
  }

  @Test func aFailedStatementLeavesNothingAndOrFailWhatItHadWritten() throws {
    let states = try states(Self.orders + "INSERT INTO orders VALUES (1, 'a');") {
      $0.step("INSERT INTO orders VALUES (8), (9)", changed: 0, error: "UNIQUE")
      $0.change(.insert, "orders", 8, new: #"[8,"x"]"#)
      $0.step("INSERT OR FAIL INTO orders VALUES (1), (1)", changed: 1, error: "UNIQUE")
      $0.change(.insert, "orders", 1, new: #"[1,"a"]"#)
      $0.issue(0)
    }
    #expect((0...2).map { rows(states, after: $0) } == ["", "", "1 a"])
  }

  /// Tried with SQLite 3.40.1: such a statement counts no row, and what a trigger wrote before it failed stays.
  @Test func triggersOfOrFailLeaveWhatTheyWroteBeforeTheFirstRow() throws {
    for (sql, code, before) in [
      ("UPDATE OR FAIL stock SET count = 1", 2067, "1 a"), ("UPDATE stock SET count = 1", 2067, "1 b"),
      ("UPDATE OR FAIL stock SET count = 1", 787, "1 b"),
    ] {
      let states = try states(Self.orders + "INSERT INTO orders VALUES (1, 'b');") {
        $0.step("SELECT 1")
        $0.step(sql, changed: 0, error: "failed", code: code)
        $0.change(.update, "orders", 1, old: #"[1,"a"]"#, new: #"[1,"b"]"#, depth: 1)
        $0.issue(0)
      }
      #expect(rows(states, after: 1) == before && rows(states, after: 2) == "1 b")
    }
  }

  @Test func anOpenTransactionIsInTheUncommittedCopyAlone() throws {
    func write(_ story: inout WrittenStory) {
      story.insert("orders", 1, #"[1,"a"]"#)
      story.step("BEGIN")
      story.insert("orders", 2, #"[2,"b"]"#)
      story.issue(0)
      story.insert("orders", 3, #"[3,"c"]"#)
    }
    let committed = try states(Self.orders + "INSERT INTO orders VALUES (1, 'a');", write)
    let own = try states(
      Self.orders + "INSERT INTO orders VALUES (1, 'a'), (2, 'b');", isUncommitted: true, write)
    for states in [committed, own] {
      #expect((0...4).map { rows(states, after: $0) } == ["", "1 a", "1 a", "1 a, 2 b", "1 a, 2 b, 3 c"])
    }
  }

  @Test func aStepSeesWhatOthersHadCommitted() throws {
    let states = try states(Self.orders + "INSERT INTO orders VALUES (1, 'a'), (2, 'b');") {
      $0.database(2, "/tmp/shop.sqlite")
      $0.step("BEGIN")
      $0.insert("orders", 1, #"[1,"a"]"#)
      $0.step("SELECT * FROM orders", on: 2)
      $0.step("COMMIT")
      $0.step("INSERT INTO orders VALUES (2)", on: 2, changed: 1)
      $0.change(.insert, "orders", 2, new: #"[2,"b"]"#)
      $0.step("SELECT 1")
      $0.issue(0)
    }
    #expect(rows(states, after: 2) == "1 a" && rows(states, after: 3) == "")
    #expect((4...6).map { rows(states, after: $0) } == ["1 a", "1 a, 2 b", "1 a, 2 b"])
  }

  // MARK: - Rows

  @Test func keysReplacedRowsAndCascadesAreFollowed() throws {
    let states = try states(
      Self.orders + "CREATE TABLE line(id INTEGER PRIMARY KEY, ref);"
        + "INSERT INTO orders VALUES (5, 'b'), (6, 'new');"
    ) {
      $0.insert("line", 1, "[1,2]")
      $0.insert("orders", 2, #"[2,"a"]"#)
      $0.step("UPDATE orders SET id = 5", changed: 1)
      $0.change(.update, "orders", 2, old: #"[2,"a"]"#, new: #"[5,"a"]"#, more: ",\"newKey\":5")
      $0.change(.delete, "line", 1, old: "[1,2]", depth: 1)
      $0.step("UPDATE orders SET state = 'b'", changed: 1)
      $0.change(.update, "orders", 5, old: #"[5,"a"]"#, new: #"[5,"b"]"#)
      $0.step("REPLACE INTO orders VALUES (6)", changed: 1)
      $0.change(.delete, "orders", 6, old: #"[6,"old"]"#)
      $0.change(.insert, "orders", 6, new: #"[6,"new"]"#)
      $0.issue(0)
    }
    #expect((1...3).map { rows(states, after: $0) } == ["6 old", "2 a, 6 old", "5 a, 6 old"])
    #expect((2...3).map { rows(states, "line", after: $0) } == ["1 2", ""])
    let moved = states.past(of: .rowid(5), in: "orders")
    #expect(moved.entries.map(\.step) == [4, 3, 2] && moved.origin == .insertedBy(step: 2))
    let replaced = states.past(of: .rowid(6), in: "orders")
    #expect(
      replaced.entries.map(\.operation) == [.update] && replaced.entries.allSatisfy(\.isReplacement)
        && replaced.origin == .before(firstStep: 1))
    let gone = states.past(of: .rowid(1), in: "line")
    #expect(gone.entries.map(\.operation) == [.delete, .insert] && gone.entries.map(\.depth) == [1, 0])
    #expect(states.past(of: .rowid(77), in: "orders").origin == .nowhere)
  }

  @Test func tablesWithoutRowidHaveTheirKeys() throws {
    let states = try states(Self.stock + "INSERT INTO stock VALUES ('a', 1, 9), ('b', 2, 5), ('c', 1, 1);") {
      $0.step("UPDATE stock SET count = 9", changed: 1)
      $0.change(.update, "stock", nil, old: #"["a",1,3]"#, new: #"["a",{"real":"1"},9]"#)
      $0.step("UPDATE stock SET shelf = 2", changed: 1)
      $0.change(.update, "stock", nil, old: #"["b",1,5]"#, new: #"["b",2,5]"#)
      $0.issue(0)
    }
    #expect(rows(states, "stock", after: 0) == "a 1 3, b 1 5, c 1 1")
    #expect(rows(states, "stock", after: 1) == "b 1 5, a 1 9, c 1 1")
    let key = RowKey.values([.text("b"), .integer(2)])
    #expect(states.past(of: key, in: "stock").entries.map(\.step) == [2])
  }

  @Test func cutValuesAreShownAsCutAndBlobsThatWereWrittenInPlaceAsTheyWere() throws {
    let states = try states(Self.orders + "INSERT INTO orders VALUES (1, x'0102'), (2, 'short');") {
      $0.step("-- sqlite3_blob_write", changed: 1)
      $0.change(.delete, "orders", 1, old: #"[1,{"blob":"00","size":1}]"#, more: ",\"blob\":1")
      $0.step("UPDATE orders SET state = 'short'", changed: 1)
      $0.change(.update, "orders", 2, old: #"[2,{"text":"lo","size":900}]"#, new: #"[2,"short"]"#)
      $0.issue(0)
    }
    #expect((0...2).map { rows(states, after: $0) } == ["1 x1, 2 lo…", "1 x2, 2 lo…", "1 x2, 2 short"])
  }

  @Test func pagesHaveTheRowsOfTheStepAndNoOthers() throws {
    let values = (1...20).map { "(\($0), 'x')" }.joined(separator: ", ")
    let states = try states(Self.orders + "INSERT INTO orders VALUES \(values);") {
      $0.step("DELETE FROM orders WHERE id IN (0, 21)", changed: 2)
      $0.change(.delete, "orders", 0, old: #"[0,"first"]"#)
      $0.change(.delete, "orders", 21, old: #"[21,"last"]"#)
      $0.insert("orders", 10, #"[10,"x"]"#)
      $0.issue(0)
    }
    var (keys, last, pages): ([RowKey], RowKey?, Int) = ([], nil, 0)
    while case .success(let page) = states.page(of: "orders", .after(step: 0), behind: last, upTo: 4) {
      keys += page.rows.map(\.key)
      (last, pages) = (page.rows.last?.key, pages + 1)
      if !page.hasMore { break }
    }
    #expect(keys == (0...21).filter { $0 != 10 }.map { .rowid($0) } && pages == 6)
    let before = states.page(
      of: "orders", .after(step: 0), behind: .rowid(2), isDescending: true, upTo: 5)
    guard case .success(let page) = before else { return #expect(Bool(false)) }
    #expect(page.rows.map(\.key) == [.rowid(1), .rowid(0)] && !page.hasMore)
  }
}
