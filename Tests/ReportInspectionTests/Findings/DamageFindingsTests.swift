import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportTestSupport

/// What is broken whoever did it: pages, foreign keys, and files that lie beside a database.
@Suite struct DamageFindingsTests {
  @Test func damageIsNamedFirst() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES (NULL, 1), ('', NULL), ('x', 3);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a TEXT, b TEXT NOT NULL)' WHERE name = 't';
      """)
    let inspection = inspectDatabase(at: path, rows: true)
    let found = examineDatabase(at: path, inspection, rows: true).compared(with: nil, WrittenRows())
    #expect(found.findings.map(\.kind) == [.damage, .nullBesideEmpty])
    #expect(
      found.findings[0].sentence
        == "quick_check says that the database is damaged: NULL value in t.b.")
    #expect(!found.findings[0].isFolded && found.findings[1].isFolded)
  }

  @Test func whatIsNoDatabaseIsDamage() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("this is no database, but it is long enough for one".utf8, to: "a.sqlite")
    let found = examineDatabase(at: path, inspectDatabase(at: path, rows: true), rows: true)
    #expect(found.findings.map(\.kind) == [.damage])
  }

  @Test func aCheckThatALimitEndedIsNoDamageAndSaid() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t (a); \(numbers(5000)) INSERT INTO t SELECT i FROM n;")
    var limits = InspectionLimits()
    limits.checkSteps = 100
    let inspection = inspectDatabase(at: path, rows: true, limits: limits)
    let found = examineDatabase(at: path, inspection, rows: true)
    #expect(found.findings == [])
    #expect(found.unexamined == ["quick_check was not finished within the limit of steps."])
  }

  // MARK: - Foreign keys

  private static let shop = """
    CREATE TABLE product (id INTEGER PRIMARY KEY); INSERT INTO product VALUES (1);
    CREATE TABLE line (id INTEGER PRIMARY KEY, product INTEGER REFERENCES product);
    INSERT INTO line VALUES (1, 1), (2, NULL);
    CREATE TABLE stock (shelf TEXT, place INTEGER, product INTEGER REFERENCES product (id), PRIMARY KEY (shelf, place)) WITHOUT ROWID;
    INSERT INTO stock VALUES ('a', 1, 1), ('a', 2, NULL);

    """

  @Test func aRowThatRefersToNoneIsNamed() throws {
    let found = try findings(in: Self.shop + "INSERT INTO line VALUES (5, 1), (7, 42), (8, 43);")
    let finding = try #require(found.findings.first)
    #expect(found.findings.count == 1 && finding.kind == .brokenForeignKey && !finding.isFolded)
    #expect(
      finding.sentence == "line.product refers to no row of product in row 7 (42) and 1 more row.")
    #expect(finding.rows.map(\.key) == [.rowid(7), .rowid(8)] && finding.count == 2)
    #expect(finding.rows.first?.values == [.init(column: "product", cell: .integer(42))])
  }

  @Test func aColumnCalledRowidIsNotTakenForTheRowid() throws {
    let found = try findings(
      in: Self.shop + """
        CREATE TABLE part (rowid INTEGER, product INTEGER REFERENCES product); INSERT INTO part VALUES (2, 1), (1, 42);
        """)
    #expect(found.findings.map(\.sentence) == ["part.product refers to no row of product in row 2 (42)."])
  }

  @Test func aRowOfATableWithoutRowidIsNamedByItsKey() throws {
    let found = try findings(in: Self.shop + "INSERT INTO stock VALUES ('b', 3, 42);")
    #expect(
      found.findings.map(\.sentence) == [
        "stock.product refers to no row of product in row ('b', 3)."
      ])
    #expect(
      found.findings.first?.rows.first?.key == .values([.text("b"), .integer(3)]))
  }

  @Test func aTableThatIsNotThereHasNoKeyToReferTo() throws {
    let found = try findings(
      in:
        "CREATE TABLE s (a TEXT PRIMARY KEY, b REFERENCES gone) WITHOUT ROWID; INSERT INTO s VALUES ('x', 1);"
    )
    #expect(found.findings.map(\.sentence) == ["s.b refers to no row of gone in 1 row."])
    #expect(
      found.findings.first?.count == 1 && found.findings.first?.rows.allSatisfy { $0.key == nil } == true)
  }

  @Test func theRowsOfTheTestComeFirst() throws {
    let sql =
      Self.shop
      + "\(numbers(50)) INSERT INTO line SELECT i + 100, 42 FROM n; INSERT INTO line VALUES (400, 43);"
    let finding = try #require(
      try findings(in: sql, written: WrittenRows([400], of: "line", step: 3, last: 4)).findings.first)
    #expect(finding.rows.first?.key == .rowid(400) && finding.rows.count == 10 && finding.omitted == 41)
    #expect(finding.sentence.contains("row 400 (43) and 50 more rows") && finding.origin == .test)
  }

  @Test func aKeyIsBrokenByWhoDeletesWhatItRefersTo() throws {
    var written = WrittenRows()
    written.deleted = ["product": 5]
    written.lastStep = 5
    let finding = try #require(
      try findings(in: Self.shop + "INSERT INTO line VALUES (7, 42);", written: written).findings.first)
    #expect(finding.origin == .lastStep)
  }

  @Test func keysThatHoldAreNoFinding() throws {
    #expect(try findings(in: Self.shop) == .init())
  }

  // MARK: - Files beside it

  private func evidence(
    wal: DatabaseCapture.WALState = .absent, view: DatabaseCapture.View? = nil,
    method: DatabaseCapture.Method = .immutable, files: [String] = []
  ) -> TestEvidence {
    TestEvidence(
      kind: .database, name: "shop.sqlite", path: "shop.sqlite",
      details: .database(
        DatabaseCapture(
          method: method, view: view, wal: wal, walSigns: wal == .foreign ? ["its pages are larger"] : [],
          databaseBytes: 1)),
      rawFiles: files.map { RawFile(path: $0, bytes: 1) })
  }

  @Test func anotherDatabasesWALIsNamedOnce() throws {
    let found = sideFileFindings(evidence(wal: .foreign, view: .alone))
    #expect(
      found.map(\.sentence) == ["The WAL beside shop.sqlite is another database's: its pages are larger."])
    #expect(found.map(\.kind) == [.foreignWAL] && found.first?.isFolded == false)
    #expect(sideFileFindings(evidence(wal: .foreign, view: .withForeignWAL)) == [])
    #expect(sideFileFindings(evidence(wal: .committed, files: ["h/shop.sqlite", "h/shop.sqlite-wal"])) == [])
  }

  @Test func aHotJournalIsNamed() throws {
    let files = ["h/shop.sqlite", "h/shop.sqlite-journal"]
    let found = sideFileFindings(evidence(files: files))
    #expect(found.map(\.kind) == [.hotJournal] && found.first?.isFolded == false)
    // The report tells of the process that died.
    #expect(sideFileFindings(evidence(method: .postMortem, files: files)).map(\.isFolded) == [true])
    // What is open in the test's own transaction is no accident.
    #expect(sideFileFindings(evidence(view: .uncommitted, files: files)) == [])
  }
}
