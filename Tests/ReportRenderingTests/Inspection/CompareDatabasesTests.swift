import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportRendering

/// What a test changed, told from the captured database and the state it started from.
@Suite struct CompareDatabasesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let games = """
    CREATE TABLE game(id TEXT PRIMARY KEY, name TEXT, points INTEGER);
    INSERT INTO game VALUES ('a', 'Go', 1), ('b', 'Skat', 2), ('c', 'Chess', 3);
    CREATE TABLE player(name TEXT);
    INSERT INTO player VALUES ('Ada'), ('Grace');
    """

  private func changes(
    from before: String, by sql: String, rows: Bool = true, limits: InspectionLimits = InspectionLimits()
  ) throws -> DatabaseChanges {
    let baseline = try folder.database("before.sqlite", before)
    let now = try folder.database("now.sqlite", before + sql)
    return compareDatabases(now, since: baseline, rows: rows, limits: limits)
  }

  @Test func rowsAreAddedChangedAndRemoved() throws {
    let changes = try changes(
      from: Self.games,
      by: """
        INSERT INTO game VALUES ('d', 'Dixit', 4);
        UPDATE game SET points = 20 WHERE id = 'b';
        DELETE FROM game WHERE id = 'a';
        """)
    #expect(changes.unchanged == 1 && changes.problems == [])
    let table = try #require(changes.tables.first)
    #expect(changes.tables.count == 1 && table.name == "game" && table.fate == .kept)
    #expect([table.added, table.changed, table.removed] == [1, 1, 1])
    #expect(table.columns == ["id", "name", "points"])
    let skat = DatabaseChanges.Row(
      operation: .update, cells: [.text("b"), .text("Skat"), .integer(20)],
      before: [nil, nil, .integer(2)])
    #expect(table.rows.contains(skat))
    #expect(Set(table.rows.map(\.operation)) == [.insert, .update, .delete])
    #expect(table.rows.last?.operation == .delete)
  }

  @Test func aDatabaseThatWasNotTouchedHasNoChanges() throws {
    #expect(try changes(from: Self.games, by: "") == DatabaseChanges(unchanged: 2))
  }

  @Test func aRowThatIsWrittenAgainUnderItsKeyIsTheSame() throws {
    let changes = try changes(from: Self.games, by: "INSERT OR REPLACE INTO game VALUES ('a', 'Go', 1);")
    #expect(changes == DatabaseChanges(unchanged: 2))
  }

  @Test func withoutADeclaredKeyTheRowidTellsRowsApart() throws {
    let changes = try changes(from: Self.games, by: "UPDATE player SET name = 'Edith' WHERE name = 'Ada';")
    let table = try #require(changes.tables.first)
    #expect([table.added, table.changed, table.removed] == [0, 1, 0])
    #expect(table.rows.first?.before == [.text("Ada")])
  }

  @Test func keysOfSeveralColumnsWithoutRowid() throws {
    let changes = try changes(
      from: """
        CREATE TABLE place(shelf INTEGER, article TEXT, stock, PRIMARY KEY(article, shelf)) WITHOUT ROWID;
        INSERT INTO place VALUES (1, 'x', 5), (2, 'x', 6), (1, 'y', 7);
        """, by: "UPDATE place SET stock = 0 WHERE shelf = 2; INSERT INTO place VALUES (2, 'y', 8);")
    let table = try #require(changes.tables.first)
    #expect([table.added, table.changed, table.removed] == [1, 1, 0])
  }

  @Test func aColumnCalledRowidIsNoRowid() throws {
    let changes = try changes(
      from: "CREATE TABLE t(rowid TEXT, v); INSERT INTO t VALUES ('same', 1), ('same', 2);",
      by: "UPDATE t SET v = 3 WHERE v = 2;")
    let table = try #require(changes.tables.first)
    #expect([table.added, table.changed, table.removed] == [0, 1, 0])
  }

  @Test func typesAndBytesBeyondWhatIsShownCount() throws {
    let long = String(repeating: "x", count: 5000)
    let changes = try changes(
      from:
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, '\(long)a'), (2, 1), (3, x'00');",
      by: "UPDATE t SET v = '\(long)b' WHERE id = 1; UPDATE t SET v = '1' WHERE id = 2;")
    #expect(changes.tables.first?.changed == 2)
  }

  @Test func whatDiffersBehindWhatIsShownOfAValueIsMarked() throws {
    let long = String(repeating: "x", count: 5000)
    let changes = try changes(
      from:
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v, b); INSERT INTO t VALUES (1, '\(long)a', zeroblob(100));",
      by: "UPDATE t SET v = '\(long)b', b = CAST(zeroblob(99) || x'01' AS BLOB);")
    let table = try #require(changes.tables.first)
    #expect(table.rows.first?.before.map { $0 == nil } == [true, false, false])
    let html = try TemplateLibrary().text(changesValues(changes, baseline: nil), with: "changes")
    #expect(html.contains("differs behind what is shown of 5,001 bytes"))
    #expect(html.contains("differs behind what is shown of 100 bytes"))
  }

  @Test func aColumnThatChangedIsShownHoweverManyThereAre() throws {
    let columns = (0..<201).map { "c\($0)" }.joined(separator: ", ")
    let changes = try changes(
      from: "CREATE TABLE t(\(columns)); INSERT INTO t (c0) VALUES (1), (2);",
      by: "UPDATE t SET c150 = 'late' WHERE c0 = 1; UPDATE t SET c200 = 'last' WHERE c0 = 2;")
    let table = try #require(changes.tables.first)
    #expect(table.columns.count == 100 && table.omittedColumns == 101 && table.omittedChanges == 0)
    #expect(table.columns.prefix(2) == ["c0", "c1"] && table.columns.suffix(2) == ["c150", "c200"])
    #expect(table.rows.map { $0.cells.count } == [100, 100])
    #expect(table.rows.first?.before[98] == .some(.null))
    let html = try TemplateLibrary().text(changesValues(changes, baseline: nil), with: "changes")
    #expect(html.contains("<bdi>NULL</bdi></del> <ins><bdi>late</bdi></ins>"))
    #expect(html.contains("100 of 201 columns: those that changed, and the first of the others."))
  }

  @Test func changedColumnsThatHaveNoRoomAreCounted() throws {
    let columns = (0..<201).map { "c\($0)" }
    let changes = try changes(
      from: "CREATE TABLE t(\(columns.joined(separator: ", "))); INSERT INTO t (c0) VALUES (1);",
      by: "UPDATE t SET \(columns.map { "\($0) = 2" }.joined(separator: ", "));")
    #expect(changes.tables.first?.omittedChanges == 101)
    let html = try TemplateLibrary().text(changesValues(changes, baseline: nil), with: "changes")
    #expect(html.contains("101 more columns changed."))
  }

  @Test func tablesThatAreNotComparedAreSaid() throws {
    var limits = InspectionLimits()
    limits.schemaObjects = 2
    let tables = (0..<3).map { "CREATE TABLE t\($0)(v);" }.joined()
    let changes = try changes(from: tables, by: "INSERT INTO t2 VALUES (1);", limits: limits)
    #expect(changes.problems == ["Only the first 2 tables are compared."])
  }

  @Test func tablesComeAndGo() throws {
    let changes = try changes(
      from: Self.games,
      by: """
        DROP TABLE player; CREATE TABLE team(name); INSERT INTO team VALUES ('Otters');
        ALTER TABLE game ADD COLUMN rules TEXT;
        """)
    #expect(changes.tables.map(\.name) == ["game", "team", "player"])
    #expect(changes.tables.map(\.fate) == [.redefined, .created, .dropped])
    #expect(changes.tables.map(\.added) == [0, 1, 0])
    #expect(changes.tables.map(\.removed) == [0, 0, 2])
    #expect(changes.tables[0].columnChanges.added == ["rules"] && changes.tables[0].problem == nil)
  }

  @Test func withoutRowsOnlyCountsAreTold() throws {
    let changes = try changes(from: Self.games, by: "DELETE FROM game;", rows: false)
    #expect(changes.tables.first?.removed == 3)
    #expect(changes.tables.first?.rows == [])
  }

  @Test func manyChangesAreCountedAndTheFirstShown() throws {
    let changes = try changes(
      from: "CREATE TABLE n(v INTEGER PRIMARY KEY);",
      by:
        "WITH RECURSIVE c(v) AS (VALUES(1) UNION ALL SELECT v + 1 FROM c LIMIT 5000) INSERT INTO n SELECT v FROM c;"
    )
    #expect(changes.tables.first?.added == 5000)
    #expect(changes.tables.first?.rows.count == 50)
  }

  @Test func whatIsNoDatabaseIsSaid() throws {
    let baseline = folder.url.appendingPathComponent("before.sqlite")
    try Data("not a database, but long enough to be looked at".utf8).write(to: baseline)
    let now = try folder.database("now.sqlite", Self.games)
    let changes = compareDatabases(now, since: baseline.path, rows: true)
    #expect(changes.tables == [] && changes.problems.count == 1)
  }

  @Test func thePageShowsWhatTheTestChanged() throws {
    let changes = try changes(
      from: Self.games, by: "UPDATE game SET points = 20, name = '<b>' WHERE id = 'b'; DELETE FROM player;")
    let library = try TemplateLibrary()
    let html = try library.text(changesValues(changes, baseline: "before.sqlite"), with: "changes")
    #expect(html.contains("Changed by the test"))
    #expect(html.contains("1 row changed") && html.contains("2 rows removed"))
    #expect(html.contains("<del><bdi>2</bdi></del> <ins><bdi>20</bdi></ins>"))
    #expect(html.contains("href=\"before.sqlite\""))
    #expect(!html.contains("<b>") && html.contains("&lt;b&gt;"))
  }
}
