import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// How the failing value came to be what it is.
@Suite struct ValueHistoryTests {
  private static let stock = "CREATE TABLE stock (id INTEGER PRIMARY KEY, units INTEGER);"

  // MARK: - Two runs of one read

  private func moves(_ message: String, given: Int, taken: Int) throws -> [Explanation] {
    try why(message, Self.stock) { story in
      story.read("SELECT sum(units) FROM stock", 95)
      for (given, taken) in [(2, 2), (given, taken)] {
        story.step("BEGIN")
        story.step("UPDATE stock SET units = units - ? WHERE id = 1", changed: 1)
        story.change(.update, "stock", 1, old: "[1,60]", new: "[1,\(60 - taken)]")
        story.step("UPDATE stock SET units = units + ? WHERE id = 2", changed: 1)
        story.change(.update, "stock", 2, old: "[2,35]", new: "[2,\(35 + given)]")
        story.step("COMMIT")
      }
      story.read("SELECT sum(units) FROM stock", 95 + given - taken)
    }
  }

  @Test func whatChangedBetweenTwoRunsOfAReadIsNamed() throws {
    let first = try #require(try moves(unequal(143, 95), given: 50, taken: 2).first)
    #expect(first.certainty == .certain)
    #expect(
      first.text.contains(
        "returned 95 in step 1 and 143 in step 10; between them stock.units changed by +48 (step 7); 1 other transaction left the sum as it was."
      ))
    #expect(first.rows?.rows.count == 2)
  }

  @Test func withoutBothNumbersThereIsNoBetween() throws {
    #expect(try moves(unequal(143, 96), given: 50, taken: 2).isEmpty)
    #expect(try moves(unequal(95, 96), given: 2, taken: 2).isEmpty)
  }

  // MARK: - Members of a list

  private static let colors = """
    CREATE TABLE color (id INTEGER PRIMARY KEY, name TEXT, hex TEXT); INSERT INTO color VALUES (2, 'Teal', '0FF');
    CREATE TABLE book (id INTEGER PRIMARY KEY, stock INTEGER); INSERT INTO book VALUES (6, 9), (7, 1), (8, 9);
    CREATE TABLE reservation (book INTEGER);
    """

  @Test func theStepThatRemovedAMissingMemberIsNamed() throws {
    let message = #"Expectation failed: (left → ["Teal"]) == ["Red", "Teal"]"#
    let first = try #require(
      try why(message, Self.colors) { story in
        story.step("DELETE FROM color WHERE hex = ?", changed: 2)
        story.change(.delete, "color", 1, old: #"[1,"Red","F00"]"#)
        story.change(.delete, "color", 4, old: #"[4,"Scarlet","F00"]"#)
        story.step("SELECT name FROM color", rows: 1, results: #"[["Teal"]]"#, columns: #"["name"]"#)
      }.first)
    #expect(first.certainty == .certain)
    #expect(first.text.contains("removed 2 rows of color in step 1, among them the missing 'Red'."))
  }

  /// Of rows that nobody misses nothing is said.
  @Test func aStepThatRemovedOtherRowsIsNot() throws {
    let message = #"Expectation failed: (left → ["Teal"]) == ["Red", "Teal"]"#
    let found = try why(message, Self.colors) { story in
      story.step("DELETE FROM color WHERE hex = ?", changed: 1)
      story.change(.delete, "color", 4, old: #"[4,"Scarlet","F00"]"#)
      story.step("SELECT name FROM color", rows: 1, results: #"[["Teal"]]"#, columns: #"["name"]"#)
    }
    #expect(found.isEmpty)
  }

  private func reservations(without missing: Int?) throws -> [Explanation] {
    let message = #"XCTAssertEqual failed: ("[6, 8]") is not equal to ("[6, 7, 8]") - "#
    return try why(message, Self.colors) { story in
      for book in [6, 7, 8] where book != missing {
        let sql = "INSERT INTO reservation SELECT id FROM book WHERE id = \(book) AND stock > 1"
        story.step(
          "INSERT INTO reservation SELECT id FROM book WHERE id = ? AND stock > ?",
          changed: book == 7 ? 0 : 1,
          more: #","expanded":"\#(sql)""#)
        if book != 7 { story.change(.insert, "reservation", book, new: "[\(book)]") }
      }
      story.step("SELECT book FROM reservation", rows: 2, results: "[[6],[8]]", columns: #"["book"]"#)
    }
  }

  @Test func theStatementThatInsertedNothingForAMissingMemberIsNamedWithTheCondition() throws {
    let first = try #require(try reservations(without: nil).first)
    #expect(first.certainty == .certain && first.steps == [2, 3])
    #expect(
      first.text.contains(
        "inserted no row in step 2, for the missing 7; it did in 2 other steps, as in step 3"))
    #expect(first.text.contains("; only “stock > 1” kept it from one."))
    #expect(first.rows?.rows == [[.integer(7), .integer(1)]])
    #expect(try reservations(without: 7).isEmpty)
  }

  // MARK: - One cell

  private func minutes(_ read: Int, updates: [(Int, Int)]) throws -> [Explanation] {
    try why(unequal(read, 500), "CREATE TABLE departure (id INTEGER PRIMARY KEY, minute INTEGER);") { story in
      for (old, new) in updates {
        story.step("UPDATE departure SET minute = minute + ? WHERE minute < ?", changed: 1)
        story.change(.update, "departure", 3, old: "[3,\(old)]", new: "[3,\(new)]")
      }
      story.read("SELECT minute FROM departure WHERE id = 3", read)
    }
  }

  @Test func aCellThatTheTestChangedTwiceIsToldStepByStep() throws {
    let first = try #require(try minutes(510, updates: [(470, 500), (500, 510)]).first)
    #expect(first.certainty == .certain)
    #expect(
      first.text.contains(
        "changed departure.minute of row 3 2 times: 470 → 500 in step 1, then 500 → 510 in step 2."))
    #expect(try minutes(510, updates: [(470, 510)]).isEmpty)
    #expect(try minutes(520, updates: [(470, 500), (500, 510)]).isEmpty)
  }
}
