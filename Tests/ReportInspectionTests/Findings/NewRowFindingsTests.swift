import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// What is said of rows that the test wrote, and never without knowing that it did.
@Suite struct NewRowFindingsTests {
  private static let orders = """
    CREATE TABLE orders (id INTEGER PRIMARY KEY, number TEXT, total REAL, at INTEGER, customer INTEGER, state INTEGER);
    CREATE INDEX orders_number ON orders (number);
    \(numbers(899)) INSERT INTO orders SELECT i + 10, 'A-' || i, 10 + i % 90, 1000000000 + i, i % 5, i = 3 FROM n;

    """

  private func found(_ values: String, written: WrittenRows) throws -> [Finding] {
    try findings(in: Self.orders + "INSERT INTO orders VALUES (7, \(values));", written: written).findings
  }

  @Test func aValueFarFromAllOthersIsNamed() throws {
    let all = try found("'B', 123456, 1000000000, 1, 0", written: WrittenRows([7], of: "orders"))
    let finding = try #require(all.first)
    #expect(all.count == 1 && finding.kind == .outlier && finding.origin == .lastStep)
    #expect(
      finding.sentence
        == "orders.total is far from all others in row 7 (123456.0); the other 899 are between 10 and 99.")
    #expect(finding.rows.map(\.key) == [.rowid(7)])
  }

  @Test func withoutKnowingWhoWroteItNothingIsFar() throws {
    #expect(try found("'B', 123456, 1000000000, 1, 0", written: WrittenRows()) == [])
    // Another row is the test's, or another column of this one.
    #expect(try found("'B', 123456, 1000000000, 1, 0", written: WrittenRows([20], of: "orders")) == [])
    #expect(
      try found(
        "'B', 123456, 1000000000, 1, 0", written: WrittenRows([7], of: "orders", columns: ["state"])) == [])
  }

  @Test(arguments: [
    // A large one, not far from the others.
    "'B', 180, 1000000000, 1, 0",
    // A time of now among old ones, a reference, and a column of which almost all are one value.
    "'B', 20, 1777777777, 99999, 99999",
  ])
  func whatIsUsualIsNoFinding(values: String) throws {
    // `customer` is not declared to refer, so it is one here.
    let sql = Self.orders.replacing("customer INTEGER", with: "customer INTEGER REFERENCES customer")
    let found = try findings(
      in:
        "CREATE TABLE customer (id INTEGER PRIMARY KEY); \(numbers(5)) INSERT INTO customer SELECT i - 1 FROM n;"
        + sql + "INSERT INTO customer VALUES (99999); INSERT INTO orders VALUES (7, \(values));",
      written: WrittenRows([7], of: "orders"))
    #expect(found.findings == [])
  }

  @Test func ofAFewRowsNothingCanBeSaid() throws {
    #expect(
      try findings(
        in:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL); \(numbers(10)) INSERT INTO t SELECT i, i FROM n; INSERT INTO t VALUES (99, 1e9);",
        written: WrittenRows([99], of: "t")) == .init())
  }

  @Test func ofATableThatTheTestFilledOnlyTheLastStepIsLookedAt() throws {
    var written = WrittenRows(Array(11...909), of: "orders", step: 3)
    written.note(.rowid(7), of: "orders", step: 4, columns: nil)
    #expect(try found("'B', 123456, 1000000000, 1, 0", written: written).map(\.kind) == [.outlier])
    written.note(.rowid(7), of: "orders", step: 3, columns: nil)
    written.lastStep = 3
    #expect(try found("'B', 123456, 1000000000, 1, 0", written: written) == [])
  }

  @Test func aTestThatMayHaveWrittenMoreSaysNothingOfTheOthers() throws {
    var written = WrittenRows([7], of: "orders")
    written.isPartial = true
    #expect(try found("'A-1', 123456, 1000000000, 1, 0", written: written) == [])
  }

  // MARK: - Duplicates

  @Test func aSecondRowOfOneNumberIsNamed() throws {
    let all = try found("'A-17', 20, 1000000000, 1, 0", written: WrittenRows([7], of: "orders"))
    let finding = try #require(all.first)
    #expect(all.count == 1 && finding.kind == .newDuplicate && finding.columns == ["number"])
    #expect(
      finding.sentence
        == "orders has a second row of one number by row 7 ('A-17'); the 899 others are all different.")
    #expect(finding.rows.map(\.key) == [.rowid(7)] && finding.remedy.contains("orders_number UNIQUE"))
  }

  @Test(arguments: [
    ("another number", "", "'B'"), ("no number", "", "NULL"),
    ("duplicates before", "INSERT INTO orders VALUES (8, 'A-1', 20, 1000000000, 1, 0);", "'A-17'"),
    (
      "an index of some rows", "DROP INDEX orders_number; CREATE INDEX o ON orders (number) WHERE state = 1;",
      "'A-17'"
    ),
    ("no index", "DROP INDEX orders_number;", "'A-17'"),
  ])
  func otherRowsAreNoFinding(what: String, sql: String, number: String) throws {
    let found = try findings(
      in: Self.orders + sql + "INSERT INTO orders VALUES (7, \(number), 20, 1000000000, 1, 0);",
      written: WrittenRows([7], of: "orders"))
    #expect(found.findings == [], "\(what)")
  }

  @Test func aDuplicateThatTheTestDidNotWriteIsNone() throws {
    #expect(try found("'A-17', 20, 1000000000, 1, 0", written: WrittenRows()) == [])
    #expect(
      try found("'A-17', 20, 1000000000, 1, 0", written: WrittenRows([7], of: "orders", columns: ["total"]))
        == [])
  }
}
