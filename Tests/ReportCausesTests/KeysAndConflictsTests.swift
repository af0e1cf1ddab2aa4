import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// Rows that should have met another one, or met a wrong one, and references to wrong rows.
@Suite struct KeysAndConflictsTests {
  // MARK: - Nothing that could be in the way

  private func replaced(index: String, _ rows: [(Int, String)]) throws -> [Explanation] {
    var sql = "CREATE TABLE price (id INTEGER PRIMARY KEY, item INTEGER, day TEXT);\(index)"
    for (id, row) in rows.enumerated() {
      sql += "INSERT INTO price VALUES (\(id + 1), \(row.0), '\(row.1)');"
    }
    return try why(unequal(700, 900), sql) { story in
      for (id, row) in rows.enumerated() {
        story.step("INSERT OR REPLACE INTO price(item, day) VALUES (?, ?)", changed: 1)
        story.change(.insert, "price", id + 1, new: #"[\#(id + 1),\#(row.0),"\#(row.1)"]"#)
      }
      story.read("SELECT sum(item) FROM price", 700)
    }
  }

  private static let days = (1...30).map { ($0, "d\($0 % 7)") } + [(3, "d3")]

  @Test func aREPLACEThatCanReplaceNothingIsNamedWithTheRowsThatStandTwice() throws {
    let first = try #require(
      try replaced(index: "CREATE INDEX price_day ON price(item, day);", Self.days).first)
    #expect(first.certainty == .certain && first.steps == [31])
    #expect(
      first.text.contains(
        "finds no row to replace: nothing that it gives is UNIQUE or a key in price (price_day is an index that is not UNIQUE); values of item and day are there more than once (1 of them)"
      ))
    #expect(first.rows?.rows.count == 2)
  }

  @Test func withAUniqueIndexOrWithoutRowsAlikeItIsNone() throws {
    #expect(try replaced(index: "", Self.days.dropLast() + [(31, "d9")]).isEmpty)
    let unique = "CREATE UNIQUE INDEX price_day ON price(item, day);"
    #expect(try replaced(index: unique, Self.days.dropLast()).isEmpty)
    let expression = "CREATE UNIQUE INDEX price_day ON price(item, lower(day), id);"
    #expect(try replaced(index: expression, Self.days).isEmpty)
  }

  // MARK: - Conflicts

  private func practice(other: Set<Int>, sets: String = "minutes = minutes + excluded.minutes") throws
    -> [Explanation]
  {
    let sql =
      "INSERT INTO practice(student, instrument, minutes) VALUES (?, ?, ?) ON CONFLICT(student) DO UPDATE SET "
    return try why(
      unequal(700, 900),
      "CREATE TABLE practice (id INTEGER PRIMARY KEY, student INTEGER UNIQUE, instrument TEXT, minutes INTEGER);"
    ) { story in
      for student in 1...20 {
        let given = other.contains(student) ? "it''s, a (violin)" : "piano"
        story.step(
          sql + sets, changed: 1,
          more:
            #","expanded":"INSERT INTO practice(student, instrument, minutes) VALUES (\#(student), '\#(given)', 5) ON CONFLICT(student) DO UPDATE SET \#(sets)""#
        )
        story.change(
          .update, "practice", student, old: #"[\#(student),\#(student),"piano",10]"#,
          new: #"[\#(student),\#(student),"piano",15]"#)
      }
      story.read("SELECT sum(minutes) FROM practice WHERE instrument = 'piano'", 700)
    }
  }

  @Test func aConflictWithARowThatIsAnotherOneIsNamed() throws {
    let first = try #require(try practice(other: [4, 11]).first)
    #expect(first.certainty == .certain && first.steps == [4])
    #expect(
      first.text.contains(
        "met a row of practice with another instrument than it was given (first in step 4): ON CONFLICT(student) does not look at instrument."
      ))
    #expect(first.rows?.rows.first?.first == .text("it's, a (violin)"))
  }

  @Test func whatIsSetOrMostlyOtherIsMeant() throws {
    #expect(try practice(other: []).isEmpty)
    #expect(try practice(other: Set(1...20)).isEmpty)
    #expect(try practice(other: [4], sets: "minutes = 1, instrument = excluded.instrument").isEmpty)
  }

  // MARK: - The number of the row inserted last

  private static let families = """
    CREATE TABLE family (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT);
    CREATE TABLE student (id INTEGER PRIMARY KEY, family INTEGER REFERENCES family);
    """

  private func students(
    _ family: (Int) -> Int, count: Int = 4, there rows: String = ""
  ) throws -> [Explanation] {
    try why(unequal(700, 900), Self.families + rows) { story in
      for number in 1...count {
        story.insert("family", 100 + number, #"[\#(100 + number),"F"]"#)
        story.insert("audit", number, #"[\#(number),"family"]"#)
        story.step("INSERT INTO student(family) VALUES (?)", changed: 1)
        story.change(.insert, "student", number, new: "[\(number),\(family(number))]")
      }
      story.read("SELECT sum(family) FROM student", 700)
    }
  }

  @Test func aReferenceThatHasTheNumberOfAnotherTablesRowIsNamed() throws {
    let first = try #require(try students { $0 }.first)
    #expect(first.certainty == .certain && first.steps == [3, 2, 1])
    #expect(
      first.text.contains(
        "gave 4 rows of student the number of the row of audit that was inserted just before"))
  }

  /// Families that were there before may be meant, and have the numbers of the audit by chance.
  @Test func whereAllReferencesNameARowItIsNotCertain() throws {
    let all = try students({ $0 }, there: "INSERT INTO family(id) VALUES (1), (2), (3), (4);")
    #expect(all.first?.certainty == .likely)
    let some = try students({ $0 }, there: "INSERT INTO family(id) VALUES (1), (2), (4);")
    #expect(some.first?.certainty == .certain)
  }

  /// Albums and photos of users who were made in the test: their numbers agree by chance.
  @Test func aReferenceToARowThatTheTestMadeIsNone() throws {
    let found = try why(unequal(700, 900), Self.families) { story in
      for user in 1...3 { story.insert("family", user, #"[\#(user),"F"]"#) }
      for user in 1...3 {
        story.insert("audit", user, #"[\#(user),"album"]"#)
        story.step("INSERT INTO student(family) VALUES (?)", changed: 1)
        story.change(.insert, "student", user, new: "[\(user),\(user)]")
      }
      story.read("SELECT sum(family) FROM student", 700)
    }
    #expect(found.isEmpty)
  }

  @Test func aReferenceToTheRowThatIsMeantIsNone() throws {
    #expect(try students { $0 + 100 }.isEmpty)
    #expect(try students({ $0 }, count: 1).isEmpty)
    #expect(try students { _ in 7 }.isEmpty)
  }
}
