import ExhibitSQLite
import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// What one column shows by itself.
@Suite struct ColumnFindingsTests {
  private static let orders = """
    CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, count INTEGER, placed_at TEXT, note TEXT, paid DATE);
    \(numbers(899)) INSERT INTO orders (id, total, count, placed_at) SELECT i + 100, i * 1.5, i, \
    printf('2026-05-%02dT10:%02d:00Z', i % 28 + 1, i % 60) FROM n;

    """

  @Test func aNumberAsTextAmongNumbersIsNamed() throws {
    let found = try findings(in: Self.orders + "INSERT INTO orders (id, total) VALUES (7, '12,50');")
    let finding = try #require(found.findings.first)
    #expect(found.findings.count == 1 && finding.kind == .numberAsText && finding.weight == .strong)
    #expect(
      finding.sentence == "orders.total holds a number as text in row 7 ('12,50'), among 899 numbers.")
    #expect(
      finding.rows == [
        .init(key: .rowid(7), values: [.init(column: "total", cell: .text("12,50"))])
      ])
    #expect(finding.table == "orders" && finding.columns == ["total"] && finding.omitted == 0)
    #expect(!finding.remedy.isEmpty && found.unexamined == [])
  }

  @Test func whatSQLiteTakesForANumberIsOne() throws {
    // REAL makes a number of it.
    #expect(
      try findings(in: Self.orders + "INSERT INTO orders (id, total) VALUES (7, '12.50');") == .init())
  }

  @Test(arguments: [
    ("total", "'n/a'", "orders.total holds text in row 7 ('n/a'), among 899 numbers."),
    ("count", "'many'", "orders.count holds text in row 7 ('many'), among 899 numbers."),
    ("count", "''", "orders.count holds text in row 7 (''), among 899 numbers."),
    ("count", "2.5", "orders.count holds a fraction in row 7 (2.5), among 899 whole numbers."),
    ("total", "x'00'", "orders.total holds a blob in row 7 (a blob of 1 byte), among 899 other values."),
    ("placed_at", "x'00'", "orders.placed_at holds a blob in row 7 (a blob of 1 byte), among 899 texts."),
  ])
  func aValueOfAnotherTypeIsNamed(column: String, value: String, sentence: String) throws {
    let found = try findings(in: Self.orders + "INSERT INTO orders (id, \(column)) VALUES (7, \(value));")
    #expect(found.findings.map(\.sentence) == [sentence])
    #expect(found.findings.first?.kind == .mixedTypes && found.findings.first?.rows.first?.key == .rowid(7))
  }

  @Test(arguments: [
    // Whole numbers and fractions are numbers, and a column without a type may hold any.
    "CREATE TABLE t (a NUMERIC); INSERT INTO t VALUES (1), (2.5), (NULL);",
    "CREATE TABLE t (a REAL); \(numbers(40)) INSERT INTO t SELECT i FROM n; INSERT INTO t VALUES (2.5);",
    // A setting is a number here and a text there.
    "CREATE TABLE t (name TEXT, a); \(numbers(40)) INSERT INTO t SELECT i, iif(i % 3, i, 'text') FROM n;",
    // The declaration says both.
    "CREATE TABLE t (a INTEGER_OR_TEXT); \(numbers(40)) INSERT INTO t SELECT i FROM n; INSERT INTO t VALUES ('a');",
    // SQLite's way to keep dates in a column of dates.
    "CREATE TABLE t (a DATETIME); \(numbers(40)) INSERT INTO t SELECT printf('2026-05-%02d', i % 28 + 1) FROM n;",
    // All of many texts are meant to be texts.
    "CREATE TABLE t (a INTEGER); \(numbers(40)) INSERT INTO t SELECT 'x' || i FROM n;",
  ])
  func typesThatAreMeantAreNoFinding(sql: String) throws {
    #expect(try findings(in: sql) == .init())
  }

  @Test func theOnlyTextInAColumnOfNumbersIsNamed() throws {
    let found = try findings(in: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES ('abc');")
    #expect(
      found.findings.map(\.sentence) == [
        "t.a is declared INTEGER and holds text in row 1 ('abc'), and no number."
      ])
  }

  @Test func digitsThatBecameNumbersAmongTextsAreNamed() throws {
    let found = try findings(
      in:
        "CREATE TABLE t (code STRING); \(numbers(40)) INSERT INTO t SELECT 'A' || i FROM n; INSERT INTO t VALUES ('007');"
    )
    #expect(
      found.findings.map(\.sentence) == ["t.code holds a number in row 41 (7), among 40 texts."])
  }

  @Test func nullBesideEmptyTextIsNamed() throws {
    let found = try findings(in: Self.orders + "INSERT INTO orders (id, note) VALUES (7, '');")
    #expect(
      found.findings.map(\.sentence) == [
        "orders.note is the empty text in row 7, and NULL in 899 rows."
      ])
    #expect(
      found.findings.first?.kind == .nullBesideEmpty && found.findings.first?.rows.first?.key == .rowid(7))
    let rarer = try findings(
      in: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (''), (''), (NULL), ('x');")
    #expect(rarer.findings.map(\.sentence) == ["t.a is NULL in row 3, and the empty text in 2 rows."])
  }

  @Test(arguments: [
    "INSERT INTO t VALUES (NULL, 'x'), (NULL, 'y'), ('a', '');",
    // White space is not empty.
    "INSERT INTO t VALUES (NULL, 'x'), (' ', 'y');",
    // Both are frequent.
    "\(numbers(90)) INSERT INTO t SELECT iif(i % 3, NULL, ''), 'x' FROM n;",
  ])
  func nullOrEmptyTextAloneIsNoFinding(sql: String) throws {
    #expect(try findings(in: "CREATE TABLE t (a TEXT, b TEXT);" + sql) == .init())
  }

  // MARK: - Numbers that are none

  private static func column(_ type: String, _ value: String, among count: Int = 40) -> String {
    """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a \(type));
    \(numbers(count)) INSERT INTO t SELECT i + 10, 493012300 + i FROM n; INSERT INTO t VALUES (7, '\(value)');
    """
  }

  @Test(arguments: ["NUMERIC", "INTEGER", "REAL", ""])
  func telephoneNumbersAndPostalCodesAreNoNumbers(type: String) throws {
    for code in [
      "+49 30 123", "+4930 1234567", "0049 30 123", "01067", "0049301234567", "030 123 456", "01 23 45 67",
      "555 1234", "612 345 678", "+49-30-12345", "+49 (30) 12345", "030/1234567", "+493012345678", "01067 ",
      "12 34 56",
    ] {
      #expect(try findings(in: Self.column(type, code)) == .init(), "\(code)")
    }
  }

  @Test(arguments: ["12,50", "1 000", "12 €", "1 234 567", "+12,50", "-1 000", "12 %", "1'000", "0,5"])
  func whatAReaderTakesForAQuantityIsANumber(text: String) throws {
    for type in ["NUMERIC", "INTEGER", "REAL", ""] {
      let found = try findings(in: Self.column(type, text.replacing("'", with: "''")))
      #expect(
        found.findings.map(\.sentence) == [
          "t.a holds a number as text in row 7 ('\(text)'), among 40 numbers."
        ])
      #expect(found.findings.first?.kind == .numberAsText)
    }
  }

  @Test func oneCodeAmongVeryManyNumbersIsText() throws {
    let found = try findings(in: Self.column("INTEGER", "+49 30 123", among: 899))
    #expect(
      found.findings.map(\.sentence) == ["t.a holds text in row 7 ('+49 30 123'), among 899 numbers."])
    #expect(found.findings.first?.kind == .mixedTypes && found.findings.first?.isFolded == true)
    #expect(try findings(in: Self.column("", "+49 30 123", among: 15)) == .init())
  }
}
