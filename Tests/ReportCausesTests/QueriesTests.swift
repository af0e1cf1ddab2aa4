import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ReportModel
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// Reads whose query asks for other rows than was meant, or is answered in another way.
@Suite struct QueriesTests {
  private static let lessons = """
    CREATE TABLE lesson (id INTEGER PRIMARY KEY, starts TEXT, minutes INTEGER, price INTEGER, student INTEGER, kind TEXT);
    CREATE TABLE absence (student INTEGER);
    INSERT INTO lesson VALUES (1, '2026-03-01 10:00', 114513, 9, 1, 'Solo'), (2, '2026-03-30 10:00', 126029, 7, 2, 'solo'),
      (3, '2026-03-31 08:00', 249047, 3, 3, 'duo'), (4, '2026-03-31 19:00', 113012, 5, NULL, 'duo');
    INSERT INTO absence VALUES (1), (NULL);
    """

  private func asked(_ sql: String, _ read: Int, _ other: Int) throws -> [Explanation] {
    try why(unequal(read, other), Self.lessons) { $0.read(sql, read) }
  }

  // MARK: - Asked another way

  @Test(arguments: [
    ("SELECT sum(minutes) FROM lesson WHERE id < 3", 240_542, 489_589, "With “<=” for “<” in “id < 3”, "),
    ("SELECT sum(minutes) FROM lesson WHERE id >= 3", 362_059, 113_012, "With “>” for “>=” in “id >= 3”, "),
    ("SELECT sum(price) FROM lesson", 24, 3_225_021, "With lesson.minutes as a factor of the sum, "),
    (
      "SELECT sum(minutes) FROM lesson WHERE kind = 'solo'", 126_029, 240_542,
      "Without regard to the case of letters in “kind = 'solo'”, "
    ),
    (
      "SELECT sum(minutes) FROM lesson WHERE id > 1 AND kind = 'duo'", 362_059, 488_088,
      "Without “kind = 'duo'”, "
    ),
    ("SELECT max(minutes) FROM lesson", 249_047, 113_012, "With min() for max(), "),
    (
      "SELECT sum(minutes) FROM lesson WHERE student <> 2", 363_560, 476_572,
      "With rows for which “student <> 2” is NULL, "
    ),
    (
      "SELECT sum(minutes) FROM lesson", 602_601, 489_589,
      "With only those rows whose lesson.student is not NULL, "
    ),
  ])
  func aReadThatWouldReturnWhatWasExpectedIsNamed(sql: String, read: Int, other: Int, words: String) throws {
    let found = try asked(sql, read, other)
    let first = try #require(found.first { $0.text.hasPrefix(words) }, "\(found.map(\.text))")
    #expect(first.certainty == .likely && first.text.contains("would return"))
    #expect(try asked(sql, read, other + 1).allSatisfy { !$0.text.hasPrefix(words) })
  }

  @Test func aDivisionThatDropsTheFractionIsNamed() throws {
    let message = "Expectation failed: (mean → 150650.0) == (expected → 150650.25)"
    let sql = "SELECT sum(minutes) / count(*) FROM lesson"
    let first = try #require(try why(message, Self.lessons) { $0.read(sql, 150_650) }.first)
    #expect(first.text.hasPrefix("With a division that keeps the fraction, "))
  }

  @Test(arguments: [
    (
      "SELECT kind FROM lesson ORDER BY kind", #"["Solo","duo","duo","solo"]"#,
      #"["solo","duo","duo","Solo"]"#, "With “kind DESC” in its order, "
    ),
    (
      "SELECT kind FROM lesson ORDER BY id DESC", #"["duo","duo","solo","Solo"]"#,
      #"["Solo","solo","duo","duo"]"#, "With ASC for DESC, "
    ),
    ("SELECT kind FROM lesson WHERE id > 2", #"["duo","duo"]"#, #"["duo"]"#, "With SELECT DISTINCT, "),
  ])
  func aListInAnotherOrderOrWithRowsTwiceIsNamed(sql: String, read: String, other: String, words: String)
    throws
  {
    let spaced = (read.replacing(",", with: ", "), other.replacing(",", with: ", "))
    let found = try why(
      "XCTAssertEqual failed: (\"\(spaced.0)\") is not equal to (\"\(spaced.1)\") - ", Self.lessons
    ) { story in
      let rows = read.dropFirst().dropLast().split(separator: ",").map { "[\($0)]" }
      story.step(sql, rows: rows.count, results: "[\(rows.joined(separator: ","))]", columns: #"["kind"]"#)
    }
    let first = try #require(found.first)
    #expect(
      first.text.hasPrefix(words) && first.text.hasSuffix("would return what was expected."), "\(first.text)")
  }

  @Test func aTextThatAnotherOrderPutsFirstIsNamed() throws {
    let message = #"XCTAssertEqual failed: ("Solo") is not equal to ("solo") - "#
    let found = try why(message, Self.lessons) { story in
      story.step("SELECT min(kind) FROM lesson", rows: 1, results: #"[["Solo"]]"#, columns: #"["kind"]"#)
    }
    #expect(found.first?.text.hasPrefix("With max() for min(), ") == true, "\(found.map(\.text))")
  }

  /// Small differences are met by chance.
  @Test func aSmallDifferenceIsMetByNoQuery() throws {
    #expect(try asked("SELECT count(*) FROM lesson WHERE id < 3", 2, 3).isEmpty)
  }

  /// A statement that a story gives as the text with values may be anything: only queries are run.
  @Test(arguments: [
    "PRAGMA hard_heap_limit = 8000000", "CREATE TEMP TABLE t (a)", "ATTACH 'x' AS y", "OUTER JOIN",
    "ORDER FROM t",
    "SELECT random() FROM lesson WHERE id < 3", "SELECT count(*) FROM lesson WHERE starts < datetime('now')",
    "SELECT sum(minutes) FROM lesson WHERE '{}' -> '$.a' IS NULL", "DELETE FROM lesson WHERE id < 3",
  ])
  func aHostileTextWithValuesIsNotRun(expanded: String) throws {
    let found = try why(unequal(0, 489_589), Self.lessons) { story in
      story.step(
        "SELECT sum(minutes) FROM lesson WHERE id < ?", rows: 1, results: "[[0]]", columns: #"["n"]"#,
        more: ",\"expanded\":\"\(expanded)\"")
    }
    #expect(found.isEmpty, "\(found.map(\.text))")
    #expect(sqlite3_hard_heap_limit64(-1) > 100_000_000)
  }

  /// What the captured database would not answer is not asked.
  @Test func aReadThatTheCapturedDatabaseAnswersInAnotherWayIsLeft() throws {
    #expect(try asked("SELECT sum(minutes) FROM lesson WHERE id < 3", 77, 489_589).isEmpty)
  }

  // MARK: - Nothing found

  private func unwrapped(
    _ sql: String, _ message: String = "XCTUnwrap failed: expected non-nil value of type “Lesson”"
  )
    throws -> [Explanation]
  {
    try why(message, Self.lessons) { story in
      story.step("UPDATE lesson SET kind = ? WHERE id = ?", changed: 1)
      story.change(
        .update, "lesson", 3, old: #"[3,"2026-03-31 08:00",249047,3,3,"solo"]"#,
        new: #"[3,"2026-03-31 08:00",249047,3,3,"duo"]"#)
      story.step(sql, rows: 0, results: "[]", columns: #"["id"]"#)
    }
  }

  @Test func theOneConditionThatKeptARowFromAReadIsNamedWithItsWriter() throws {
    let first = try #require(try unwrapped("SELECT * FROM lesson WHERE id = 3 AND kind = 'solo'").first)
    #expect(
      first.text.contains(
        "found nothing in step 2; only “kind = 'solo'” kept rows from it; the row was written last in step 1."
      ))
    #expect(first.rows?.rows.count == 1)
  }

  @Test func whereNoneOrMoreConditionsKeepRowsNothingIsSaid() throws {
    #expect(try unwrapped("SELECT * FROM lesson WHERE student = 9 AND kind = 'trio' AND price = 77").isEmpty)
    #expect(try unwrapped("SELECT * FROM lesson WHERE student = 9 AND kind = 'trio'").isEmpty)
    #expect(try unwrapped("SELECT * FROM lesson WHERE id = 3 AND kind = 'solo'", "failed").isEmpty)
  }

  // MARK: - What SQLite does

  @Test func aDayWithoutATimeStandsBeforeTheTimesOfThatDay() throws {
    let found = try asked(
      "SELECT sum(minutes) FROM lesson WHERE starts BETWEEN '2026-03-01' AND '2026-03-31'", 240_542, 602_601)
    #expect(found.first?.text.contains("With all of the last day, ") == true)
    let rows = try why(unequal(5, 6), Self.lessons) { story in
      story.step(
        "SELECT id FROM lesson WHERE starts <= ?", rows: 2, results: "[[1],[2]]", columns: #"["id"]"#,
        more: #","expanded":"SELECT id FROM lesson WHERE starts <= '2026-03-31'""#)
    }
    let first = try #require(rows.first)
    #expect(
      first.text.contains(
        "leaves out 2 rows in 1 run (first in step 1): a day without a time stands before all times of that day, as in “starts <= '2026-03-31'”."
      ))
    #expect(first.rows?.rows == [[.integer(3)], [.integer(4)]])
  }

  @Test func aNULLInTheListOfNOTINIsNamed() throws {
    func read(_ sql: String, _ rows: Int) throws -> [Explanation] {
      try why(unequal(5, 6), Self.lessons) { story in
        story.step(sql, rows: rows, results: rows > 0 ? "[[2],[3]]" : "[]", columns: #"["id"]"#)
      }
    }
    // A read that found nothing still is the failing one.
    let first = try #require(
      try read("SELECT id FROM lesson WHERE student NOT IN (SELECT student FROM absence)", 0).first)
    #expect(first.text.contains("leaves out 2 rows in 1 run (first in step 1): NOT IN holds for no row"))
    #expect(
      try read(
        "SELECT id FROM lesson WHERE student NOT IN (SELECT student FROM absence WHERE student > 0)", 2
      )
      .isEmpty)
  }

  @Test func rowsThatUNIONDropsAreNamedForTheDifference() throws {
    let sql = "SELECT sum(minutes) FROM (SELECT minutes FROM lesson UNION SELECT minutes FROM lesson)"
    #expect(try asked(sql, 602_601, 1_205_202).first?.text.contains("UNION") == true)
    #expect(try asked(sql, 602_601, 1_205_203).isEmpty)
  }

  // MARK: - Files

  /// Two files with the same table, of which one is read.
  private func files(read: Int, other: [Int], more: (inout WrittenStory) -> Void = { _ in }) throws
    -> [Explanation]
  {
    let folder = try TemporaryFolder()
    func file(_ name: String, _ ids: [Int], _ index: Int) throws -> ReportCauses.CapturedFile {
      let rows = ids.map { "(\($0))" }.joined(separator: ",")
      let path = try folder.database(
        name, "CREATE TABLE sale (id INTEGER PRIMARY KEY); INSERT INTO sale VALUES \(rows);")
      return ReportCauses.CapturedFile(
        path: path, database: index,
        schema: CapturedSchema(of: path, evidence: name, source: "/tmp/\(name)", isUncommitted: false))
    }
    let captured = [try file("till-2.sqlite", Array(1...read), 0), try file("till-02.sqlite", other, 1)]
    var story = WrittenStory()
    story.database(1, "/tmp/till-2.sqlite")
    story.database(2, "/tmp/till-02.sqlite")
    story.step("PRAGMA user_version", on: 2)
    story.step(
      "SELECT * FROM sale", rows: read, results: "[[1]]", columns: #"["id"]"#)
    more(&story)
    story.issue(0)
    let recorded = try #require(StoryFile(story.bytes).story)
    let issue = TestIssue(message: unequal(5, 6), location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(
      recorded, issues: [issue], schemas: captured.map(\.schema), inspections: [:], path: { $0 })
    let files = captured.map { file in
      var file = file
      file.database = builder.database(of: file.schema) ?? file.database
      return file
    }
    return Causes(builder.toldSteps(), files: files, message: issue.message).explanations()
  }

  @Test func aFileThatNothingReadAndThatHasMoreIsNamed() throws {
    let first = try #require(try files(read: 5, other: [1, 2, 3, 4, 5, 6, 7]).first)
    #expect(first.certainty == .likely)
    #expect(
      first.text.contains(
        "read till-2.sqlite in step 2. till-02.sqlite has the same tables, all 5 rows of sale and 2 more, and no statement read it."
      ))
    #expect(first.rows?.rows == [[.integer(6)], [.integer(7)]])
  }

  @Test func aFileWithOtherRowsOrThatWasReadIsNot() throws {
    #expect(try files(read: 5, other: [1, 2, 3, 4, 9, 8]).isEmpty)
    #expect(try files(read: 5, other: [1, 2, 3]).isEmpty)
    let both = try files(read: 5, other: [1, 2, 3, 4, 5, 6]) {
      $0.step("SELECT count(*) FROM sale", on: 2, rows: 1, results: "[[6]]", columns: #"["n"]"#)
    }
    #expect(both.isEmpty)
  }

  // MARK: - Pages

  private func pages(_ marks: [Int]) throws -> [Explanation] {
    var sql = "CREATE TABLE swipe (id INTEGER PRIMARY KEY, at INTEGER);"
    for (id, at) in marks.enumerated() { sql += "INSERT INTO swipe VALUES (\(id + 1), \(at));" }
    return try why(unequal(5, 6), sql) { story in
      var (last, rest) = (0, Array(marks.enumerated()))
      repeat {
        let page = rest.filter { $0.element > last }.prefix(5)
        story.step(
          "SELECT * FROM swipe WHERE at > ? ORDER BY at LIMIT 5", rows: page.count,
          results: "[\(page.map { "[\($0.offset + 1),\($0.element)]" }.joined(separator: ","))]",
          columns: #"["id","at"]"#,
          more: #","expanded":"SELECT * FROM swipe WHERE at > \#(last) ORDER BY at LIMIT 5""#)
        last = page.last?.element ?? .max
        rest.removeAll { $0.element <= last }
      } while !rest.isEmpty
      story.read("SELECT count(*) FROM attendance", 5)
    }
  }

  @Test func rowsThatNoPageReadAreNamed() throws {
    let first = try #require(try pages([1, 2, 3, 4, 5, 5, 6, 7, 8]).first)
    #expect(first.text.contains("read 2 pages, the first in step 1, and none of them has 1 row"))
    #expect(first.rows?.rows == [[.integer(6), .integer(5)]])
    #expect(try pages([1, 2, 3, 4, 5, 6, 7, 8, 9]).isEmpty)
  }
}
