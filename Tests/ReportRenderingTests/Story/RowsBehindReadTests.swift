import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// Where a failing value comes from: what each line added to it, what its row was before, what a query left out.
@Suite struct RowsBehindReadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The rows behind the last read.
  private func related(_ write: (inout WrittenStory) -> Void) throws -> [RelatedRows] {
    let file = try folder.database(
      "shop.sqlite",
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, isbn TEXT, title TEXT);
      CREATE TABLE line(book INTEGER REFERENCES book, price INTEGER);
      CREATE TABLE tag(name TEXT COLLATE NOCASE);
      CREATE TABLE weight(kilograms REAL);
      INSERT INTO book VALUES (7, '978-3', 'Villette'), (8, '978-4', 'Emma');
      INSERT INTO line VALUES (7, 100), (7, 250), (8, 900);
      INSERT INTO tag VALUES ('new');
      INSERT INTO weight VALUES (0.1), (0.2);
      """)
    var written = WrittenStory()
    write(&written)
    written.issue(0)
    let recorded = try #require(StoryFile(written.bytes).story)
    let schema = CapturedSchema(of: file, evidence: "shop", source: "/tmp/shop.sqlite", isUncommitted: false)
    let issue = TestIssue(message: "no", location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(recorded, issues: [issue], schemas: [schema], inspections: [:], path: { $0 })
    var story = builder.story([])
    let steps = story
    var rows = try HighlightRows(file, of: 0, schema)
    rows.complete(&story.highlights, builder, leading: steps.leadingReads) { steps[step: $0] }
    return story.leadingReads.last.map { story.highlights[$0].related } ?? []
  }

  @Test func aCountHasWhatEachLineAddedAndTookAway() throws {
    let related = try related {
      $0.insert("line", 1, "[7,100]")
      $0.step("DELETE FROM line WHERE price = 50", changed: 1)
      $0.change(.delete, "line", 4, old: "[7,50]")
      $0.step("UPDATE line SET price = 900 WHERE book = 8", changed: 1)
      $0.change(.update, "line", 3, old: "[8,9]", new: "[8,900]")
      $0.step("SELECT count(*) FROM line WHERE book = 7", rows: 1, results: "[[2]]")
    }
    #expect(
      related.map(\.title) == ["line: made of 2 rows, 2 there before, +1 by step 1, −1 by step 2"])
  }

  @Test(arguments: ["sum(price)", "coalesce(sum(price), 0)", "ifnull(sum(price),0) AS total"])
  func aSumHasWhatChangesOfRowsAddedToIt(expression: String) throws {
    let related = try related {
      $0.step("UPDATE line SET price = 900 WHERE book = 8", changed: 1)
      $0.change(.update, "line", 3, old: "[8,600]", new: "[8,900]")
      $0.step("SELECT \(expression) FROM line", rows: 1, results: "[[1250]]")
    }
    #expect(related.map(\.title) == ["line: made of 3 rows; the sum: 950 there before, +300 by step 1"])
  }

  @Test func aSumOfFractionsIsRounded() throws {
    let related = try related {
      $0.insert("weight", 1, "[0.1]")
      $0.insert("weight", 2, "[0.2]")
      $0.step(
        "SELECT total(kilograms) FROM weight", rows: 1, results: "[[0.30000000000000004]]")
    }
    #expect(
      related.map(\.title) == ["weight: made of 2 rows; the sum: +0.1 by step 1, +0.2 by step 2"])
  }

  @Test func aListHasWhatLeftIt() throws {
    let related = try related {
      $0.step("UPDATE line SET price = 250 WHERE price = 150", changed: 1)
      $0.change(.update, "line", 2, old: "[7,150]", new: "[7,250]")
      $0.step("SELECT price FROM line WHERE price < 200 AND book > 0", rows: 1, results: "[[100]]")
    }
    #expect(
      related.map(\.title) == [
        "line: 1 row, 2 there before, −1 by step 1", "line: 2 rows left out by “price < 200”",
      ])
  }

  @Test func aRowHasItsPast() throws {
    let related = try related {
      $0.step("UPDATE book SET title = 'Evelina' WHERE id = 8", changed: 1)
      $0.change(.update, "book", 8, old: #"[8,"978-4","Cecilia"]"#, new: #"[8,"978-4","Evelina"]"#)
      $0.step("UPDATE book SET title = 'Emma' WHERE id = 8", changed: 1)
      $0.change(.update, "book", 8, old: #"[8,"978-4","Evelina"]"#, new: #"[8,"978-4","Emma"]"#)
      $0.step("SELECT title FROM book WHERE id = 8", rows: 1, results: #"[["Emma"]]"#)
    }
    #expect(
      related.flatMap { $0.printed(ReferenceNames(), indent: "") }.map(\.text) == [
        "book: the row, as each line left it:", "  before: title 'Cecilia'", "  step 1: title 'Evelina'",
        "  step 2: title 'Emma'",
      ])
  }

  /// The test judges by values and not by how a column compares them, so nothing is counted by line.
  @Test func ofAColumnWithACollationNothingIsCounted() throws {
    let related = try related {
      $0.insert("tag", 1, #"["new"]"#)
      $0.step("SELECT count(*) FROM tag WHERE name <> 'old'", rows: 1, results: "[[1]]")
    }
    #expect(related.map(\.title) == ["tag: made of 1 row, all added by step 1"])
  }

  @Test func aRowThatIsNotKnownWholeIsNotCounted() throws {
    let related = try related {
      $0.step("UPDATE line SET price = 900 WHERE book = 8", changed: 1)
      $0.change(.update, "line", 3, old: "[8,null]", new: "[8]")
      $0.step("SELECT sum(price) FROM line", rows: 1, results: "[[1250]]")
    }
    #expect(related.allSatisfy { !$0.title.contains("+") })
  }

  /// The captured table cannot tell what a read saw that was of other rows.
  @Test(arguments: [
    "temporary", "taken back", "taken back in part", "committed later", "committed meanwhile", "renamed",
  ])
  func whereOtherRowsMayHaveBeenReadNothingIsSaid(kind: String) throws {
    let rows = try related { story in
      func write(on connection: Int = 1) {
        story.step("INSERT INTO line VALUES (?)", on: connection, changed: 1)
        story.change(.insert, "line", 3, new: "[8,900]")
      }
      func read() { story.step("SELECT count(*) FROM line", rows: 1, results: "[[3]]") }
      story.database(2, "/tmp/shop.sqlite")
      let begin = ["taken back", "taken back in part", "committed meanwhile"].contains(kind)
      if begin { story.step("BEGIN") }
      switch kind {
      case "temporary": story.step("CREATE TEMP TABLE line(book)")
      case "taken back in part":
        story.step("SAVEPOINT a")
        write()
      case "taken back": write()
      case "committed later":
        story.step("BEGIN", on: 2)
        write(on: 2)
      case "committed meanwhile":
        story.step("SELECT 1 FROM book", rows: 1)
        write(on: 2)
      default: break
      }
      read()
      switch kind {
      case "taken back": story.step("ROLLBACK")
      case "taken back in part":
        story.step("ROLLBACK TO a")
        story.step("COMMIT")
      case "committed later": story.step("COMMIT", on: 2)
      case "renamed": story.step("ALTER TABLE line RENAME TO line_old")
      default: break
      }
    }
    #expect(rows.isEmpty, "\(rows.map(\.title))")
  }

  @Test func whatCommittedBeforeIsSaid() throws {
    let rows = try related { story in
      story.database(2, "/tmp/shop.sqlite")
      story.step("BEGIN", on: 2)
      story.step("INSERT INTO line VALUES (?)", on: 2, changed: 1)
      story.change(.insert, "line", 3, new: "[8,900]")
      story.step("COMMIT", on: 2)
      story.step("BEGIN")
      story.step("SELECT count(*) FROM line", rows: 1, results: "[[3]]")
    }
    #expect(rows.map(\.title) == ["line: made of 3 rows, 2 there before, +1 by step 2"])
  }

  @Test(arguments: [
    ("max(price, 0)", false), ("max(price)", true), ("group_concat(price, ',')", true), ("min(1, 2)", false),
  ])
  func oneRowOfManyIsAnAggregate(result: String, isAggregate: Bool) {
    #expect(ReadQuery("SELECT \(result) FROM line ORDER BY price LIMIT 1")?.isAggregate == isAggregate)
  }

  @Test(arguments: ["RIGHT JOIN", "FULL JOIN", "LEFT JOIN"])
  func rowsWithoutOneOfTheFirstTableAreNotTold(join: String) {
    let query = ReadQuery("SELECT count(*) FROM book b \(join) line ON line.book = b.id")
    #expect((query == nil) == (join != "LEFT JOIN"))
  }

  @Test func rowsThatAJoinRepeatsAreTold() throws {
    let rows = try related {
      $0.step("SELECT count(*) FROM book b JOIN line ON line.book = b.id", rows: 1, results: "[[3]]")
    }
    #expect(rows.map(\.title) == ["book: made of 3 rows, from 2 of book: 1 of these stands in 2 of them"])
    #expect(rows.first?.columns == ["stands in", "id", "isbn", "title"])
    #expect(rows.first?.rows == [[.integer(2), .integer(7), .text("978-3"), .text("Villette")]])
  }

  @Test func rowsThatAJoinDoesNotRepeatAreCountedAlone() throws {
    let rows = try related {
      $0.step("SELECT count(*) FROM line JOIN book b ON line.book = b.id", rows: 1, results: "[[3]]")
    }
    #expect(rows.map(\.title) == ["line: made of 3 rows; those of line: all there before"])
  }

  @Test func whatAnInsertLeftOutIsTold() throws {
    let related = try related {
      $0.step("INSERT INTO line SELECT id, 1 FROM book WHERE isbn = '978-3'", changed: 3)
      for (key, row) in ["[7,100]", "[7,250]", "[8,900]"].enumerated() {
        $0.change(.insert, "line", key + 1, new: row)
      }
      $0.step("SELECT count(*) FROM line", rows: 1, results: "[[3]]")
    }
    #expect(
      related.map(\.title) == [
        "line: made of 3 rows, +3 by step 1",
        "book: 1 row left out by “isbn = '978-3'”, when step 1 wrote line",
      ])
  }

  @Test(arguments: [
    "count(DISTINCT book)", "2 * sum(price)", "sum(price) / 2", "max(price)", "coalesce(sum(price), 1)",
    "sum(price), count(*)", "avg(price)", "sum(price) + 1",
  ])
  func whatRowsDoNotAddToIsNoSum(expression: String) {
    #expect(ReadQuery("SELECT \(expression) FROM line")?.additive == nil)
  }

  /// What is said of a step that changed nothing.
  private func nothing(_ statement: String, then: String? = nil) throws -> String? {
    let file = try folder.database(
      "stock.sqlite",
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, stock INTEGER);
      CREATE TABLE loan(book INTEGER, reader TEXT);
      INSERT INTO book VALUES (7, 'Villette', 1), (8, 'Emma', NULL), (9, 'Emma', 0);
      """)
    var written = WrittenStory()
    written.step(statement, changed: 0)
    if let then {
      written.step(then, changed: 1)
      written.change(.update, "book", 7, old: "[7,\"Villette\",2]", new: "[7,\"Villette\",1]")
    }
    written.issue(0)
    let recorded = try #require(StoryFile(written.bytes).story)
    let schema = CapturedSchema(
      of: file, evidence: "stock", source: "/tmp/stock.sqlite", isUncommitted: false)
    let issue = TestIssue(message: "no", location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(recorded, issues: [issue], schemas: [schema], inspections: [:], path: { $0 })
    var story = builder.story([])
    try HighlightRows(file, of: 0, schema).complete(&story, builder)
    let step = try #require(story[step: 1])
    return step.marks.contains(.changedNothing) ? story.markText(step.marks, of: step) : nil
  }

  @Test(arguments: [
    (
      "INSERT INTO loan SELECT id, 'Ada' FROM book WHERE id = 7 AND stock > 1",
      "inserted nothing: book 7 has stock 1, “stock > 1” rejects it"
    ),
    (
      "UPDATE book SET stock = stock - 1 WHERE id = 8 AND stock > 0",
      "updated nothing: book 8 has stock NULL, “stock > 0” rejects it"
    ),
    (
      "DELETE FROM book AS b WHERE b.title = 'Emma' AND b.stock > 5",
      "deleted nothing: book 8 has stock NULL, “b.stock > 5” rejects it and 1 other row"
    ),
    (
      "UPDATE OR IGNORE main.book SET title = (SELECT 'x') WHERE id = 7 AND (stock > 1)",
      "updated nothing: book 7 has stock 1, “(stock > 1)” rejects it"
    ),
    // No single condition is the reason, or there is no such row, or nobody knows.
    ("UPDATE book SET stock = 1 WHERE stock > 1 AND title = 'Jane'", "changed no row"),
    ("UPDATE book SET stock = 1 WHERE id = 70", "changed no row"),
    ("DELETE FROM book WHERE stock > random()", "changed no row"),
    (
      "UPDATE book SET stock = 1 WHERE stock > 5",
      "updated nothing: book 7 has stock 1, “stock > 5” rejects it and 2 other rows"
    ),
  ])
  func aWriteThatChangedNothingTellsTheRowThatItsConditionRejects(statement: String, text: String) throws {
    #expect(try nothing(statement) == text)
  }

  @Test func rowsThatChangedSinceAreNotTheReason() throws {
    let statement = "DELETE FROM book WHERE id = 7 AND stock > 5"
    #expect(try nothing(statement, then: "UPDATE book SET stock = 1 WHERE id = 7") == "changed no row")
  }

  @Test func statementsThatInsertWhatTheySelectAreRead() {
    let query = ReadQuery(insertedBy: "INSERT INTO line(book) SELECT id FROM book WHERE title > 'A'")
    #expect(query?.table == "book" && query?.conditions.map(\.text) == ["title > 'A'"])
    #expect(ReadQuery(insertedBy: "INSERT INTO line VALUES (1)") == nil)
    #expect(ReadQuery(insertedBy: "INSERT INTO a SELECT b FROM c WHERE true ON CONFLICT DO NOTHING") == nil)
    #expect(ReadQuery(insertedBy: "SELECT id FROM book") == nil)
  }
}
