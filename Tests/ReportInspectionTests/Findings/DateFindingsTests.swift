import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// What a column of dates shows by itself.
@Suite struct DateFindingsTests {
  private static let orders = """
    CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_at TEXT);
    \(numbers(899)) INSERT INTO orders (id, placed_at) SELECT i + 100, printf('2026-05-%02dT10:%02d:00Z', i % 28 + 1, i % 60) FROM n;

    """

  @Test(arguments: [
    ("2026-05-01 10:00:00", "YYYY-MM-DD HH:MM:SS"), ("2026-05-01", "YYYY-MM-DD"),
    ("01.05.2026", "DD.MM.YYYY"),
    ("05/01/2026", "NN/NN/YYYY"), ("2026-05-01T10:00:00", "YYYY-MM-DDTHH:MM:SS"),
    ("2026-05-01T10:00Z", "YYYY-MM-DDTHH:MMZ"),
    ("2026-05-01T10:00", "YYYY-MM-DDTHH:MM"), ("2026-05-01 10:00", "YYYY-MM-DD HH:MM"),
    ("2026-05-01T10:00+02:00", "YYYY-MM-DDTHH:MM+00:00"),
  ])
  func aDateInAnotherFormIsNamed(date: String, form: String) throws {
    let found = try findings(in: Self.orders + "INSERT INTO orders (id, placed_at) VALUES (7, '\(date)');")
    let finding = try #require(found.findings.first)
    #expect(found.findings.count == 1 && finding.kind == .mixedDates)
    #expect(finding.rows.first?.key == .rowid(7))
    if form.hasSuffix("+00:00") {
      #expect(finding.sentence.contains("with an offset in row 7"), "\(finding.sentence)")
    } else {
      #expect(
        finding.sentence
          == "orders.placed_at holds a date as \(form) in row 7 ('\(date)'), among 899 as YYYY-MM-DDTHH:MM:SSZ."
      )
    }
  }

  @Test func anotherOffsetIsNamed() throws {
    let found = try findings(
      in: """
        CREATE TABLE t (at TEXT); \(numbers(50)) INSERT INTO t SELECT printf('2026-05-01T10:%02d:00+02:00', i) FROM n;
        INSERT INTO t VALUES ('2026-11-01T10:00:00+01:00');
        """)
    #expect(
      found.findings.map(\.sentence) == [
        "t.at holds a date with another offset in row 51 ('2026-11-01T10:00:00+01:00'), among 50 as YYYY-MM-DDTHH:MM:SS+02:00."
      ])
  }

  @Test(arguments: [
    // A fraction of a second is no other form.
    "'2026-05-01T10:00:00.123Z'", "'2026-05-01T10:00:00,5Z'", "NULL",
  ])
  func oneFormOfDatesIsNoFinding(date: String) throws {
    #expect(
      try findings(in: Self.orders + "INSERT INTO orders (id, placed_at) VALUES (7, \(date));") == .init())
  }

  @Test func textsWithDatesAmongThemAreNoFinding() throws {
    #expect(
      try findings(
        in: """
          CREATE TABLE t (a TEXT); \(numbers(50)) INSERT INTO t SELECT 'note ' || i FROM n;
          INSERT INTO t VALUES ('2026-05-01'), ('01.05.2026');
          """) == .init())
  }

  @Test func aNumberAmongDatesIsNamed() throws {
    let found = try findings(in: Self.orders + "INSERT INTO orders (id, placed_at) VALUES (7, 1777777777);")
    #expect(
      found.findings.map(\.sentence) == [
        "orders.placed_at holds a date as a number in row 7 ('1777777777'), among 899 as YYYY-MM-DDTHH:MM:SSZ."
      ])
  }

  // MARK: - Seconds

  @Test(arguments: [
    ("2024-01-%02d 10:30:00", "2024-01-05 10:30", "HH:MM", "YYYY-MM-DD HH:MM:SS"),
    ("2024-01-%02d 10:30", "2024-01-05 10:30:00", "HH:MM:SS", "YYYY-MM-DD HH:MM"),
    ("2024-01-%02dT10:30:00", "2024-01-05T10:30", "HH:MM", "YYYY-MM-DDTHH:MM:SS"),
    ("2024-01-%02dT10:30:00Z", "2024-01-05T10:30Z", "HH:MMZ", "YYYY-MM-DDTHH:MM:SSZ"),
    ("2024-01-%02dT10:30:00+01:00", "2024-01-05T10:30+01:00", "HH:MM with an offset", "with an offset"),
  ])
  func aTimeWithoutSecondsIsAnotherForm(form: String, date: String, one: String, other: String) throws {
    let found = try findings(
      in: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT);
        \(numbers(12)) INSERT INTO t SELECT i + 10, printf('\(form)', i) FROM n; INSERT INTO t VALUES (7, '\(date)');
        """)
    let finding = try #require(found.findings.first)
    #expect(found.findings.count == 1 && finding.kind == .mixedDates)
    #expect(finding.rows.map(\.key) == [.rowid(7)])
    #expect(finding.sentence.contains("\(one) in row 7 ('\(date)'), among 12 as "), "\(finding.sentence)")
    #expect(finding.sentence.hasSuffix("\(other)."), "\(finding.sentence)")
  }

  @Test(arguments: ["%02d", "%02d 10:30", "%02dT10:30", "%02dT10:30Z", "%02dT10:30+01:00"])
  func timesThatAllLeaveOutSecondsAreNoFinding(form: String) throws {
    #expect(
      try findings(
        in:
          "CREATE TABLE t (at TEXT); \(numbers(12)) INSERT INTO t SELECT printf('2024-01-\(form)', i) FROM n;"
      ) == .init())
  }

  // MARK: - Dates that do not exist

  private static func dates(_ form: String, _ date: String, type: String = "TEXT", _ count: Int = 12)
    -> String
  {
    """
    CREATE TABLE t (id INTEGER PRIMARY KEY, at \(type));
    \(numbers(count)) INSERT INTO t SELECT i + 10, printf('\(form)', i) FROM n; INSERT INTO t VALUES (7, '\(date)');
    """
  }

  @Test(arguments: [
    ("2024-01-%02d", "2024-02-31"), ("2024-01-%02d", "2024-13-01"), ("2024-01-%02d", "2024-00-15"),
    ("2024-01-%02d", "2023-02-29"), ("2024-01-%02d", "1900-02-29"), ("2024-01-%02d", "2024-01-32"),
    ("2024-01-%02d 12:00:00", "2024-04-31 12:00:00"), ("2024-01-%02d 12:00", "2024-01-05 25:61"),
    ("2024-01-%02d 12:00:00", "2024-01-05 24:00:01"), ("2024-01-%02dT12:00:00Z", "2024-01-05T12:00:61Z"),
    ("2024-01-%02dT12:00:00Z", "2024-01-05T12:00:60Z"),
    ("2024-01-%02dT12:00+01:00", "2024-02-30T12:00+01:00"),
    ("%02d.01.2024", "31.04.2024"), ("%02d.01.2024", "01.13.2024"), ("%02d/01/2024", "13/13/2024"),
    ("%02d/01/2024", "02/30/2024"), ("2024/01/%02d", "2024/06/31"),
  ])
  func aDateThatDoesNotExistIsNamed(form: String, date: String) throws {
    for type in ["TEXT", "DATETIME", ""] {
      let found = try findings(in: Self.dates(form, date, type: type))
      let finding = try #require(found.findings.first)
      #expect(found.findings.count == 1 && finding.kind == .impossibleDate && !finding.isFolded)
      #expect(finding.rows.map(\.key) == [.rowid(7)])
      #expect(
        finding.sentence == "t.at holds a date that does not exist in row 7 ('\(date)'), among 12 that do.")
    }
  }

  @Test func withoutRowsTheDateIsNotTold() throws {
    let found = try findings(in: Self.dates("2024-01-%02d", "2024-02-31"), rows: false)
    #expect(
      found.findings.map(\.sentence) == ["t.at holds a date that does not exist in 1 row, among 12 that do."])
    #expect(!"\(found)".contains("02-31"))
  }

  @Test(arguments: [
    ("2024-01-%02d", "2024-02-29"), ("2024-01-%02d", "2000-02-29"), ("2024-01-%02d", "0000-00-00"),
    ("2024-01-%02d", "2024-00-00"), ("2024-01-%02d 10:00:00", "2016-12-31 23:59:60"),
    ("2024-01-%02dT10:00:00Z", "2016-12-31T23:59:60Z"),
    ("2024-01-%02dT10:00:00+05:30", "2017-01-01T05:29:60+05:30"),
    ("2024-01-%02d 10:00:00", "2024-01-05 24:00:00"), ("2024-01-%02d 10:00:00", "2024-01-05 00:00:00"),
    ("2024-01-%02d 10:00:00", "2024-01-05 23:59:59.999"), ("%02d/01/2024", "02/29/2024"),
    ("%02d/01/2024", "31/12/2024"), ("%02d.01.2024", "29.02.2024"),
  ])
  func datesThatExistAreNoFinding(form: String, date: String) throws {
    #expect(try findings(in: Self.dates(form, date)) == .init())
  }

  @Test func twoDatesShowThatTheThirdIsNone() throws {
    let found = try findings(in: Self.dates("2024-01-%02d", "2024-02-31", 2))
    #expect(found.findings.map(\.kind) == [.impossibleDate])
  }

  @Test(arguments: [
    // Free text, in which a date is a text like others.
    dates("note %02d", "2024-02-31"), dates("see %02d", "25:61"),
    // Numbers of articles, which look like dates here and there.
    "CREATE TABLE t (a TEXT); \(numbers(90)) INSERT INTO t SELECT printf('%04d-%02d-%02d', 1000 + i, i, i) FROM n;",
    // Durations, results, and times of a day that ends after midnight.
    dates("%02d:10", "25:59"), dates("%02d:10:30", "26:10:00"), dates("9%02d:10", "25:61"),
    dates("8%d:70", "25:61", 9),
  ])
  func whatIsNoDateMayHoldAnything(sql: String) throws {
    #expect(try findings(in: sql) == .init())
  }

  @Test(arguments: [("%02d:30", "25:61"), ("%02d:30:00", "10:30:75"), ("%02d:30", "10:60")])
  func aTimeThatDoesNotExistIsNamed(form: String, time: String) throws {
    let found = try findings(in: Self.dates(form, time))
    #expect(
      found.findings.map(\.sentence) == [
        "t.at holds a time that does not exist in row 7 ('\(time)'), among 12 that do."
      ])
    #expect(found.findings.first?.kind == .impossibleDate)
  }
}
