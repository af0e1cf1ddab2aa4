import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// Triggers of one event that write the same.
@Suite struct TriggerFindingsTests {
  private static let tables = """
    CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, state TEXT);
    CREATE TABLE customer (id INTEGER PRIMARY KEY, spent REAL, orders INTEGER);
    CREATE TABLE log (text);

    """

  private func found(_ first: String, _ second: String) throws -> [Finding] {
    try findings(
      in: Self.tables + "CREATE TRIGGER a \(first); END; CREATE TRIGGER b \(second); END;"
    ).findings
  }

  @Test(arguments: [
    (
      "AFTER INSERT ON orders BEGIN UPDATE customer SET spent = spent + NEW.total",
      "AFTER INSERT ON orders BEGIN UPDATE \"customer\" SET orders = 1, Spent = (SELECT 0) WHERE id = 1",
      "The triggers a and b both run AFTER INSERT on orders and write customer.spent."
    ),
    (
      "BEFORE UPDATE OF total ON orders BEGIN DELETE FROM log",
      "BEFORE UPDATE ON orders BEGIN INSERT INTO log VALUES (1)",
      "The triggers a and b both run BEFORE UPDATE on orders and write log."
    ),
  ])
  func triggersThatWriteTheSameAreNamed(first: String, second: String, sentence: String) throws {
    let all = try found(first, second)
    let finding = try #require(all.first)
    #expect(all.count == 1 && finding.kind == .conflictingTriggers && finding.sentence == sentence)
    #expect(finding.triggers == ["a", "b"] && finding.table == "orders" && finding.isFolded)
  }

  @Test(arguments: [
    // Other columns.
    (
      "AFTER INSERT ON orders BEGIN UPDATE customer SET spent = 1",
      "AFTER INSERT ON orders BEGIN UPDATE customer SET orders = spent"
    ),
    // Rows that are only added.
    (
      "AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (1)",
      "AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (2)"
    ),
    // Another event, another time.
    (
      "AFTER INSERT ON orders BEGIN DELETE FROM log",
      "AFTER DELETE ON orders BEGIN INSERT INTO log VALUES (1)"
    ),
    (
      "BEFORE UPDATE ON orders BEGIN DELETE FROM log",
      "AFTER UPDATE ON orders BEGIN INSERT INTO log VALUES (1)"
    ),
    // Conditions may exclude each other.
    (
      "AFTER INSERT ON orders WHEN NEW.total > 0 BEGIN UPDATE customer SET spent = 1",
      "AFTER INSERT ON orders WHEN NEW.total <= 0 BEGIN UPDATE customer SET spent = 2"
    ),
    // Other columns' changes.
    (
      "AFTER UPDATE OF total ON orders BEGIN UPDATE customer SET spent = 1",
      "AFTER UPDATE OF state ON orders BEGIN UPDATE customer SET spent = 2"
    ),
    // Reading is no writing.
    (
      "AFTER INSERT ON orders BEGIN SELECT spent FROM customer",
      "AFTER INSERT ON orders BEGIN UPDATE customer SET spent = 1"
    ),
  ])
  func triggersThatDoNotDisturbEachOtherAreNoFinding(first: String, second: String) throws {
    #expect(try found(first, second) == [])
  }

  @Test func theTestBroughtItWhereBothRanInIt() throws {
    let sql =
      Self.tables
      + "CREATE TRIGGER a AFTER INSERT ON orders BEGIN DELETE FROM log; END; CREATE TRIGGER b AFTER INSERT ON orders BEGIN INSERT INTO log VALUES (1); END;"
    var written = WrittenRows([1], of: "orders", step: 4)
    written.triggers = ["a": 4, "b": 4]
    #expect(try findings(in: sql, written: written).findings.map(\.origin) == [.lastStep])
    written.triggers = ["a": 4]
    #expect(try findings(in: sql, written: written).findings.map(\.origin) == [.unknown])
  }
}
