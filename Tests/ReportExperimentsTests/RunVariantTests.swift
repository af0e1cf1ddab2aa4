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

  // MARK: - Forms of values

  private func fresh(
    _ schema: [String], _ statements: [String] = []
  ) throws -> (MemoryDatabase, OperatorContext) {
    let database = try MemoryDatabase(schema)
    return (database, try database.context(statements))
  }

  private func made(_ sql: String, _ name: String, _ context: OperatorContext) -> [String] {
    StatementOperators.variants(of: sql, in: context).filter { $0.operatorName == name }.map(\.sql)
  }

  @Test func aNullOfJSONIsNotWhatIsMissing() throws {
    let (database, context) = try fresh(["CREATE TABLE r (value INTEGER)", "INSERT INTO r VALUES (5)"])
    for read in ["json_extract(?1, '$.value')", "?1 ->> 'value'"] {
      let sql = try #require(made("SELECT coalesce(\(read), value) FROM r", "null in json", context).first)
      #expect(try database.run(sql, ["{\"value\":null}"]) == [[nil]])
      #expect(try database.run(sql, ["{}"]) == [["5"]])
      #expect(try database.run(sql, ["{\"value\":7}"]) == [["7"]])
    }
  }

  @Test func aUUIDIsFoundInItsOtherForm() throws {
    let (database, context) = try fresh([
      "CREATE TABLE t (id BLOB, n INTEGER)",
      "INSERT INTO t VALUES (x'8AEA98E1C0FF40FE8AEA98E1C0FF40FE', 1)",
    ])
    let sql = try #require(made("SELECT n FROM t WHERE id = ?", "form of identifier", context).first)
    #expect(try database.run(sql, ["8aea98e1-c0ff-40fe-8aea-98e1c0ff40fe"]) == [["1"]])
  }

  @Test func aMomentIsFoundInItsOtherForm() throws {
    let (database, context) = try fresh([
      "CREATE TABLE t (sent_at TEXT, n INTEGER)", "INSERT INTO t VALUES ('2025-09-01 00:00:00.000', 1)",
    ])
    let sql = made("SELECT n FROM t WHERE sent_at < ?", "form of moment", context)
    #expect(try sql.contains { try database.run($0, ["1757408000"]) == [["1"]] })
    #expect(try database.run("SELECT n FROM t WHERE sent_at < ?", ["1757408000"]) == [])
    let literal = made("SELECT n FROM t WHERE sent_at < 1757408000.0", "form of moment", context)
    #expect(try literal.contains { try database.run($0) == [["1"]] })
  }

  @Test func theOtherEndOfAnIntervalIsAsked() throws {
    let (database, context) = try fresh([
      "CREATE TABLE price (code TEXT, valid_from TEXT, valid_to TEXT, cents INTEGER)",
      "INSERT INTO price VALUES ('a', '2025-01-01', '2025-12-31', 1), ('a', '2026-01-01', NULL, 2)",
    ])
    let sql = "SELECT cents FROM price WHERE code = ? AND valid_from <= ? ORDER BY cents"
    #expect(try database.run(sql, ["a", "2026-03-01"]).count == 2)
    let variant = try #require(made(sql, "other end", context).first)
    #expect(try database.run(variant, ["a", "2026-03-01"]) == [["2"]])
    #expect(
      made("SELECT cents FROM price WHERE valid_from <= ?1 AND valid_to >= ?1", "other end", context).isEmpty)
  }

  @Test func joinedRowsAreSummedBeforeTheyAreJoined() throws {
    let sql =
      "SELECT sum(m.level + coalesce(f.cents, 0)), sum(m.id) FROM member m LEFT JOIN fee f ON f.member_id = m.id"
    #expect(try database.run(sql) == [["28", "7"]])
    #expect(try variants(sql, "sums before joins").map { try database.run($0.sql) } == [[["27", "6"]]])
  }

  @Test func aRowIsMadeWhereAnUpdateFindsNone() throws {
    let schema =
      "CREATE TABLE stock (item INTEGER, bin INTEGER, units INTEGER NOT NULL, PRIMARY KEY (item, bin))"
    let (database, context) = try fresh([schema, "INSERT INTO stock VALUES (1, 1, 5)"])
    let sql = try #require(
      made("UPDATE stock SET units = units - ? WHERE item = ? AND bin = ?", "row made", context).first)
    try database.run(sql, ["2", "1", "1"])
    try database.run(sql, ["4", "1", "2"])
    #expect(try database.run("SELECT bin, units FROM stock ORDER BY bin") == [["1", "3"], ["2", "-4"]])
    let trigger = try #require(
      made(
        """
        CREATE TRIGGER moved AFTER INSERT ON moves BEGIN \
        UPDATE stock SET units = units + new.n WHERE item = new.item AND bin = 9; END
        """, "row made", context
      ).first)
    try database.run("CREATE TABLE moves (item INTEGER, n INTEGER)")
    try database.run(trigger)
    try database.run("INSERT INTO moves VALUES (1, 3)")
    #expect(try database.run("SELECT units FROM stock WHERE bin = 9") == [["3"]])
  }

  @Test func aTableOfAnotherDatabaseIsNamed() throws {
    let (database, context) = try fresh(
      [
        "CREATE TABLE voucher (used TEXT)", "ATTACH ':memory:' AS live",
        "CREATE TABLE live.voucher (used TEXT)",
      ], ["ATTACH ? AS live"])
    let sql = made("INSERT INTO voucher VALUES (?)", "other database", context)
    #expect(sql == ["INSERT INTO live.voucher VALUES (?)", "INSERT INTO main.voucher VALUES (?)"])
    try database.run(sql[0], ["a"])
    #expect(try database.run("SELECT used FROM live.voucher") == [["a"]])
    #expect(made("INSERT INTO live.voucher VALUES (?)", "other database", context).isEmpty)
  }

  @Test func theLeastBitMoreIsNoOtherNumber() throws {
    let (database, context) = try fresh(["CREATE TABLE t (amount REAL)", "INSERT INTO t VALUES (64.07)"])
    let sql = try #require(made("SELECT amount FROM t", "cut off", context).first)
    let read = try #require(try database.run("SELECT CAST((\(sql)) * 100 AS INTEGER)").first?.first)
    #expect(Int(64.07 * 100) == 6406 && read == "6407")
  }
}
