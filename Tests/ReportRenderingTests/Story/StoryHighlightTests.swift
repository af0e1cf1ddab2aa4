import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// What was written, tried and read last comes first: there the cause is, and hardly ever in the set-up.
@Suite struct StoryHighlightTests {
  private func order(_ key: Int, in written: inout WrittenStory) {
    written.step("BEGIN")
    written.insert("orders", key, "[\(key),\"new\",null]")
    written.insert("orderLine", key, "[\(key),\"lamp\"]")
    written.step("COMMIT")
  }

  private func story(
    _ message: String = "no", _ write: (inout WrittenStory) -> Void
  ) throws -> Story {
    var written = WrittenStory()
    for key in 1...4 { order(key, in: &written) }
    write(&written)
    written.issue(0)
    return try written.story(failing: [message], schemas: [.shop])
  }

  private func told(_ story: Story) -> [String] {
    story.highlights.map { "\($0.title(isLast: true)) \($0.stepsText): \($0.changes.sentence)" }
  }

  @Test func whatRepeatsItselfBeforeTheLastTransactionIsTakenForSetUp() throws {
    let story = try story { written in
      order(5, in: &written)
    }
    #expect(told(story) == ["Written last steps 18 to 19: +1 orders, +1 orderLine"])
  }

  @Test func transactionsUnlikeTheSetUpAreToldWithTheLastOne() throws {
    let story = try story { written in
      written.step("UPDATE orders SET state = 'paid' WHERE id = 2", changed: 1)
      written.change(.update, "orders", 2, old: #"[2,"new",null]"#, new: #"[2,"paid",null]"#)
      written.step("DELETE FROM orderLine WHERE id = 1", changed: 1)
      written.change(.delete, "orderLine", 1, old: #"[1,"lamp"]"#)
      written.step("SELECT count(*) FROM orderLine", rows: 1, results: "[[3]]")
    }
    #expect(
      told(story) == [
        "Written last step 17: 1 row of orders changed in state only", "Written last step 18: −1 orderLine",
        "Read last step 19: ",
      ])
  }

  @Test(arguments: [true, false])
  func whereAllRowsAreTheTestsOwnItsLastOnesAreMarked(areOwn: Bool) throws {
    var written = WrittenStory()
    if areOwn {
      for table in ["orders", "orderLine"] { written.step("CREATE TABLE \(table) (id INTEGER PRIMARY KEY)") }
    }
    for key in 1...5 { order(key, in: &written) }
    written.issue(0)
    let story = try written.story(failing: ["no"], schemas: [.shop])
    #expect(story.changes.tables.map(\.marked.count) == [5, 5])
    #expect(story.lastChanges?.tables.map { $0.marked.map(\.key) } == (areOwn ? [[5], [5]] : nil))
  }

  @Test func whatALibraryKeepsForItselfIsNotWrittenLast() throws {
    let story = try story { $0.insert("grdb_migrations", 1, #"["v2"]"#) }
    #expect(told(story) == ["Written last steps 14 to 15: +1 orders, +1 orderLine"])
  }

  @Test func aStatementThatFailedStandsWithTheRowsItWasAbout() throws {
    let story = try story("threw FOREIGN KEY constraint failed") { written in
      written.step("BEGIN")
      written.step(
        "DELETE FROM orders WHERE id = 3", changed: 0, error: "FOREIGN KEY constraint failed", code: 787)
      written.change(.delete, "orders", 3, old: #"[3,"new",null]"#)
      written.step("ROLLBACK")
    }
    let failed = try #require(story.highlights.last)
    #expect(failed.kind == .failed && failed.last == 18 && failed.changes.tables.first?.removed == 1)
  }

  @Test func whatStandsOpenAtTheFailureSaysSo() throws {
    let story = try story { written in
      written.step("BEGIN")
      written.insert("stock", 1, #"["lamp",2]"#)
    }
    #expect(story.highlights.last?.stateText == "not committed")
  }

  @Test func whatARollbackToTookBackSaysSoAndIsNotMarked() throws {
    var written = WrittenStory()
    written.step("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    written.step("SAVEPOINT a")
    written.insert("orders", 1, "[1,\"new\",null]")
    written.step("SAVEPOINT b")
    written.insert("orders", 2, "[2,\"new\",null]")
    written.step("ROLLBACK TO a")
    written.issue(0)
    let story = try written.story(failing: ["no"], schemas: [.shop])
    #expect(story.highlights.last?.stateText == "rolled back")
    #expect(story.lastChanges?.tables.flatMap(\.marked).isEmpty == true)
  }

  @Test func rowsWithAValueOfTheMessageAreKeptBeforeOthers() throws {
    let story = try story("XCTAssertEqual failed: (\"4711\") is not equal to (\"1\")") { written in
      written.step("INSERT INTO stock SELECT …", changed: 40)
      for key in 1...40 {
        written.change(.insert, "stock", nil, new: "[\"a\(key)\",\(key == 33 ? 4711 : 5)]")
      }
    }
    let rows = try #require(story.highlights.last?.changes.tables.first?.groups.first).rows
    #expect(rows.count == 6 && rows.contains { $0.new == [.text("a33"), .integer(4711)] })
  }

  @Test func withoutValuesTheCountsStay() throws {
    var story = try story { order(5, in: &$0) }
    story.removeValues(names: [])
    #expect(told(story).count == 1)
    #expect(story.highlights.flatMap { $0.changes.tables.flatMap(\.groups) }.allSatisfy { $0.rows.isEmpty })
  }

  @Test func alikeOddStepsAreOne() throws {
    let story = try story { written in
      for _ in 1...3 { written.step("UPDATE orders SET state = 'x' WHERE id = 99", changed: 0) }
      written.insert("stock", 1, #"["lamp",2]"#)
      written.step("UPDATE orders SET state = 'x' WHERE id = 99", changed: 0)
      written.step("UPDATE orders SET state = 'x' WHERE id = 99", changed: 0)
    }
    let (odd, others) = story.gatheredOddSteps { story.markText($0.marks, of: $0) }
    #expect(odd.map { $0.recent.map(\.number) } == [[21, 22]] && odd.first?.earlier == 3 && others == 0)
    #expect(odd.first?.others.map(\.number) == [21] && odd.first?.unnamedText == "3 earlier ones")
  }

  @Test func columnsAreCalledWhatTheStatementThatMadeThemCallsThem() throws {
    var written = WrittenStory()
    written.step("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT CHECK (name <> ','), UNIQUE (name))")
    written.insert("t", 1, #"[1,"a"]"#)
    written.step("ALTER TABLE t ADD COLUMN size")
    written.insert("t", 2, #"[2,"b",3]"#)
    written.issue(0)
    let story = try written.story()
    #expect(story[step: 2]?.changes.first?.columns == ["id", "name"])
    #expect(story[step: 4]?.changes.first?.columns == ["id", "name", "size"])
  }
}

/// Rows of the captured database that explain what was done last.
@Suite struct HighlightRowsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func story(
    _ sql: String, _ message: String = "no", explained why: [Explanation] = [],
    _ write: (inout WrittenStory) -> Void
  ) throws -> Story {
    let file = try folder.database(
      "shop.sqlite",
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, isbn TEXT, title TEXT);
      CREATE TABLE line(book INTEGER REFERENCES book, price INTEGER);
      INSERT INTO book VALUES (7, '978-3', 'Villette'), (8, '978-4', 'Emma');
      INSERT INTO line VALUES (7, 100), (7, 250), (8, 900);
      """ + sql)
    var written = WrittenStory()
    write(&written)
    let recorded = try #require(StoryFile(written.bytes).story)
    let schema = CapturedSchema(of: file, evidence: "shop", source: "/tmp/shop.sqlite", isUncommitted: false)
    let issue = TestIssue(message: message, location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(recorded, issues: [issue], schemas: [schema], inspections: [:], path: { $0 })
    var story = builder.story(why)
    let steps = story
    var rows = try HighlightRows(file, of: 0, schema)
    rows.complete(&story.explanations, story.highlights)
    rows.complete(&story.highlights, builder, leading: steps.leadingReads) { steps[step: $0] }
    return story
  }

  @Test func aForeignKeyHasTheNameOfItsRow() throws {
    let story = try story("") {
      $0.insert("line", 1, "[7,100]")
    }
    let line = StoryTable(database: 0, name: "line")
    #expect(story.highlights.first?.names[line, "book", .integer(7)] == "Villette")
    #expect(story.highlights.first?.names[line, "price", .integer(100)] == nil)
  }

  @Test func whatRefersToARowThatCannotGoIsShown() throws {
    let story = try story("") {
      $0.step("DELETE FROM book WHERE id = 7", changed: 0, error: "FOREIGN KEY constraint failed", code: 787)
      $0.change(.delete, "book", 7, old: #"[7,"978-3","Villette"]"#)
      $0.issue(0)
    }
    let related = try #require(story.highlights.first?.related.first)
    #expect(related.title == "line: 2 rows refer to id 7 of book" && related.rows.count == 2)
  }

  @Test(arguments: [
    ("INSERT INTO book(title, isbn) VALUES ('Emma again', '978-4')", "isbn", 2067, "isbn '978-4'", Int64(8)),
    ("INSERT INTO book VALUES (3 + 4, '978-5', 'New')", "id", 1555, "id 7", 7),
    (
      "INSERT OR ABORT INTO main.book AS b (id) VALUES (9), (8) ON CONFLICT(isbn) DO NOTHING;", "id", 1555,
      "id 8", 8
    ),
    (
      "INSERT INTO book(isbn) SELECT '978-' || (book - 4) FROM line WHERE book = 8", "isbn", 2067,
      "isbn '978-4'", 8
    ),
    (
      "UPDATE book SET title = 'x, y', isbn = '978-' || (1 + 3) WHERE id = 7 RETURNING id", "isbn", 2067,
      "isbn '978-4'", 8
    ),
    ("UPDATE book SET id = id + 1 WHERE id = 7", "id", 1555, "id 8", 8),
  ])
  func theRowThatAKeyCollidedWithIsShown(
    sql: String, column: String, code: Int, values: String, row: Int64
  ) throws {
    let story = try story("CREATE UNIQUE INDEX isbn ON book(isbn);") {
      $0.step(sql, changed: 0, error: "UNIQUE constraint failed: book.\(column)", code: code)
      $0.issue(0)
    }
    let related = try #require(story.highlights.first?.related.first)
    #expect(related.title == "book: there already with \(values)" && related.step == nil)
    #expect(related.rows.count == 1 && related.rows.first?.first == .integer(row))
  }

  /// No row is in its way, it is its own row, it cannot be asked, another constraint refused it.
  @Test(arguments: [
    ("INSERT INTO book(isbn) VALUES ('978-5')", "UNIQUE constraint failed: book.isbn", 2067),
    ("INSERT INTO book(isbn) VALUES (NULL)", "UNIQUE constraint failed: book.isbn", 2067),
    ("UPDATE book SET isbn = '978-3' WHERE id = 7", "UNIQUE constraint failed: book.isbn", 2067),
    ("INSERT INTO book(isbn) VALUES (?)", "UNIQUE constraint failed: book.isbn", 2067),
    ("INSERT INTO book(isbn) VALUES (unknown('978-4'))", "UNIQUE constraint failed: book.isbn", 2067),
    ("INSERT INTO book(title) VALUES ('978-4')", "UNIQUE constraint failed: book.isbn", 2067),
    ("INSERT INTO book(isbn) VALUES ('978-4')", "UNIQUE constraint failed: index 'lower'", 2067),
    ("INSERT INTO book(isbn) VALUES ('978-4')", "CHECK constraint failed: book.isbn", 275),
  ])
  func whereNoRowIsKnownToBeInTheWayNoneIsShown(sql: String, message: String, code: Int) throws {
    let story = try story("") {
      $0.step(sql, changed: 0, error: message, code: code)
      $0.issue(0)
    }
    #expect(story.highlights.count == 1 && story.highlights.first?.related.isEmpty == true)
  }

  @Test func theStepThatWroteTheRowInTheWayIsNamed() throws {
    let story = try story("") {
      $0.insert("book", 8, #"[8,"978-4","Emma"]"#)
      $0.step(
        "INSERT INTO book(id) VALUES (8)", changed: 0, error: "UNIQUE constraint failed: book.id", code: 1555)
      $0.issue(0)
    }
    let related = try #require(story.highlights.last?.related.first)
    #expect(related.step == 1 && story.namedSteps(with: []).contains(1))
    #expect(
      related.printed(ReferenceNames(), indent: "").map(\.text) == [
        "book: there already with id 8, written in step 1:", "  id 8, isbn '978-4', title 'Emma'",
      ])
  }

  @Test func aRowThatWasTakenBackSinceStoodInTheWayToo() throws {
    let story = try story("") {
      $0.step("BEGIN")
      $0.insert("book", 9, #"[9,"978-9","Persuasion"]"#)
      $0.step(
        "INSERT INTO book(id) VALUES (9)", changed: 0, error: "UNIQUE constraint failed: book.id", code: 1555)
      $0.step("ROLLBACK")
      $0.issue(0)
    }
    let related = try #require(story.highlights.last?.related.first)
    #expect(related.title == "book: there at that time with id 9" && related.step == 2)
    #expect(related.rows.first?.last == .text("Persuasion"))
  }

  @Test func aRowThatCameLaterWasNotInTheWay() throws {
    let message = "UNIQUE constraint failed: book.id"
    let story = try story("", "threw \(message)") {
      $0.step("INSERT INTO book(id) VALUES (8)", changed: 0, error: message, code: 1555)
      $0.insert("book", 8, #"[8,"978-4","Emma"]"#)
      $0.issue(0)
    }
    #expect(story.highlights.first { $0.kind == .failed }?.related.isEmpty == true)
  }

  /// Another connection's open transaction is in the copy.
  @Test func aNumberThatTheCapturedRowsDoNotMakeIsNotMadeOfThem() throws {
    let story = try story("", "(\"0\") is not equal to (\"3\")") {
      $0.step("SELECT count(*) FROM line", rows: 1, results: "[[0]]", columns: #"["count(*)"]"#)
      $0.issue(0)
    }
    #expect(story.highlights.last?.kind == .read && story.highlights.last?.related.isEmpty == true)
  }

  @Test func theRowsOfWhyHaveTheNamesToo() throws {
    let line = StoryTable(database: 0, name: "line")
    let rows = RelatedRows(
      table: line, title: "line: removed", columns: ["book", "price"], rows: [[.integer(7), .integer(100)]])
    let why = Explanation(.certain, [.text("so it is")], rows: rows, weight: 1)
    let story = try story("", explained: [why]) { $0.step("SELECT 1", rows: 1) }
    let told = try #require(story.explanations.first)
    #expect(
      told.printed.map(\.text) == [
        "Certain: so it is", "  line: removed:", "    book 7 (Villette), price 100",
      ])
    #expect(told.withoutValues([]).names == ReferenceNames())
  }

  @Test func aNumberIsShownWithTheRowsItIsMadeOf() throws {
    let story = try story("") {
      $0.step("SELECT sum(price) FROM line WHERE book = 7 LIMIT 1", rows: 1, results: "[[350]]")
      $0.issue(0)
    }
    let related = try #require(story.highlights.first?.related.first)
    #expect(
      related.title == "line: made of 2 rows, all there before" && related.columns == ["book", "price"])
    #expect(related.rows == [[.integer(7), .integer(100)], [.integer(7), .integer(250)]])
  }

  @Test func whoWroteTheRowsOfANumberIsSaid() throws {
    let story = try story("") {
      $0.insert("line", 1, "[7,100]")
      $0.step("UPDATE line SET price = 900 WHERE book = 8", changed: 1)
      $0.change(.update, "line", 3, old: "[8,9]", new: "[8,900]")
      $0.step("DELETE FROM line WHERE book = 9", changed: 1)
      $0.change(.delete, "line", 4, old: "[9,9]")
      $0.step("SELECT count(*) FROM line AS l JOIN book ON book.id = l.book", rows: 1, results: "[[3]]")
      $0.issue(0)
    }
    #expect(
      story.highlights.last?.related.first?.title
        == "line: made of 3 rows; those of line: 1 there before, 1 added by step 1, 1 changed by step 2")
  }

  /// Several databases in memory have no path that tells them apart.
  @Test(arguments: [("shop", ["line"], true), ("shop", ["line", "cart"], false), ("both", ["line"], false)])
  func aDatabaseInMemoryIsKnownByItsTables(name: String, changed: [String], isKnown: Bool) throws {
    let shop = try folder.database("shop.sqlite", "CREATE TABLE line(book INTEGER)")
    let web = try folder.database(
      "web.sqlite", name == "both" ? "CREATE TABLE line(book INTEGER)" : "CREATE TABLE cart(id INTEGER)")
    let schemas = [("shop", shop), ("web", web)].map {
      CapturedSchema(of: $0.1, evidence: $0.0, source: nil, isUncommitted: false)
    }
    var written = WrittenStory(path: nil)
    written.database(2, nil)
    for (key, table) in changed.enumerated() { written.insert(table, key, "[1]") }
    let other = name == "both" ? "line" : "cart"
    written.step("INSERT INTO \(other) VALUES (?)", on: 2, changed: 1)
    written.change(.insert, other, 1, new: "[1]")
    written.issue(0)
    let recorded = try #require(StoryFile(written.bytes).story)
    let builder = StoryBuilder(recorded, issues: [], schemas: schemas, inspections: [:], path: { $0 })
    #expect((builder.database(of: schemas[0]) != nil) == isKnown)
  }

  @Test func rowsThatWereWrittenBehindTheReadTellNoLines() throws {
    let story = try story("", #"XCTAssertEqual failed: ("3") is not equal to ("4")"#) {
      $0.step("SELECT count(*) FROM line", rows: 1, results: "[[3]]")
      $0.step("UPDATE line SET price = 900 WHERE book = 8", changed: 1)
      $0.change(.update, "line", 3, old: "[8,9]", new: "[8,900]")
      $0.issue(0)
    }
    let read = try #require(story.highlights.first { $0.kind == .read })
    #expect(read.related.isEmpty)
  }

  /// A copy of a table without its foreign keys: its column refers to rows by its name alone.
  @Test(arguments: [("[417,5]", [] as [String]), ("[5,417]", ["price"])])
  func aNumberThatOnlyNamesARowIsNoPlaceOfAValue(row: String, columns: [String]) throws {
    let story = try story(
      "CREATE TABLE sold(book INTEGER, price INTEGER);",
      #"XCTAssertEqual failed: ("417") is not equal to ("300")"#
    ) {
      $0.insert("sold", 1, row)
      $0.issue(0)
    }
    let found = story.valuePlaces.map { place in
      if case .change(_, _, _, let column, _) = place.place { column } else { "" }
    }
    #expect(found == columns)
  }

  /// What code made of a read is in no result, but in a row that was written with it.
  @Test func theReadBehindAWrittenRowLeads() throws {
    let story = try story("", #"XCTAssertEqual failed: ("12345") is not equal to ("3")"#) {
      $0.step("SELECT sum(price) FROM line WHERE book = 7", rows: 1, results: "[[350]]")
      $0.insert("total", 4, "[350,12345]")
      $0.step("SELECT count(*) FROM book", rows: 1, results: "[[2]]")
      $0.issue(0)
    }
    let leading = try #require(story.leadingReads.last.map { story.highlights[$0] })
    #expect(leading.last == 1 && story.leadingReadTitle(leading) == "Read for the row with the value")
    #expect(leading.related.first?.title == "line: made of 2 rows, all there before")
  }

  @Test func aReadThatIsTheLastOneAloneIsCalledSo() throws {
    let other = try story("") {
      $0.step("SELECT count(*) FROM book", rows: 1, results: "[[2]]")
      $0.issue(0)
    }
    let last = try #require(other.leadingReads.last.map { other.highlights[$0] })
    #expect(other.leadingReadTitle(last) == "Read last")
  }

  @Test func whatAConditionLeavesOutStandsBesideWhatItLeaves() throws {
    let story = try story("") {
      $0.step(
        "SELECT count(*) FROM line WHERE book BETWEEN 1 AND 7 AND price < 200", rows: 1, results: "[[1]]")
      $0.issue(0)
    }
    let related = try #require(story.highlights.first?.related)
    #expect(
      related.map(\.title) == [
        "line: made of 1 row, all there before", "line: 1 row left out by “price < 200”",
      ])
    #expect(related.last?.rows == [[.integer(7), .integer(250)]])
  }

  /// It says by its key which row the read is of, and all others are none of it.
  @Test(arguments: ["book = 7", "line.book = 7", "[book] = 7"])
  func aKeyLeavesNothingOut(condition: String) throws {
    let story = try story("") {
      $0.step("SELECT price FROM line WHERE \(condition)", rows: 2, results: "[[100],[250]]")
      $0.issue(0)
    }
    #expect(story.highlights.first?.related.isEmpty == true)
  }

  @Test func aListSaysWhatItLeavesOut() throws {
    let list = try story("") {
      $0.step("SELECT price FROM line WHERE price < 200", rows: 1, results: "[[100]]")
      $0.issue(0)
    }
    #expect(list.highlights.first?.related.map(\.title) == ["line: 2 rows left out by “price < 200”"])
  }

  @Test(arguments: [
    (
      "a = 1 AND b BETWEEN 2 AND 3 AND (c = 4 AND d = 5)",
      ["a = 1", "b BETWEEN 2 AND 3", "(c = 4 AND d = 5)"]
    ),
    ("a = 1 OR b = 2 AND c = 3", ["a = 1 OR b = 2 AND c = 3"]),
    ("start < 3 AND end > 5 AND x = 1 OR y = 1", ["start < 3 AND end > 5 AND x = 1 OR y = 1"]),
    ("100 - price > 0 AND x = X'00'", ["100 - price > 0", "x = X'00'"]),
    ("a = 1 -- no AND b\n AND b = 2 /* c */ ;", ["a = 1", "b = 2"]),
    (
      "CASE WHEN a AND b THEN 1 END AND c = 'x AND y' ORDER BY 1",
      ["CASE WHEN a AND b THEN 1 END", "c = 'x AND y'"]
    ),
  ])
  func conditionsAreWhatANDJoins(filter: String, conditions: [String]) {
    #expect(ReadQuery("SELECT a FROM line WHERE \(filter)")?.conditions.map(\.text) == conditions)
    #expect(ReadQuery("SELECT a FROM line WHERE \(filter)")?.from == "FROM line")
    #expect(ReadQuery("SELECT coalesce(sum(a), 0) FROM line")?.isAggregate == true)
    #expect(ReadQuery("SELECT count(*) FROM line HAVING count(*) > 1") == nil)
    let named = ReadQuery("SELECT a FROM main.line AS l LEFT JOIN book ON book.id = l.book")
    for sql in [
      "SELECT a FROM line WHERE b = :b", "SELECT a FROM line WHERE b = @b", "SELECT a FROM line WHERE b = $b",
      "SELECT a FROM line WHERE day < datetime('now')", "SELECT a FROM line WHERE day < date()",
      "SELECT count(*) FILTER (WHERE a = 1) FROM line",
      "SELECT a * b AS \"total\" FROM line WHERE \"total\" < 3",
    ] {
      #expect(ReadQuery(sql) == nil, "\(sql)")
    }
    let joined = ReadQuery(
      "SELECT l.a FROM line l JOIN book b ON b.id = l.book WHERE l.a < 3 AND b.c = l.d AND c = 2")
    #expect(joined?.conditions.map(\.isOfFirstTable) == [true, false, false])
    #expect(named?.table == "line" && named?.alias == "l")
    #expect(ReadQuery("SELECT a, (SELECT max(b) FROM book) FROM line")?.isAggregate == false)
  }

  @Test(arguments: [
    "SELECT price FROM line", "SELECT count(*) FROM line GROUP BY book",
    "SELECT count(*) FROM line WHERE book = ?",
    "SELECT count(*) FROM line UNION SELECT 1", "SELECT (SELECT count(*) FROM line)", "SELECT count(*)",
    "DELETE FROM line", "SELECT count(*) FROM line; DROP TABLE line", "SELECT DISTINCT count(*) FROM line",
    "SELECT sum(price) OVER () FROM line",
  ])
  func otherStatementsHaveNone(_ sql: String) {
    #expect(ReadQuery(sql)?.isAggregate != true)
  }

  @Test func whatCannotBeReadIsLeftOut() throws {
    let story = try story("") {
      $0.step("SELECT count(*) FROM missing WHERE unknown(price)", rows: 1, results: "[[1]]")
      $0.issue(0)
    }
    #expect(story.highlights.count == 1 && story.highlights.first?.related.isEmpty == true)
  }
}
