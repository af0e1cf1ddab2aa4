import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// Keys and rows that are alike.
@Suite struct KeyFindingsTests {
  private static let tags = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    \(numbers(40)) INSERT INTO tag SELECT i + 10, 'tag ' || i FROM n;

    """

  @Test(arguments: [
    ("'Café'", "'Cafe' || char(0x301)", "the way their characters are encoded", Finding.Weight.strong),
    ("'pen'", "' pen'", "white space around them", .strong),
    ("'pen'", "'pen' || char(0xA0)", "white space around them", .strong),
    ("'pen'", "'Pen'", "case", .minor),
    ("'épée'", "'ÉPÉE'", "case", .minor),
    ("'épée'", "'E' || char(0x301) || 'pée '", "white space around them and case", .strong),
    ("'épée '", "'Épée '", "case", .minor),
  ])
  func keysThatAReaderTakesForOneAreNamed(
    one: String, other: String, difference: String, weight: Finding.Weight
  ) throws {
    let found = try findings(in: Self.tags + "INSERT INTO tag VALUES (3, \(one)), (5, \(other));")
    let finding = try #require(found.findings.first)
    #expect(found.findings.count == 1 && finding.kind == .equalKeys && finding.weight == weight)
    #expect(finding.sentence.hasPrefix("tag.name has keys that differ in \(difference) alone: row 3 ("))
    #expect(finding.sentence.contains(" and row 5 ("))
    #expect(finding.rows.map(\.key) == [.rowid(3), .rowid(5)] && finding.columns == ["name"])
  }

  @Test func keysOfSeveralColumnsAreComparedTogether() throws {
    let table = "CREATE TABLE t (country TEXT, city TEXT, PRIMARY KEY (country, city)) WITHOUT ROWID;"
    let found = try findings(
      in: table + "INSERT INTO t VALUES ('DE', 'Köln'), ('DE', 'köln'), ('AT', 'Wien');")
    #expect(
      found.findings.map(\.sentence) == [
        "t (country, city) has keys that differ in case alone: row ('DE', 'Köln') ('DE', 'Köln') and row ('DE', 'köln') ('DE', 'köln')."
      ])
    #expect(try findings(in: table + "INSERT INTO t VALUES ('DE', 'Wien'), ('AT', 'wien');") == .init())
  }

  @Test(arguments: [
    // Other letters are other keys.
    "INSERT INTO tag VALUES (3, 'Cafe'), (5, 'Café');",
    "INSERT INTO tag VALUES (3, 'pen'), (5, 'pe n');",
  ])
  func keysThatDifferAreNoFinding(sql: String) throws {
    #expect(try findings(in: Self.tags + sql) == .init())
  }

  @Test func aColumnThatIsNoKeyMayHoldAnything() throws {
    #expect(
      try findings(in: "CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('a'), ('A'), ('a ');") == .init())
  }

  @Test func keysOfWhichManyDifferInCaseAreMeantTo() throws {
    #expect(
      try findings(
        in:
          "CREATE TABLE unit (sign TEXT PRIMARY KEY); INSERT INTO unit VALUES ('m'), ('M'), ('g'), ('G'), ('s'), ('S');"
      ) == .init())
  }

  private static func units(_ others: String) -> String {
    let signs = "mgsckntpuv".flatMap { ["('\($0)')", "('\($0.uppercased())')"] }.joined(separator: ", ")
    return "CREATE TABLE unit (sign TEXT UNIQUE); INSERT INTO unit VALUES \(signs), \(others);"
  }

  @Test(arguments: [
    ("('swift'), (' swift')", "white space around them", "row 21 ('swift') and row 22 (' swift')"),
    ("('Swift'), ('swift'), (' swift')", "white space around them", "row 22 ('swift') and row 23 (' swift')"),
    ("('swift'), (' Swift')", "white space around them and case", "row 21 ('swift') and row 22 (' Swift')"),
    ("('caf' || char(233)), ('cafe' || char(769))", "the way their characters are encoded", "row 21 ("),
  ])
  func manyThatDifferInCaseHideNothingElse(others: String, difference: String, rows: String) throws {
    let found = try findings(in: Self.units(others))
    #expect(found.findings.count == 1 && found.findings.first?.isFolded == false)
    let sentence = try #require(found.findings.first?.sentence)
    #expect(
      sentence.hasPrefix("unit.sign has keys that differ in \(difference) alone: \(rows)"), "\(sentence)")
  }

  @Test func oneThatDiffersInCaseHidesNoWhiteSpace() throws {
    let found = try findings(
      in: Self.tags + "INSERT INTO tag VALUES (1, 'C'), (2, 'c'), (3, 'swift'), (5, ' swift');")
    #expect(
      found.findings.map(\.sentence) == [
        "tag.name has keys that differ in white space around them alone: row 3 ('swift') and row 5 (' swift').",
        "tag.name has keys that differ in case alone: row 1 ('C') and row 2 ('c').",
      ])
    #expect(found.findings.map(\.isFolded) == [false, true])
  }

  @Test func manyThatDifferInWhiteSpaceHideNoCase() throws {
    let spaced = numbers(40) + "INSERT INTO tag SELECT i + 100, ' tag ' || i FROM n;"
    #expect(try findings(in: Self.tags + spaced) == .init())
    let found = try findings(in: Self.tags + spaced + "INSERT INTO tag VALUES (1, 'C'), (2, 'c');")
    #expect(
      found.findings.map(\.sentence) == [
        "tag.name has keys that differ in case alone: row 1 ('C') and row 2 ('c')."
      ])
  }

  // MARK: - Rows

  private static let customers = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, born TEXT);
    \(numbers(60)) INSERT INTO customer SELECT i + 10, 'Name ' || i, 'Town ' || (i % 7), '1990-01-01' FROM n;

    """

  @Test func rowsThatDifferInTheirKeyAloneAreNamed() throws {
    let found = try findings(
      in: Self.customers + "INSERT INTO customer SELECT 3, name, city, born FROM customer WHERE id = 20;")
    let finding = try #require(found.findings.first)
    #expect(found.findings.count == 1 && finding.kind == .equalRows)
    #expect(finding.sentence == "In customer, row 3 and row 20 differ in nothing but their key.")
    #expect(finding.rows.map(\.key) == [.rowid(3), .rowid(20)])
  }

  @Test func theRowThatTheTestWroteComesFirst() throws {
    let found = try findings(
      in: Self.customers + "INSERT INTO customer SELECT 99, name, city, born FROM customer WHERE id = 20;",
      written: WrittenRows([99], of: "customer"))
    let finding = try #require(found.findings.first)
    #expect(finding.sentence == "In customer, row 99 and row 20 differ in nothing but their key.")
    #expect(finding.rows.map(\.key) == [.rowid(99), .rowid(20)] && finding.origin == .lastStep)
  }

  @Test(arguments: [
    // One value differs.
    "INSERT INTO customer SELECT 3, name, city, '1990-01-02' FROM customer WHERE id = 20;",
    // Where many are equal, they are meant to be.
    "INSERT INTO customer SELECT id + 100, name, city, born FROM customer;",
  ])
  func rowsThatDifferAreNoFinding(sql: String) throws {
    #expect(try findings(in: Self.customers + sql) == .init())
  }

  @Test func aFewSmallRowsAreSoonAlike() throws {
    #expect(
      try findings(
        in: """
          CREATE TABLE line (id INTEGER PRIMARY KEY, article TEXT, count INTEGER);
          \(numbers(60)) INSERT INTO line SELECT i, 'a' || i, i FROM n; INSERT INTO line VALUES (99, 'a1', 1);
          """) == .init())
  }
}
