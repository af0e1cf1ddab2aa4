import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportTestSupport

/// What a comparison of two databases tells of tables of all kinds, and of what was declared.
@Suite struct CompareTablesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: - Altered tables

  @Test func aRenamedTableIsOne() throws {
    let changes = try folder.changes(
      from: manyItems + "CREATE TABLE other(a);",
      by: "ALTER TABLE item RENAME TO article; UPDATE article SET price = 1 WHERE id = 7;")
    #expect(changes.tables.count == 1 && changes.unchanged == 1 && changes.problems == [])
    let table = try #require(changes.tables.first)
    #expect(table.name == "article" && table.formerName == "item" && table.fate == .kept)
    #expect(TrueChanges(table).description == "+0 -0 ~1")
  }

  @Test func aTableMadeInPlaceOfAnotherIsNotARenamedOne() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE a(x); INSERT INTO a VALUES (1);",
      by: "DROP TABLE a; CREATE TABLE b(y, z); INSERT INTO b VALUES (1, 2), (3, 4);")
    #expect(changes.tables.map(\.name) == ["b", "a"] && changes.tables.map(\.fate) == [.created, .dropped])
    #expect(changes.tables.map { TrueChanges($0).description } == ["+2 -0 ~0", "+0 -1 ~0"])
  }

  @Test func columnsAreAddedDroppedAndRenamed() throws {
    let changes = try folder.changes(
      from: manyItems,
      by: """
        ALTER TABLE item RENAME COLUMN name TO title; UPDATE item SET title = 'new' WHERE id = 5;
        CREATE TABLE wide(a, b, c DEFAULT 5, d); INSERT INTO wide VALUES (1, 2, 3, 4);
        """)
    let item = try #require(changes.tables.first)
    #expect(item.fate == .redefined && item.columnChanges.renamed == [.init(from: "name", to: "title")])
    #expect(TrueChanges(item).description == "+0 -0 ~1")
    #expect(item.rows.first?.before == [nil, .text("item 5"), nil])

    let dropped = try folder.changes(
      from: manyItems, by: "ALTER TABLE item DROP COLUMN name; UPDATE item SET price = 0 WHERE id = 9;")
    #expect(dropped.tables.first?.columnChanges.dropped == ["name"])
    #expect(TrueChanges(dropped.tables.first).description == "+0 -0 ~1")

    let added = try folder.changes(
      from: manyItems,
      by: """
        ALTER TABLE item ADD COLUMN stock INTEGER DEFAULT 3; UPDATE item SET stock = 4 WHERE id = 2;
        UPDATE item SET name = 'x' WHERE id = 3;
        """)
    #expect(added.tables.first?.columnChanges.added == ["stock"])
    #expect(TrueChanges(added.tables.first).description == "+0 -0 ~1")
    #expect(added.tables.first?.columns == ["id", "name", "price", "stock"])
  }

  @Test func columnsThatChangedPlacesAreComparedByName() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 1), (1, 2);",
      by: "DROP TABLE t; CREATE TABLE t(b, a); INSERT INTO t VALUES (1, 1), (1, 2);")
    #expect(TrueChanges(changes.tables.first).description == "+0 -0 ~1")
  }

  @Test func aTypeThatMakesOtherValuesOfTheSameBytesIsSeen() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE t(a INT); INSERT INTO t VALUES (1), (2);",
      by: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a REAL)' WHERE name = 't';
        """)
    #expect(TrueChanges(changes.tables.first).description == "+0 -0 ~2")
  }

  @Test func aTableThatLosesItsRowidsIsComparedByItsKey() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('b', 1), ('a', 2), ('c', 3);",
      by: """
        DROP TABLE t; CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO t VALUES ('a', 2), ('b', 7), ('d', 3);
        """)
    let table = try #require(changes.tables.first)
    #expect(table.fate == .redefined && TrueChanges(table).description == "+1 -1 ~1")
    #expect(table.rows.map(\.operation) == [.update, .insert, .delete])
  }

  @Test func anotherKeyIsSaid() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE t(a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES (1, 2);",
      by: "DROP TABLE t; CREATE TABLE t(a, b PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1, 2);")
    #expect(changes.tables.first?.problem == "Its rows are not compared: its primary key is another one now.")
    #expect(changes.tables.first?.added == nil)
  }

  // MARK: - What else is declared

  @Test func indexesViewsAndTriggersAreTold() throws {
    let changes = try folder.changes(
      from: manyItems
        + "CREATE INDEX a ON item(name); CREATE INDEX b ON item(price); CREATE VIEW v AS SELECT 1;",
      by: """
        DROP INDEX b; DROP INDEX a; CREATE INDEX a ON item(name, price); CREATE VIEW w AS SELECT 2;
        CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT 1; END; DROP VIEW v;
        """)
    #expect(changes.tables == [] && changes.unchanged == 1)
    #expect(
      changes.schema.map { "\($0.type) \($0.name) \($0.fate.rawValue)" } == [
        "index a redefined", "view w created", "trigger t created", "index b dropped", "view v dropped",
      ])
    #expect(changes.schema.first?.before == "CREATE INDEX a ON item(name)")
    #expect(changes.schema.first?.after == "CREATE INDEX a ON item(name, price)")
  }

  @Test func whatSQLiteKeepsForItselfIsHousekeeping() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t(v) VALUES (1);",
      by: "INSERT INTO t(v) VALUES (2); CREATE INDEX i ON t(v); ANALYZE;")
    #expect(changes.tables.map(\.name) == ["t"])
    #expect(Set(changes.housekeeping).isSuperset(of: ["sqlite_sequence", "sqlite_stat1"]))
  }

  // MARK: - Virtual tables

  @Test(arguments: ["fts5", "fts4", "fts3"])
  func fullTextSearchIsOneTable(module: String) throws {
    let changes = try folder.changes(
      from: """
        CREATE VIRTUAL TABLE note USING \(module)(title, body); CREATE TABLE t(a);
        INSERT INTO note VALUES ('one', 'first'), ('two', 'second'), ('three', 'third');
        """,
      by: """
        INSERT INTO note VALUES ('four', 'fourth'); UPDATE note SET body = 'changed' WHERE title = 'two';
        DELETE FROM note WHERE title = 'one';
        """)
    #expect(changes.tables.count == 1 && changes.unchanged == 1)
    let table = try #require(changes.tables.first)
    #expect(table.name == "note" && table.isVirtual && table.fate == .kept && table.problem == nil)
    #expect(table.columns == ["rowid", "title", "body"])
    #expect(TrueChanges(table).description == "+1 -1 ~1")
    let row = try #require(table.rows.first { $0.operation == .update })
    #expect(row.before == [nil, nil, .text("second")])
  }

  @Test func aSearchIndexWithoutTextsSaysSo() throws {
    let changes = try folder.changes(
      from:
        "CREATE VIRTUAL TABLE note USING fts5(body, content=''); INSERT INTO note(rowid, body) VALUES (1, 'a');",
      by: "INSERT INTO note(rowid, body) VALUES (2, 'b');")
    let table = try #require(changes.tables.first)
    #expect(
      table.name == "note" && table.added == nil && table.problem?.contains("no texts of its own") == true)
    #expect(
      try folder.changes(from: "CREATE VIRTUAL TABLE n USING fts5(b, content='');", by: "")
        == DatabaseChanges(unchanged: 1))
  }

  @Test func aSearchIndexThatIsMadeAnewHasTheSameRows() throws {
    let changes = try folder.changes(
      from: """
        CREATE VIRTUAL TABLE n USING fts5(b); INSERT INTO n VALUES ('a b'), ('c'); INSERT INTO n VALUES ('d');
        """, by: "INSERT INTO n(n) VALUES ('rebuild'); INSERT INTO n(n) VALUES ('optimize');")
    #expect(changes.tables == [] && changes.problems == [] && !changes.housekeeping.isEmpty)
  }

  @Test func boxesAreComparedAsTheirModuleReadsThem() throws {
    let changes = try folder.changes(
      from:
        "CREATE VIRTUAL TABLE box USING rtree(id, x0, x1); INSERT INTO box VALUES (1, 0, 1), (2, 2, 3), (3, 4, 5);",
      by:
        "UPDATE box SET x1 = 9 WHERE id = 2; DELETE FROM box WHERE id = 1; INSERT INTO box VALUES (7, 1, 1);")
    let table = try #require(changes.tables.first)
    #expect(changes.tables.count == 1 && table.name == "box" && table.isVirtual)
    #expect(table.columns == ["id", "x0", "x1"] && TrueChanges(table).description == "+1 -1 ~1")
  }

  @Test(arguments: ["fts5(x)", "fts4(x)", "rtree(id, a, b)"])
  func renamedVirtualTablesAreOne(module: String) throws {
    let changes = try folder.changes(
      from: "CREATE VIRTUAL TABLE a USING \(module); INSERT INTO a(rowid) VALUES (1), (2);",
      by: "ALTER TABLE a RENAME TO \"new one\"; DELETE FROM \"new one\" WHERE rowid = 2;")
    let table = try #require(changes.tables.first)
    #expect(changes.tables.count == 1 && table.name == "new one" && table.formerName == "a")
    #expect(table.fate == .kept && TrueChanges(table).description == "+0 -1 ~0")
  }

  @Test func virtualTablesComeAndGo() throws {
    let changes = try folder.changes(
      from: "CREATE VIRTUAL TABLE a USING fts5(x); INSERT INTO a VALUES ('1');",
      by: "DROP TABLE a; CREATE VIRTUAL TABLE b USING fts5(y); INSERT INTO b VALUES ('2'), ('3');")
    #expect(changes.tables.map(\.name) == ["b", "a"] && changes.tables.map(\.fate) == [.created, .dropped])
    #expect(changes.tables.map { TrueChanges($0).description } == ["+2 -0 ~0", "+0 -1 ~0"])
  }
}
