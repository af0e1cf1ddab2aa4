import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering
@testable import ReportTestSupport

@Suite struct InspectDatabaseTests {
  @Test func schemaCountsAndRowsAreRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      PRAGMA user_version = 7;
      CREATE TABLE t (id INTEGER PRIMARY KEY, x, double GENERATED ALWAYS AS (x * 2) VIRTUAL);
      INSERT INTO t (x) VALUES (1), (2.5), ('three'), (x'00FF'), (NULL), ('');
      CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('b', 2), ('a', 1);
      CREATE INDEX i ON t (x); CREATE VIEW v AS SELECT 1;
      """)
    let database = inspectDatabase(at: path, rows: true)
    #expect([database.check, database.encoding] == ["ok", "UTF-8"])
    #expect(database.userVersion == 7 && database.pageSize == 4096)
    #expect(database.problems.isEmpty)
    #expect(database.tables.map(\.name) == ["t", "w"])
    #expect(database.tables[0].columns == ["id", "x", "double"])
    #expect(database.tables[0].rowCount == 6)
    #expect(
      database.tables[0].rows.map { $0[1] } == [
        .integer(1), .real(2.5), .text("three"), .blob([0, 255], of: 2), .null,
        .text(""),
      ])
    #expect(database.tables[0].rows[1][2] == .real(5))
    #expect(database.tables[1].rows.map { $0[0] } == [.text("a"), .text("b")])
    #expect(database.otherSchema.map(\.type) == ["index", "view"])
    #expect(database.tables[0].sql?.hasPrefix("CREATE TABLE t") == true)
  }

  @Test func rowsComeInTheTablesOwnOrder() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (3), (1), (2);")
    #expect(
      inspectDatabase(at: path, rows: true).tables[0].rows == [[.integer(3)], [.integer(1)], [.integer(2)]])
  }

  @Test func onlyTheFirstRowsAndTheBeginningOfValuesAreRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a, b);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
      INSERT INTO t SELECT printf('%.*c', 399, 'x') || 'éé', zeroblob(5000) FROM n;
      """)
    let table = inspectDatabase(at: path, rows: true).tables[0]
    #expect(table.rowCount == 80)
    #expect(table.rows.count == 50)
    // The character that the limit of 400 bytes would cut in two is left out.
    #expect(table.rows[0][0] == .text(String(repeating: "x", count: 399), whole: .init(bytes: 403)))
    #expect(table.rows[0][1] == .blob(Array(repeating: 0, count: 38), of: 5000))
  }

  @Test func withoutRowsNoValueIsRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("a.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    let table = inspectDatabase(at: path, rows: false).tables[0]
    #expect(table.rows.isEmpty && table.rowCount == 1 && table.columns == ["a"])
  }

  @Test func virtualTablesAndTheirShadowsAreTold() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "CREATE VIRTUAL TABLE f USING fts5(title); INSERT INTO f VALUES ('hello');")
    let tables = inspectDatabase(at: path, rows: true).tables
    #expect(tables.first { $0.name == "f" }?.kind == .virtual)
    #expect(tables.first { $0.name == "f" }?.rows == [[.text("hello")]])
    #expect(tables.first { $0.name == "f_data" }?.kind == .shadow)
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func utf16IsRead(encoding: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a); INSERT INTO t VALUES ('añ日');")
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.encoding == encoding)
    #expect(database.tables[0].rows == [[.text("añ日")]])
  }

  @Test func namesAreQuotedAndPathsAreNoURIs() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a%20b?mode=memory#x é.sqlite", "CREATE TABLE \"a\"\"; DROP TABLE b\" (\"c\"\"d\"); CREATE TABLE b (x);"
    )
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.tables.map(\.name) == ["a\"; DROP TABLE b", "b"])
    #expect(database.tables[0].columns == ["c\"d"])
    #expect(database.tables[0].problem == nil)
  }

  @Test func anOrdinarySchemaIsWithinTheLimits() throws {
    let folder = try TemporaryFolder()
    let cases = (1...40).map { "a = \($0)" }.joined(separator: " OR ")
    let parts = (1...40).map { "SELECT \($0)" }.joined(separator: " UNION ALL ")
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t (a CHECK (\(cases))); INSERT INTO t VALUES (1); CREATE VIEW v AS \(parts);")
    #expect(inspectDatabase(at: path, rows: true).tables.map(\.rowCount) == [1])
  }

  @Test func theFileAndItsFolderAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint;")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    // A header that still says WAL needs no -wal and no -shm.
    #expect(inspectDatabase(at: path, rows: true).tables.map(\.rowCount) == [1])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == names)
  }

  @Test func columnsThatAreNotShownAreCounted() throws {
    let folder = try TemporaryFolder()
    let columns = (0..<201).map { "c\($0)" }.joined(separator: ", ")
    let path = try folder.database("a.sqlite", "CREATE TABLE t (\(columns)); INSERT INTO t (c0) VALUES (1);")
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.tables[0].columns.count == 100 && database.tables[0].omittedColumns == 101)
    let html = try TemplateLibrary().text(databaseValues(database), with: "database")
    #expect(html.contains("1 row · 201 columns"))
    #expect(html.contains("100 of 201 columns."))
  }

  @Test func whatIsCutFromAStatementAndFromGRDBsMigrationsIsSaid() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a /*\(String(repeating: "x", count: 20_000))*/);
      CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
      INSERT INTO grdb_migrations SELECT 'v' || i FROM n;
      """)
    let html = try TemplateLibrary().text(
      databaseValues(inspectDatabase(at: path, rows: true)), with: "database")
    #expect(html.contains("… (cut from 20,023 bytes)"))
    #expect(html.contains("v50, … and 20 more"))
  }

  // MARK: - Foreign keys

  private static let orders = """
    CREATE TABLE "order" (id INTEGER PRIMARY KEY);
    CREATE TABLE line (id INTEGER PRIMARY KEY, "order" INTEGER REFERENCES "order", article TEXT);
    INSERT INTO "order" VALUES (1);
    INSERT INTO line VALUES (1, 1, 'pen'), (2, NULL, 'ink');
    """

  /// - Parameter values: Whether the summary may show values.
  private func evidenceHTML(
    _ sql: String, rows: Bool = true, values: Bool = true
  ) throws -> (html: String, summary: String) {
    let folder = try TemporaryFolder()
    let database = inspectDatabase(at: try folder.database("a.sqlite", sql), rows: rows)
    var test = TestResult(id: .init(module: "M", suite: [], name: "t"), outcome: .failed)
    test.evidence = [TestEvidence(kind: .database, name: "a.sqlite", path: "evidence/a.sqlite")]
    var contents = ReportContents(
      report: Report(title: "T", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.databases["evidence/a.sqlite"] = database
    contents.summary.showsValues = values
    let page = try renderPages(contents, templates: TemplateLibrary()).first { $0.path.hasPrefix("tests/") }
    return (
      String(decoding: try #require(page).contents, as: UTF8.self),
      String(decoding: renderSummary(contents).contents, as: UTF8.self)
    )
  }

  @Test func foreignKeysThatHoldAreNamedBesideQuickCheck() throws {
    #expect(try evidenceHTML(Self.orders).html.contains("✓ quick_check and foreign_key_check ok"))
    #expect(try evidenceHTML("CREATE TABLE t (a);").html.contains("✓ quick_check ok"))
  }

  @Test func aBrokenForeignKeyIsNoGreenCheck() throws {
    let sql = Self.orders + "INSERT INTO line VALUES (3, 7, 'paper'), (4, 8, 'glue');"
    let (html, summary) = try evidenceHTML(sql)
    #expect(!html.contains("quick_check ok"))
    #expect(html.contains("! 2 broken foreign keys"))
    #expect(html.contains("row 3 of line: order refers to no row of order\nrow 4 of line"))
    #expect(summary.contains("  - foreign_key_check: row 3 of line: order refers to no row of order"))
    let bare = try evidenceHTML(sql, values: false).summary
    #expect(bare.contains("  - foreign_key_check: 2 rows with a key that refers to no row"))
    let without = try evidenceHTML(sql, rows: false).html
    #expect(without.contains("line: 2 broken keys") && !without.contains("row 3 of line"))
  }

  @Test func manyBrokenForeignKeysAreCounted() throws {
    let sql = """
      CREATE TABLE p (id PRIMARY KEY); CREATE TABLE w (a, b, p REFERENCES p, PRIMARY KEY (a, b)) WITHOUT ROWID;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10005)
      INSERT INTO w SELECT i, i, i FROM n;
      """
    let html = try evidenceHTML(sql).html
    #expect(html.contains("! over 10,000 broken foreign keys"))
    #expect(html.contains("row (1, 1) of w: p refers to no row of p"))
    #expect(html.contains("… and over 9,990 more"))
  }

  @Test func aForeignKeyThatCannotBeCheckedHidesNoOther() throws {
    let sql = """
      CREATE TABLE p (id PRIMARY KEY, name); CREATE TABLE a (p REFERENCES p (name)); INSERT INTO a VALUES (1);
      CREATE TABLE z (p REFERENCES p); INSERT INTO z VALUES (1);
      """
    let html = try evidenceHTML(sql).html
    #expect(html.contains("! 1 broken foreign key<"))
    #expect(html.contains("The foreign keys of a could not be checked: foreign key mismatch"))
    #expect(html.contains("row 1 of z: p refers to no row of p"))
  }
}
