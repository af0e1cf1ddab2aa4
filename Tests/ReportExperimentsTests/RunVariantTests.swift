import Testing

@testable import ReportExperiments

/// What variants find and write where SQLite runs them.
@Suite struct RunVariantTests {
  private let database: MemoryDatabase
  private let context: OperatorContext

  init() throws {
    database = try MemoryDatabase([
      "CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE, level INTEGER DEFAULT 1)",
      "CREATE TABLE loan (id INTEGER PRIMARY KEY, member_id INTEGER, item TEXT, at TEXT)",
      "CREATE TABLE fee (id INTEGER PRIMARY KEY, member_id INTEGER, cents INTEGER)",
      "CREATE TABLE old (name TEXT, id INTEGER, mail TEXT)",
      "INSERT INTO member VALUES (1, 'Ada', 'a@x', 1), (2, 'Ben_50%', 'b@x', 2), (3, 'Ben_', NULL, 3)",
      "INSERT INTO loan VALUES (1, 1, 'a', '2026-01-31 10:00'), (2, 1, 'b', '2026-01-30'), (3, NULL, 'c', '2026-02-01')",
      "INSERT INTO fee VALUES (1, 1, 5), (2, 1, 7), (3, 2, 9)",
      "INSERT INTO old VALUES ('Cy', 9, 'c@x')",
    ])
    context = try database.context()
  }

  private func variants(_ sql: String, _ name: String) -> [StatementVariant] {
    StatementOperators.variants(of: sql, in: context).filter { $0.operatorName == name }
  }

  private func variant(_ sql: String, _ words: String) throws -> String {
    try #require(StatementOperators.variants(of: sql, in: context).first { $0.words.hasPrefix(words) }?.sql)
  }

  @Test(arguments: [
    "UPDATE member SET level = 9, name = ? WHERE id = ? OR 1", "DELETE FROM fee",
    "DELETE FROM fee WHERE id > ?",
    "INSERT INTO member(name, mail) VALUES (?, ?), (?, 'x')",
    "INSERT INTO old SELECT name, id, mail FROM member",
    "INSERT OR REPLACE INTO member(id, name) VALUES (?, ?) RETURNING id, name",
    "INSERT INTO fee DEFAULT VALUES",
    "WITH x AS (SELECT 7 AS a) INSERT INTO fee(cents) SELECT a FROM x UNION SELECT ? ORDER BY 1 LIMIT 4",
    "INSERT INTO member(id, name) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE level < ?",
  ])
  func aSkippedWriteWritesNothingAndHasItsColumns(sql: String) throws {
    let before = try contents()
    let skipped = try #require(variants(sql, "skipped").first?.sql)
    #expect(try database.form(of: skipped).columns == database.form(of: sql).columns)
    #expect(try database.form(of: skipped).parameters == database.form(of: sql).parameters)
    #expect(try database.run(skipped, ["1", "2", "3"]) == [])
    #expect(try contents() == before)
  }

  private func contents() throws -> [[[String?]]] {
    try ["member", "loan", "fee", "old"].map { try database.run("SELECT * FROM \($0)") }
  }

  @Test(arguments: [("Ben_", ["2", "3"]), ("%50%", ["2"]), ("%_%", ["2", "3"]), ("Ben_%", ["2", "3"])])
  func wildcardsOfAValueAreEscaped(pattern: String, found: [String]) throws {
    let sql = try variant("SELECT id FROM member WHERE name LIKE ? ORDER BY id", "With the wildcards")
    let whole = pattern == "Ben_" ? ["3"] : found
    #expect(try database.run(sql, [pattern]).map { $0[0] } == whole)
  }

  @Test func wildcardsInAConcatenationAreEscaped() throws {
    let sql = try variant("SELECT id FROM member WHERE name LIKE '%' || ? || '%'", "With the wildcards")
    #expect(try database.run(sql, ["%"]) == [["2"]])
  }

  @Test func notInHoldsBesideNull() throws {
    let sql = "SELECT id FROM member WHERE id NOT IN (SELECT member_id FROM loan) ORDER BY id"
    #expect(try database.run(sql) == [])
    let variants = variants(sql, "null in list")
    #expect(variants.count == 2)
    for variant in variants { #expect(try database.run(variant.sql) == [["2"], ["3"]]) }
  }

  @Test func sumsAreMadeBeforeTheyAreMultiplied() throws {
    let sql = """
      SELECT m.id, sum(f.cents), count(l.id) FROM member m LEFT JOIN loan l ON l.member_id = m.id
      LEFT JOIN fee f ON f.member_id = m.id GROUP BY m.id ORDER BY m.id
      """
    #expect(try database.run(sql)[0] == ["1", "24", "4"])
    let all = try variant(sql, "With all sums")
    #expect(try database.run(all) == [["1", "12", "2"], ["2", "9", "0"], ["3", nil, "0"]])
  }

  @Test func oneRowOfAJoinedTableDoesNotRepeatOthers() throws {
    let sql = "SELECT sum(m.level) FROM member m JOIN loan l ON l.member_id = m.id"
    #expect(try database.run(sql) == [["2"]])
    #expect(try database.run(variant(sql, "With one row of “loan”")) == [["1"]])
  }

  @Test func theWholeLastDay() throws {
    let sql = "SELECT id FROM loan WHERE at <= '2026-01-31' ORDER BY id"
    #expect(try database.run(sql) == [["2"]])
    #expect(try database.run(variant(sql, "With all of the last day")) == [["1"], ["2"]])
    let between = "SELECT id FROM loan WHERE at BETWEEN ? AND ? ORDER BY id"
    #expect(
      try database.run(variant(between, "With all of the last day"), ["2026-01-31", "2026-01-31"]) == [["1"]])
  }

  @Test func columnsByName() throws {
    #expect(throws: MemoryDatabase.Refusal.self) {
      try database.run("INSERT INTO old(id, name, mail) SELECT * FROM member")
    }
    try database.run("INSERT INTO old SELECT id, name, mail FROM member WHERE id = 2")
    #expect(try database.run("SELECT name FROM old WHERE mail = 'b@x'") == [["2"]])
    try database.run("DELETE FROM old")
    let sql = try variant(
      "INSERT INTO old SELECT id, name, mail FROM member WHERE id = 2", "With columns by name")
    try database.run(sql)
    #expect(try database.run("SELECT name FROM old WHERE mail = 'b@x'") == [["Ben_50%"]])
  }

  @Test func anUpsertForReplaceKeepsWhatItDoesNotGive() throws {
    let sql = "INSERT OR REPLACE INTO member(id, name) VALUES (?, ?)"
    let upsert = try variant(sql, "With DO UPDATE of all columns in")
    try database.run(upsert, ["2", "Bea"])
    #expect(try database.run("SELECT name, mail, level FROM member WHERE id = 2") == [["Bea", "b@x", "2"]])
  }

  @Test func aColumnLeftOutGetsItsDefault() throws {
    let sql = "INSERT INTO member(name, level, mail) VALUES (?, ?, ?)"
    try database.run(variant(sql, "With “level” left"), ["Di", "8", "d@x"])
    #expect(try database.run("SELECT level, mail FROM member WHERE name = 'Di'") == [["1", "d@x"]])
  }

  @Test func aConditionLessKeepsTheOthersValues() throws {
    let sql = "SELECT id FROM member WHERE name = ? AND mail = ? AND level = ?"
    #expect(try database.run(variant(sql, "Without “mail = ?”"), ["Ada", "other", "1"]) == [["1"]])
    #expect(try database.run(variant(sql, "Without “name = ?”"), ["other", "a@x", "1"]) == [["1"]])
  }

  @Test func aConditionOfALeftJoinLeavesRowsWithoutPartner() throws {
    let sql =
      "SELECT m.id FROM member m LEFT JOIN loan l ON l.member_id = m.id WHERE m.level > ? AND l.item = ? ORDER BY m.id"
    #expect(try database.run(sql, ["0", "a"]) == [["1"]])
    let moved = try #require(variants(sql, "condition of join").first?.sql)
    #expect(try database.run(moved, ["0", "a"]) == [["1"], ["2"], ["3"]])
  }

  @Test func twoChangesInOneStatement() throws {
    let sql = "SELECT id FROM member WHERE level > 1 AND level < 3"
    let first = try #require(variants(sql, "bounds").first)
    let both = StatementOperators.seconds(of: first, in: context).first {
      $0.sql == "SELECT id FROM member WHERE level >= 1 AND level <= 3"
    }
    #expect(both?.words == "With “>=” for “>” in “level > 1” and with “<=” for “<” in “level < 3”")
    #expect(both?.bare == "With “>=” for “>” in “level > ?” and with “<=” for “<” in “level < ?”")
    #expect(both?.operatorName == "bounds, bounds")
  }
}
