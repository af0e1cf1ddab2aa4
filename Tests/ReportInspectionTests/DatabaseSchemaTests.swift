import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection

/// What SQLite says of tables, as everything that reads a database takes it.
@Suite struct DatabaseSchemaTests {
  private func schema(_ sql: String) throws -> DatabaseSchema {
    let folder = try TemporaryFolder()
    return inspectDatabase(at: try folder.database("a.sqlite", sql), rows: false).schema
  }

  @Test(arguments: [
    ("id INTEGER PRIMARY KEY", true, "rowid"), ("id INTEGER, PRIMARY KEY (id DESC)", true, "rowid"),
    ("id INTEGER PRIMARY KEY DESC", false, "rowid"), ("id INT PRIMARY KEY", false, "rowid"),
    ("rowid, _ROWID_, id", false, "oid"), ("rowid, _rowid_, oid", false, nil),
    ("rowid, _rowid_, oid, id INTEGER PRIMARY KEY", true, "\"id\""),
    ("rowid, _rowid_, oid, id INTEGER PRIMARY KEY DESC", false, nil),
  ]) func theRowidIsKnown(columns: String, isKey: Bool, name: String?) throws {
    let table = try schema("CREATE TABLE t (\(columns));").read("t")
    #expect(table.isKeyRowid == isKey && table.rowid == name && table.hasRowid && table.kind == .ordinary)
  }

  @Test func columnsKeysAndIndexesAreRead() throws {
    let schema = try schema(
      """
      CREATE TABLE stock(shelf, article TEXT, both AS (shelf || article), PRIMARY KEY (article, shelf)) WITHOUT ROWID;
      CREATE TABLE line(id INTEGER PRIMARY KEY, a TEXT, s, r REFERENCES gone, FOREIGN KEY (a, s) REFERENCES STOCK);
      CREATE UNIQUE INDEX i ON line(s, a) WHERE s > 1; CREATE INDEX j ON line(upper(a));
      CREATE VIRTUAL TABLE note USING fts5(title); CREATE VIEW v AS SELECT 1;
      CREATE TRIGGER log AFTER UPDATE ON line BEGIN DELETE FROM stock; END;
      """)
    let (stock, line) = (try schema.read("stock"), try schema.read("line"))
    #expect(stock.columns.map(\.name) == ["shelf", "article", "both"] && stock.stored.count == 2)
    #expect(stock.keyNames == ["article", "shelf"] && !stock.hasRowid && stock.rowid == nil)
    #expect(line.foreignKeys.map(\.parents) == [["article", "shelf"], []])
    #expect(line.foreignKeys.map(\.isMatched) == [true, false])
    #expect(line.columns.map(\.refers) == [false, true, true, true])
    #expect(line.indexes.map(\.name) == ["i", "j"] && line.indexes.map(\.columns) == [[2, 1], [-2]])
    #expect(line.indexes[0].isUnique && line.indexes[0].isPartial)
    #expect(schema.tables["note"]?.columns.map(\.name) == ["title"])
    #expect(schema.tables["note_data"]?.kind == .shadow && schema.tables["v"] == nil)
    #expect(schema["Line"] == line && schema.triggers.map(\.name) == ["log"])
  }

  @Test func aTableThatCannotBeReadKeepsNoOtherFromIt() throws {
    let schema = try schema(
      """
      CREATE TABLE a (x); PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'm', 'm', 0, 'CREATE VIRTUAL TABLE m USING missing(x)');
      PRAGMA writable_schema = RESET; CREATE TABLE z (y);
      """)
    #expect(throws: SQLiteError.self) { try schema.read("m") }
    #expect(schema.tables["m"]?.isVirtual == true && schema.failure == nil)
    #expect(try schema.read("a").columns.map(\.name) == ["x"])
    #expect(try schema.read("z").columns.map(\.name) == ["y"])
  }

  @Test func noMoreThanTheLimitIsRead() throws {
    let folder = try TemporaryFolder()
    let tables = (0..<9).map {
      "CREATE TABLE t\($0) (a); CREATE TRIGGER g\($0) AFTER INSERT ON t\($0) BEGIN SELECT 1; END;"
    }
    var limits = InspectionLimits()
    limits.schemaObjects = 3
    let schema = inspectDatabase(
      at: try folder.database("a.sqlite", tables.joined()), rows: false, limits: limits
    ).schema
    #expect(Set(schema.tables.keys) == ["t0", "t1", "sqlite_schema"] && schema.triggers.count == 4)
    #expect(schema.tables["t0"]?.columns.count == 1)
  }
  @Test func triggersThatCannotBeReadToTheEndAreNamed() throws {
    let folder = try TemporaryFolder()
    let triggers = (0..<450).map { "CREATE TRIGGER g\($0) AFTER INSERT ON t BEGIN SELECT 1; END;" }
    let path = try folder.database("a.sqlite", "CREATE TABLE t (a);" + triggers.joined())
    var limits = InspectionLimits()
    limits.tableSteps = 2000
    let inspection = inspectDatabase(at: path, rows: false, limits: limits)
    #expect(inspection.schema.triggers.count < 450)
    let found = examineDatabase(at: path, inspection, rows: false)
    #expect(found.unexamined.contains { $0.hasPrefix("The triggers were not looked at: ") })
  }
}
