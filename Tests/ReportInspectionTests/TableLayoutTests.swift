import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection

/// Rows read from pages have the values that SQLite gives.
@Suite struct TableLayoutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The rows of every table as we read them and as SQLite does, in the table's order.
  private func expectSQLitesRows(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let state = try DatabaseState(try FilePages(try InputFile(path: path)))
    let connection = try InspectionConnection(path: path, limits: InspectionLimits())
    for entry in try state.schema() where entry.isTable && entry.rootPage > 0 {
      let layout = try TableLayout(entry, encoding: state.encoding)
      var ours: [[DatabaseValue]] = []
      try state.forEachRow(of: entry.rootPage) { row in
        ours.append(try layout.cells(of: row, limit: 400))
        return true
      }
      let names = layout.columns.map { SQLText.name($0.name) }.joined(separator: ", ")
      let rows = try connection.prepare("SELECT \(names) FROM \(SQLText.name(entry.name)) NOT INDEXED")
      var theirs: [[DatabaseValue]] = []
      while try rows.step() {
        theirs.append(layout.columns.indices.map { rows.cell(at: Int32($0), limit: 400) })
      }
      #expect(ours == theirs, "\(entry.name)", sourceLocation: sourceLocation)
      #expect(!theirs.isEmpty, "\(entry.name)", sourceLocation: sourceLocation)
      let all = try connection.prepare("SELECT * FROM \(SQLText.name(entry.name))").columnNames
      #expect(
        all.filter { !layout.virtualColumns.contains($0) } == layout.columns.map(\.name),
        sourceLocation: sourceLocation)
      let info = try connection.prepare(
        "SELECT name FROM pragma_table_xinfo(\(SQLText.text(entry.name))) WHERE pk > 0 ORDER BY pk")
      var key: [String] = []
      while try info.step() { key.append(info.text(at: 0) ?? "") }
      #expect(layout.primaryKey.map { layout.columns[$0].name } == key, sourceLocation: sourceLocation)
    }
  }

  private static let values = """
    (1, 1, 1, 1, 1, 1, 1), (2, -7, 2.5, '3', x'04', NULL, 9007199254740993), (3, '12', '12.0', 'x', 12.0, '1e3', ''),
    (4, 9223372036854775807, -9223372036854775808, 1e300, 281474976710656, -0.0, 3.0), (5, 0, 1, 128, 32768, 8388608, 2147483648)
    """

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func columnsOfAllTypes(encoding: String) throws {
    let path = try folder.database(
      "types.sqlite",
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE affinities(id INTEGER PRIMARY KEY, i INT, r REAL, t VARCHAR(3), b BLOB, n NUMERIC, d DOUBLE PRECISION);
      INSERT INTO affinities VALUES \(Self.values);
      CREATE TABLE none(a, b, c, d, e, f, g); INSERT INTO none VALUES \(Self.values);
      CREATE TABLE late(a, id INTEGER, r FLOAT, b, c, d, e, PRIMARY KEY(id DESC));
      INSERT INTO late VALUES (1, 5, 2, 3, 4, 5, 6), (2, -6, 2.5, 'ä€😀', x'', '', zeroblob(900));
      CREATE TABLE nokey(a, id INTEGER PRIMARY KEY DESC, r REAL); INSERT INTO nokey VALUES (1, 5, 2), (2, 1, 3);
      CREATE TABLE bigint(id BIGINT PRIMARY KEY, v); INSERT INTO bigint VALUES (5, 2), (2, 1);
      CREATE TABLE seq(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO seq(v) VALUES (2), ('1');
      CREATE TABLE long(t); INSERT INTO long VALUES (printf('%.5000c', 'x')), (printf('%.399c%s', 'x', 'ab'));
      CREATE TABLE strict(id INTEGER PRIMARY KEY, r REAL, a ANY, t TEXT) STRICT;
      INSERT INTO strict VALUES (1, 1, 1, '1'), (2, 2.5, '1', 2);
      """)
    try expectSQLitesRows(path)
  }

  @Test(arguments: ["UTF-8", "UTF-16le"])
  func columnsThatOlderRowsDoNotHave(encoding: String) throws {
    let path = try folder.database(
      "added.sqlite",
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (3, 4);
      ALTER TABLE t ADD COLUMN n; ALTER TABLE t ADD COLUMN i INTEGER DEFAULT '12';
      ALTER TABLE t ADD COLUMN r REAL DEFAULT 7; ALTER TABLE t ADD COLUMN s TEXT DEFAULT 7;
      ALTER TABLE t ADD COLUMN m DEFAULT -1.5; ALTER TABLE t ADD COLUMN x BLOB NOT NULL DEFAULT x'00ff';
      ALTER TABLE t ADD COLUMN q DEFAULT 'it''s'; ALTER TABLE t ADD COLUMN f DEFAULT true;
      ALTER TABLE t ADD COLUMN k DEFAULT (CAST(x'4100' AS TEXT)); ALTER TABLE t ADD COLUMN p DEFAULT +5;
      INSERT INTO t(a) VALUES (5);
      CREATE TABLE renamed(a, id INTEGER PRIMARY KEY, c REAL); INSERT INTO renamed VALUES (1, 2, 3);
      ALTER TABLE renamed RENAME COLUMN c TO "the ""real"" one"; ALTER TABLE renamed RENAME TO "new [name]";
      ALTER TABLE "new [name]" ADD COLUMN v DEFAULT 1; ALTER TABLE "new [name]" DROP COLUMN a;
      CREATE TABLE w(a, k TEXT, PRIMARY KEY(k)) WITHOUT ROWID; INSERT INTO w VALUES (1, 'x'), (2, 'w');
      ALTER TABLE w ADD COLUMN r REAL DEFAULT 3; ALTER TABLE w ADD COLUMN s DEFAULT 's'; INSERT INTO w VALUES (1, 'a', 2, 3);
      """)
    try expectSQLitesRows(path)
  }

  @Test func generatedColumns() throws {
    let path = try folder.database(
      "generated.sqlite",
      """
      CREATE TABLE g(a INTEGER, v AS (a * 2), s REAL AS (a + 1) STORED, b, w TEXT AS (b || 'x') VIRTUAL, c REAL);
      INSERT INTO g(a, b, c) VALUES (1, 2, 3), (4, 'x', 6);
      ALTER TABLE g ADD COLUMN z AS (c + 1); ALTER TABLE g ADD COLUMN d DEFAULT 5;
      CREATE TABLE gw(v AS (a || k), a, s AS (a * 2) STORED, k, PRIMARY KEY(k)) WITHOUT ROWID;
      INSERT INTO gw(a, k) VALUES (1, 2), (3, 1);
      """)
    try expectSQLitesRows(path)
    let state = try DatabaseState(try FilePages(try InputFile(path: path)))
    let table = try TableLayout(try #require(try state.schema().first), encoding: .utf8)
    #expect(table.virtualColumns == ["v", "w", "z"])
    #expect(table.columns.filter(\.isGenerated).map(\.name) == ["s"])
  }

  @Test func keysWithoutRowid() throws {
    let path = try folder.database(
      "keys.sqlite",
      """
      CREATE TABLE one(a, b TEXT COLLATE NOCASE, c REAL, d, PRIMARY KEY(c DESC, b)) WITHOUT ROWID;
      INSERT INTO one VALUES (1, 'x', 1, 2), (2, 'Y', 1, 3), (3, 'X', 2, 4);
      CREATE TABLE same(a, b, PRIMARY KEY(b, a, b)) WITHOUT ROWID; INSERT INTO same VALUES (1, 2), (0, 3);
      CREATE TABLE collated(c, a TEXT, PRIMARY KEY(a COLLATE NOCASE, a COLLATE BINARY)) WITHOUT ROWID;
      INSERT INTO collated VALUES (1, 'a'), (2, 'b');
      CREATE TABLE integer(v, id INTEGER PRIMARY KEY) WITHOUT ROWID; INSERT INTO integer VALUES ('v', 1);
      CREATE TABLE "select"("from" UNIQUE, "group" PRIMARY KEY, [a b] REAL, `c``d`) WITHOUT ROWID;
      INSERT INTO "select" VALUES (1, 2, 3, 4);
      """)
    try expectSQLitesRows(path)
  }

  @Test func wideTables() throws {
    let columns = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
    try expectSQLitesRows(
      try folder.database(
        "wide.sqlite", "CREATE TABLE t(\(columns)); INSERT INTO t(c0, c1999) VALUES (1, 2), (3, 4);"))
  }

  @Test func recordsWithMoreValuesThanColumns() throws {
    let path = try folder.database(
      "more.sqlite",
      """
      CREATE TABLE t(a, b, c, d); INSERT INTO t VALUES (1, 2, 3, 4), (5, 6, 7, printf('%.9000c', 'x'));
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a, b REAL)';
      """)
    try expectSQLitesRows(path)
  }

  @Test func whatSQLiteHereDoesNotKnowIsNoHindrance() throws {
    let entry = SchemaEntry(
      type: "table", name: "t", tableName: "t", rootPage: 2,
      sql: """
        CREATE TABLE t(k TEXT COLLATE icu_de PRIMARY KEY, r REAL CHECK (soundslike(r)), g AS (mystery(k))) WITHOUT ROWID
        """)
    let layout = try TableLayout(entry, encoding: .utf8)
    #expect(layout.columns.map(\.name) == ["k", "r"] && layout.virtualColumns == ["g"])
    #expect(
      layout.values([.text("a"), .integer(2)], rowid: 0) == [.text("a"), .real(2)])
  }

  @Test(arguments: [
    "CREATE TABLE t(", "CREATE TABLE other(a)", "CREATE TABLE t AS SELECT randomblob(1000000000)", "",
    "\u{0}",
    "DROP TABLE x", "CREATE VIEW t AS SELECT 1", "CREATE VIRTUAL TABLE t USING fts5(a)", "SELECT 1",
    "CREATE TABLE t(a CHECK (\(String(repeating: "(", count: 5000))1\(String(repeating: ")", count: 5000))))",
    "CREATE TABLE t(a, v AS (v))", "CREATE TABLE t(v AS (1))", "CREATE TABLE t(a); DROP TABLE t",
  ])
  func whatDeclaresNoTableHasAReason(sql: String) throws {
    let entry = SchemaEntry(type: "table", name: "t", tableName: "t", rootPage: 2, sql: sql)
    // Some of it is a table for SQLite: then it has columns.
    do {
      #expect(try !TableLayout(entry, encoding: .utf8).columns.isEmpty)
    } catch {
      #expect([.virtual, .noTable].contains(error) || "\(error)".contains("notDeclared"))
    }
  }

  @Test func virtualTablesAreNone() {
    let entry = SchemaEntry(
      type: "table", name: "t", tableName: "t", rootPage: 0, sql: "CREATE VIRTUAL TABLE t USING fts5(a)")
    #expect(throws: TableLayout.Unknown.virtual) { try TableLayout(entry, encoding: .utf8) }
  }
}
