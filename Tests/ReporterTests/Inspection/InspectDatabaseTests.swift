import Foundation
import Testing

@testable import Reporter

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
        .integer(1), .real(2.5), .text("three", cutFrom: nil), .blob([0, 255], bytes: 2), .null,
        .text("", cutFrom: nil),
      ])
    #expect(database.tables[0].rows[1][2] == .real(5))
    #expect(database.tables[1].rows.map { $0[0] } == [.text("a", cutFrom: nil), .text("b", cutFrom: nil)])
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
    #expect(table.rows[0][0] == .text(String(repeating: "x", count: 399), cutFrom: 403))
    #expect(table.rows[0][1] == .blob(Array(repeating: 0, count: 38), bytes: 5000))
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
    #expect(tables.first { $0.name == "f" }?.rows == [[.text("hello", cutFrom: nil)]])
    #expect(tables.first { $0.name == "f_data" }?.kind == .shadow)
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func utf16IsRead(encoding: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a); INSERT INTO t VALUES ('añ日');")
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.encoding == encoding)
    #expect(database.tables[0].rows == [[.text("añ日", cutFrom: nil)]])
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
}
