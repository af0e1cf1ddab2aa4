import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// Rows that a test wrote more than once, or not at all in the end.
@Suite struct RepeatedWritesTests {
  private static let prices = """
    CREATE TABLE price (id INTEGER PRIMARY KEY, item INTEGER, cents INTEGER, batch TEXT);
    """

  // MARK: - In place of its own

  /// Thirty prices of one batch, then two of them again of another one.
  private func prices(_ first: String, _ second: String, _ other: Int = 900) throws -> [Explanation] {
    try why(unequal(700, other), Self.prices) { story in
      story.step(
        "SELECT name FROM batch ORDER BY name", rows: 2, results: #"[["\#(first)"],["\#(second)"]]"#,
        columns: #"["name"]"#)
      for item in 1...30 {
        story.step("INSERT OR REPLACE INTO price(item, cents, batch) VALUES (?, ?, ?)", changed: 1)
        story.change(.insert, "price", item, new: #"[\#(item),\#(item),500,"\#(first)"]"#)
      }
      for item in [4, 9] {
        story.step("INSERT OR REPLACE INTO price(item, cents, batch) VALUES (?, ?, ?)", changed: 1)
        story.change(.delete, "price", item, old: #"[\#(item),\#(item),500,"\#(first)"]"#)
        story.change(.insert, "price", item + 100, new: #"[\#(item + 100),\#(item),570,"\#(second)"]"#)
      }
      story.read("SELECT sum(cents) FROM price", 700)
    }
  }

  @Test func anEarlierStateInPlaceOfALaterOneIsNamedWithTheOrder() throws {
    let first = try #require(try prices("B-10", "B-9").first)
    #expect(first.certainty == .certain && first.steps == [32, 1])
    #expect(first.text.contains("wrote 2 rows of price a second time in this test"))
    #expect(
      first.text.contains(
        "they came in the order of “SELECT name FROM batch ORDER BY name”, step 1: 'B-10' before 'B-9'."))
    #expect(
      first.rows?.columns == ["id before", "id", "item", "cents before", "cents", "batch before", "batch"])
  }

  @Test func aLaterStateInPlaceOfAnEarlierOneIsMeantUnlessItIsTheDifference() throws {
    #expect(try prices("B-9", "B-10").isEmpty)
    #expect(try prices("B-9", "B-10", 840).first?.text.contains("price.cents of these is 140 in all") == true)
  }

  /// An UPDATE that hits twice is told by the difference alone.
  @Test(arguments: [(-100, true), (-90, false)])
  func anUpdateThatRanTwiceIsNamedForTheDifference(difference: Int, isTold: Bool) throws {
    let found = try why(unequal(700, 700 - difference), Self.prices) { story in
      for (place, item) in (Array(1...30) + [4, 9]).enumerated() {
        let isAgain = place >= 30
        story.step("UPDATE price SET cents = ? WHERE id = ?", changed: 1)
        story.change(
          .update, "price", item, old: "[\(item),1,\(isAgain ? 400 : 500),\"B\"]",
          new: "[\(item),1,\(isAgain ? 350 : 400),\"B\"]")
      }
      story.read("SELECT sum(cents) FROM price", 700)
    }
    let told = found.contains { $0.text.contains("changed 2 rows of price again") }
    #expect(told == isTold)
  }

  // MARK: - States

  /// Two of thirty are left already when all are ended.
  private func states(left: [Int], ended: Int) throws -> [Explanation] {
    try why(unequal(700, 900), "CREATE TABLE enrolment (id INTEGER PRIMARY KEY, state TEXT);") { story in
      for id in left {
        story.step("UPDATE enrolment SET state = 'left' WHERE id = ?", changed: 1)
        story.change(.update, "enrolment", id, old: #"[\#(id),"active"]"#, new: #"[\#(id),"left"]"#)
      }
      story.step("UPDATE enrolment SET state = 'ended' WHERE course = ?", changed: ended)
      for id in 1...ended {
        story.change(
          .update, "enrolment", id, old: #"[\#(id),"\#(left.contains(id) ? "left" : "active")"]"#,
          new: #"[\#(id),"ended"]"#)
      }
      story.read("SELECT count(*) FROM enrolment WHERE state = 'left'", 700)
    }
  }

  @Test func anUpdateThatOverwritesWhatAnotherOneWroteIsNamed() throws {
    let first = try #require(try states(left: [3, 8], ended: 30).first)
    #expect(first.certainty == .likely && first.steps == [3, 1])
    #expect(first.text.contains("overwrote enrolment.state 'left' in 2 of 30 rows"))
  }

  @Test func aStateThatMostHadOrNobodyWroteIsNone() throws {
    #expect(try states(left: [1, 2, 3, 4, 5, 6, 7, 8, 9], ended: 30).isEmpty)
    #expect(try states(left: [], ended: 30).isEmpty)
    #expect(try states(left: [3], ended: 9).isEmpty)
  }

  // MARK: - Twice by one statement

  private func stock(twice: Set<Int>) throws -> [Explanation] {
    let schema = """
      CREATE TABLE movement (id INTEGER PRIMARY KEY, delta INTEGER);
      CREATE TABLE stock (id INTEGER PRIMARY KEY, units INTEGER);
      CREATE TRIGGER one AFTER INSERT ON movement BEGIN UPDATE stock SET units = units + new.delta; END;
      CREATE TRIGGER two AFTER INSERT ON movement BEGIN UPDATE stock SET units = units + 1; END;
      """
    return try why(unequal(700, 703), schema) { story in
      for id in 1...40 {
        story.step("INSERT INTO movement(delta) VALUES (?)", changed: 1, triggers: ["one", "two"])
        story.change(.insert, "movement", id, new: "[\(id),5]")
        story.change(.update, "stock", 1, old: "[1,\(id * 10)]", new: "[1,\(id * 10 + 5)]", depth: 1)
        if twice.contains(id) {
          story.change(.update, "stock", 1, old: "[1,\(id * 10 + 5)]", new: "[1,\(id * 10 + 6)]", depth: 1)
        }
      }
      story.read("SELECT sum(units) FROM stock", 700)
    }
  }

  @Test func aRowThatOneStatementChangesTwiceIsNamedWithItsTriggers() throws {
    let first = try #require(try stock(twice: [4, 30]).first)
    #expect(first.certainty == .certain && first.steps == [4])
    #expect(first.text.contains("2 of 40 runs"))
    #expect(
      first.text.contains("changed stock.units of one row twice (first in step 4): the triggers one and two"))
  }

  @Test func whatAllDoTwiceIsMeant() throws {
    #expect(try stock(twice: Set(1...40)).isEmpty)
    #expect(try stock(twice: []).isEmpty)
  }

  /// Two rows of a table WITHOUT ROWID, of which SQLite tells 0 as the key.
  @Test(arguments: [0, nil]) func rowsWithoutRowidAreToldApart(key: Int?) throws {
    let schema = "CREATE TABLE stock (sku TEXT PRIMARY KEY, units INTEGER) WITHOUT ROWID;"
    func found(_ second: String) throws -> [Explanation] {
      try why(unequal(700, 703), schema) { story in
        for run in 1...40 {
          story.step("UPDATE stock SET units = ? WHERE sku IN (?, ?)", changed: 1)
          story.change(.update, "stock", key, old: "[\"a\",\(run)]", new: "[\"a\",\(run + 1)]")
          guard run == 4 || run == 30 else { continue }
          story.change(
            .update, "stock", key, old: "[\"\(second)\",\(run + 1)]", new: "[\"\(second)\",\(run + 9)]")
        }
        story.read("SELECT sum(units) FROM stock", 700)
      }
    }
    let (others, same) = (try found("b"), try found("a"))
    #expect(others.allSatisfy { !$0.text.contains("of one row twice") })
    #expect(same.first?.text.contains("changed stock.units of one row twice") == true)
  }

  // MARK: - Taken back

  /// Twenty savepoints of two bookings, of which one fails behind a booking.
  private func bookings(_ other: Int, failing: Set<Int>, goesOn: Bool = true) throws -> [Explanation] {
    let schema = "CREATE TABLE booking (id INTEGER PRIMARY KEY, starts INTEGER, ends INTEGER);"
    return try why(unequal(700, other), schema) { story in
      for number in 1...20 {
        story.step("SAVEPOINT a")
        story.insert("booking", number, "[\(number),100,145]")
        if failing.contains(number) {
          story.step("INSERT INTO booking VALUES (?)", error: "room is taken")
          story.step("ROLLBACK TO a")
        }
        story.step("RELEASE a", staysIn: false)
      }
      if goesOn { story.read("SELECT sum(ends - starts) FROM booking", 700) }
    }
  }

  @Test func rowsThatGoWithAFailedStatementAreNamed() throws {
    let first = try #require(try bookings(701, failing: [3, 9]).first)
    #expect(first.certainty == .likely)
    #expect(first.text.contains("failed in step 9 and 1 other step (room is taken)"))
    #expect(
      first.text.contains(
        "then “ROLLBACK TO a” took back 2 earlier changes, 2 of them in booking, and the test went on"))
    let met = try #require(try bookings(790, failing: [3, 9]).first)
    #expect(met.certainty == .certain)
    #expect(met.text.contains("booking.ends − starts of these is 90 in all, the difference"))
  }

  /// A savepoint in the savepoint, kept or not, goes with it.
  @Test func whatASavepointInsideHeldIsTakenBackToo() throws {
    let schema = "CREATE TABLE booking (id INTEGER PRIMARY KEY, starts INTEGER, ends INTEGER);"
    let found = try why(unequal(700, 835), schema) { story in
      story.step("SAVEPOINT a")
      story.insert("booking", 1, "[1,100,145]")
      story.step("SAVEPOINT b")
      story.insert("booking", 2, "[2,100,145]")
      story.step("RELEASE b")
      story.step("SAVEPOINT c")
      story.insert("booking", 3, "[3,100,145]")
      story.step("INSERT INTO booking VALUES (?)", error: "room is taken")
      story.step("ROLLBACK TO a")
      story.step("RELEASE a", staysIn: false)
      story.read("SELECT sum(ends - starts) FROM booking", 700)
    }
    #expect(found.first?.text.contains("took back 3 earlier changes, 3 of them in booking") == true)
  }

  @Test func whatAStatementOrRollbackTakesBackIsCounted() throws {
    let schema = "CREATE TABLE booking (id INTEGER PRIMARY KEY, starts INTEGER, ends INTEGER);"
    let found = try why(unequal(700, 790), schema) { story in
      story.step("BEGIN")
      story.insert("booking", 1, "[1,100,145]")
      story.insert("booking", 2, "[2,100,145]")
      story.step("INSERT OR ROLLBACK INTO booking VALUES (?)", error: "room is taken", staysIn: false)
      story.insert("booking", 3, "[3,100,145]")
      story.step("ROLLBACK", error: "cannot rollback - no transaction is active", staysIn: false)
      story.read("SELECT sum(ends - starts) FROM booking", 700)
    }
    let text = try #require(found.first?.text)
    #expect(text.contains("failed in step 4 (room is taken) and took back 2 earlier changes"), "\(text)")
  }

  @Test func rollbacksOfManyAreMeant() throws {
    #expect(try bookings(701, failing: Set(1...8)).isEmpty)
    #expect(try bookings(701, failing: []).isEmpty)
  }
}
