import ExhibitSQLite
import Testing

@testable import ReportCauses
@testable import ReportStory
@testable import ReportTestSupport

/// What the captured database adds: rules that nearly all rows keep, and rows that equal the difference.
@Suite struct CapturedCausesTests {
  /// Forty orders, each with two lines; the totals of those in `broken` are higher than their lines.
  private func orders(broken: Set<Int>) -> String {
    var sql = """
      CREATE TABLE orders (id INTEGER PRIMARY KEY, total INTEGER);
      CREATE TABLE line (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, units INTEGER, cents INTEGER);

      """
    for id in 1...40 {
      sql += "INSERT INTO orders VALUES (\(id), \(id * 130 + 70 + (broken.contains(id) ? 500 : 0)));"
      sql += "INSERT INTO line(order_id, units, cents) VALUES (\(id), \(id), 130), (\(id), 7, 10);"
    }
    return sql
  }

  private func totals(broken: Set<Int>, written: Int, _ message: String = unequal(5, 6)) throws
    -> [Explanation]
  {
    try why(message, orders(broken: broken)) { story in
      story.step("UPDATE orders SET total = ? WHERE id = ?", changed: 1)
      story.change(.update, "orders", written, old: "[\(written),1]", new: "[\(written),2]")
    }
  }

  @Test func aTotalThatIsNotTheSumOfItsPartsIsNamed() throws {
    let first = try #require(try totals(broken: [9, 11], written: 9, unequal(5000, 6000)).first)
    #expect(first.certainty == .likely && first.steps == [1])
    #expect(
      first.text.contains(
        "orders.total is the sum of line.units × cents in 38 of 40 rows, not in 2 (1,000 in all, the difference)"
      ))
    #expect(first.rows?.rows.count == 2)
    // Bills are paid in parts: some rows that differ, one of which the test wrote to, say nothing of the failure.
    #expect(try totals(broken: [9, 11], written: 9).isEmpty)
  }

  @Test func aRuleThatManyBreakOrThatTheTestDidNotIsNone() throws {
    #expect(try totals(broken: [], written: 9).isEmpty)
    #expect(try totals(broken: [9, 11, 12], written: 9).isEmpty)
    #expect(try totals(broken: [9, 11], written: 20).isEmpty)
  }

  @Test func whoWritesOtherColumnsBreaksNoTotal() throws {
    let found = try why(
      unequal(5, 6), orders(broken: [9, 11]) + "ALTER TABLE orders ADD COLUMN state TEXT;"
    ) { story in
      story.step("UPDATE orders SET state = ? WHERE id = ?", changed: 1)
      story.change(.update, "orders", 9, old: "[9,1740,null]", new: #"[9,1740,"sent"]"#)
    }
    #expect(found.isEmpty)
  }

  /// Balances and payments refer to families; some payments were moved from one to another.
  private func balances(moved: Set<Int>, alsoKept: Bool = false) throws -> [Explanation] {
    var sql = """
      CREATE TABLE family (id INTEGER PRIMARY KEY);
      CREATE TABLE balance (family_id INTEGER PRIMARY KEY REFERENCES family, paid INTEGER);
      CREATE TABLE payment (id INTEGER PRIMARY KEY, family_id INTEGER REFERENCES family, cents INTEGER);

      """
    for id in 1...60 {
      sql += "INSERT INTO family VALUES (\(id)); INSERT INTO payment VALUES (\(id), \(id), \(id * 100));"
      sql += "INSERT INTO balance VALUES (\(id), \(moved.contains(id) ? 0 : id * 100));"
    }
    return try why(unequal(5, 6), sql) { story in
      for id in 1...60 { story.insert("payment", id, "[\(id),\(id),\(id * 100)]") }
      for id in alsoKept ? Set(1...30).union(moved) : moved {
        story.step("UPDATE payment SET family_id = ? WHERE id = ?", changed: 1)
        story.change(.update, "payment", id, old: "[\(id),200,\(id * 100)]", new: "[\(id),\(id),\(id * 100)]")
      }
    }
  }

  @Test func theStatementThatWroteAllRowsThatBreakARuleIsNamed() throws {
    let first = try #require(try balances(moved: [7, 8, 9]).first)
    #expect(first.text.contains("balance.paid is the sum of payment.cents in 57 of 60 rows, not in 3"))
    #expect(
      first.text.contains(
        "which “UPDATE payment SET family_id = ? WHERE id = ?” wrote (first in step 61), and none of the others."
      ))
    // Who wrote others too is no cause of its own.
    #expect(try balances(moved: [7, 8, 9], alsoKept: true).isEmpty)
    #expect(try balances(moved: [7, 8, 9, 10, 11]).isEmpty)
  }

  // MARK: - Rows beside a filter, and groups

  private static let entries = """
    CREATE TABLE entry (id INTEGER PRIMARY KEY, account INTEGER, city TEXT, cents INTEGER);
    INSERT INTO entry(account, city, cents) VALUES
      (1, 'Bern', 11017), (1, 'Bern', 23031), (2, 'Bern', 40511), (2, 'Basel', 70129), (3, 'Chur', 90901);
    """

  private func entries(_ sql: String, _ read: Int, _ other: Int) throws -> [Explanation] {
    try why(unequal(read, other), Self.entries) { story in
      story.step("INSERT INTO entry(account, city, cents) VALUES (3, 'Chur', 90901)", changed: 1)
      story.change(.insert, "entry", 5, new: #"[5,3,"Chur",90901]"#)
      story.read(sql, read)
    }
  }

  @Test func rowsThatOneConditionKeepsFromTheReadAreNamed() throws {
    let sql = "SELECT sum(cents) FROM entry WHERE account = 2 AND city = 'Bern'"
    let first = try #require(try entries(sql, 40_511, 110_640).first)
    #expect(first.certainty == .likely && first.rows?.rows.count == 1)
    #expect(
      first.text.contains(
        "Without “city = 'Bern'”, “\(sql)” (step 2) would return 110,640, what was expected."))
    #expect(try entries(sql, 40_511, 110_641).isEmpty)
  }

  @Test func oneGroupOfTheRowsThatWereReadEqualsTheDifference() throws {
    let sql = "SELECT sum(cents) FROM entry"
    let first = try #require(try entries(sql, 235_589, 201_541).first)
    #expect(first.text.contains("2 rows of entry with one account (1) are 34,048, the difference"))
    #expect(try entries(sql, 235_589, 235_580).isEmpty)
  }

  /// Statements of the story are run on the captured file: they read it and nothing else.
  @Test(arguments: [
    "SELECT sum(cents) FROM entry WHERE (SELECT load_extension('x'))",
    "SELECT sum(cents) FROM entry; DROP TABLE entry",
    "SELECT sum(cents) FROM entry WHERE writefile('/tmp/x', 'y')",
    "SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n) WHERE 1 AND 2",
  ])
  func aHostileReadIsRefused(sql: String) throws { #expect(try entries(sql, 7, 90_908).count < 2) }

  // MARK: - Times

  private func times(_ wrong: Set<Int>, _ other: Int) throws -> [Explanation] {
    try why(unequal(100, other), "CREATE TABLE orders (id INTEGER PRIMARY KEY, at TEXT, total INTEGER);") {
      story in
      for id in 1...30 {
        story.step("UPDATE orders SET at = ? WHERE id = ?", changed: 1)
        let hour = wrong.contains(id) ? "05" : "03"
        story.change(
          .update, "orders", id, old: #"[\#(id),"2026-04-01T05:00:00+02:00",\#(id * 100)]"#,
          new: #"[\#(id),"2026-04-01T\#(hour):00:00Z",\#(id * 100)]"#)
      }
      story.read("SELECT sum(total) FROM orders", 100)
    }
  }

  @Test func timesThatBecameOtherMomentsAreNamed() throws {
    let first = try #require(try times([4], 101).first)
    #expect(first.text.contains("wrote another time to orders.at in 1 of 30 rows (first in step 4)"))
    #expect(
      try times([4, 5], 1000).first?.text.contains("orders.total of these is 900 in all, the difference")
        == true)
    #expect(try times([4, 5], 101).isEmpty)
    #expect(try times([], 101).isEmpty)
  }

  // MARK: - What is chosen

  @Test func atMostThreeSentencesAreTold() {
    let found = (1...9).map { Explanation(.likely, [.text("\($0)")], weight: Double($0)) }
    #expect(Causes.chosen(found).map(\.text) == ["9", "8", "7"])
    let alike = [1.0, 2.0].map { Explanation(.likely, [.text("\($0)")], weight: $0, about: [4]) }
    #expect(Causes.chosen(alike).map(\.text) == ["2.0"])
  }

  @Test func withoutRowsNoValueIsTold() {
    let told = Explanation(
      .certain,
      [
        .statement("UPDATE t SET a = 'secret'"), .text(" in "), .step(3), .values("; secret is 9"),
        .text("."),
      ],
      rows: RelatedRows(
        table: StoryTable(database: 0, name: "t"), title: "t", columns: ["a"], rows: [[.text("secret")]]),
      weight: 1)
    let bare = told.withoutValues(["t", "a"])
    #expect(bare.text == "“UPDATE t SET a = ?” in step 3." && bare.rows == nil)
  }
}
