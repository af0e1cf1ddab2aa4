import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// Which rows a comparison of two databases takes for the same, and what it says where it cannot tell.
@Suite struct CompareRowsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["VACUUM", "PRAGMA page_size = 1024; VACUUM", "PRAGMA auto_vacuum = FULL; VACUUM"])
  func theSameRowsOnOtherPagesAreTheSame(sql: String) throws {
    let changes = try folder.changes(
      from: manyItems + """
        CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w SELECT name, zeroblob(id) FROM item;
        CREATE TABLE k(k TEXT PRIMARY KEY, v); INSERT INTO k SELECT name, id FROM item;
        DELETE FROM item WHERE id % 7 = 0; DELETE FROM k WHERE v % 5 = 0; CREATE INDEX i ON k(v);
        """, by: sql)
    #expect(changes == DatabaseChanges(unchanged: 3))
  }

  @Test func rowsThatVacuumNumberedAnewAreTheSame() throws {
    let plain = """
      CREATE TABLE plain(v); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO plain SELECT i / 3 FROM n; DELETE FROM plain WHERE rowid % 5 = 0;
      """
    #expect(try folder.changes(from: plain, by: "VACUUM") == DatabaseChanges(unchanged: 1))
    let written = try folder.changes(
      from: plain, by: "DELETE FROM plain WHERE rowid = 1; INSERT INTO plain VALUES (0);")
    #expect(written.tables.map { TrueChanges($0).description } == ["+1 -1 ~0"])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func theSameTextsInAnotherEncodingAreTheSame(encoding: String) throws {
    let sql =
      manyItems + """
        CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('ä', '€'), ('b', printf('%.9000c', 'x'));
        ALTER TABLE w ADD COLUMN d DEFAULT 'ö';
        """
    let one = try folder.database("one.sqlite", sql)
    let other = try folder.database("other.sqlite", "PRAGMA encoding = '\(encoding)';" + sql)
    #expect(compareDatabases(other, since: one, rows: true) == DatabaseChanges(unchanged: 2))
    try folder.database(
      "other.sqlite", "UPDATE w SET v = printf('%.8999cy', 'x') WHERE k = 'b'; DELETE FROM item WHERE id = 3")
    let changes = compareDatabases(other, since: one, rows: true)
    #expect(changes.tables.map { TrueChanges($0).description } == ["+0 -1 ~0", "+0 -0 ~1"])
  }

  @Test func manyRowsWrittenAgainUnderTheirKeysAreComparedByThem() throws {
    let changes = try folder.changes(
      from: """
        CREATE TABLE k(k TEXT PRIMARY KEY, v);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO k SELECT 'key ' || i, i FROM n;
        """,
      by: "INSERT OR REPLACE INTO k SELECT k, v + (v % 10 = 0) FROM k; DELETE FROM k WHERE k = 'key 3';")
    let table = try #require(changes.tables.first)
    #expect(TrueChanges(table).description == "+0 -1 ~1000")
    #expect(
      table.rows.count == 50 && table.rows.allSatisfy { $0.operation == .update && $0.before[0] == nil })
    #expect(table.rows.first?.cells == [.text("key 10"), .integer(11)])
    #expect(table.rows.first?.before == [nil, .integer(10)])
  }

  @Test func aDamagedPageIsSaidAndTheOtherTablesAreTold() throws {
    let path = try folder.database(
      "a.sqlite", manyItems + "CREATE TABLE other(a); INSERT INTO other VALUES (1);")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try folder.database("b.sqlite", manyItems + "CREATE TABLE other(a); INSERT INTO other VALUES (2);")
    let root = try TestConnection(path).integer("SELECT rootpage FROM sqlite_schema WHERE name = 'item'") ?? 0
    for index in (root - 1) * 4096..<root * 4096 { bytes[index] = 0xab }
    let damaged = try folder.write(bytes, to: "damaged.sqlite")
    for (old, new) in [(path, damaged), (damaged, folder("b.sqlite"))] {
      let changes = compareDatabases(new, since: old, rows: true)
      let item = try #require(changes.tables.first { $0.name == "item" })
      #expect(item.problem?.contains("page \(root) is of another kind") == true && item.changed == nil)
      guard new != damaged else { continue }
      #expect(changes.tables.first { $0.name == "other" }?.changed == 1)
    }
  }

  @Test func whatTheTimeDidNotSufficeForIsSaid() throws {
    var limits = InspectionLimits()
    limits.totalTime = 0
    let path = try folder.database("a.sqlite", manyItems)
    let changes = compareDatabases(path, since: path, rows: true, limits: limits)
    #expect(!changes.isSame && changes.problems.count == 1)
  }

  @Test func withoutValuesOnlyCountsAreTold() throws {
    let changes = try folder.changes(
      from: """
        CREATE VIRTUAL TABLE box USING rtree(id, x0, x1); CREATE TABLE k(k TEXT PRIMARY KEY, v);
        CREATE VIRTUAL TABLE note USING fts5(a); INSERT INTO k VALUES ('secret', 1);
        """,
      by: """
        INSERT INTO box VALUES (1, 2, 3); INSERT INTO note VALUES ('secret'); INSERT INTO k VALUES ('secret 2', 2);
        INSERT OR REPLACE INTO k VALUES ('secret', 2);
        """, rows: false)
    #expect(changes.tables.map { TrueChanges($0).description } == ["+1 -0 ~0", "+1 -0 ~1", "+1 -0 ~0"])
    #expect(changes.tables.allSatisfy { $0.rows.isEmpty } && !"\(changes)".contains("secret"))
  }

  @Test func thePageTellsOfColumnsNamesAndIndexes() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE a(x, y); CREATE TABLE b(x);",
      by: """
        ALTER TABLE a RENAME COLUMN y TO "<y>"; ALTER TABLE b RENAME TO c; CREATE INDEX "<i>" ON c(x);
        ALTER TABLE a ADD COLUMN z;
        """)
    let html = try TemplateLibrary().text(changesValues(changes, baseline: nil), with: "changes")
    #expect(html.contains("renamed from b") && html.contains("The index &lt;i&gt; was created."))
    #expect(html.contains("y renamed to &lt;y&gt;; z added") && !html.contains("<y>"))
    #expect(StoryStates(.baseline, name: "a", path: "a", changes).sentence.contains("b renamed to c"))
  }

  @Test func keysWithNullAreToldApart() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE k(k TEXT PRIMARY KEY, v); INSERT INTO k VALUES (NULL, 1), (NULL, 2), (NULL, 3);",
      by: "UPDATE k SET v = 5 WHERE v = 2; DELETE FROM k WHERE v = 3;")
    #expect(TrueChanges(changes.tables.first).description == "+0 -1 ~1")
  }

  @Test func textsThatOnlyLookTheSameDiffer() throws {
    let changes = try folder.changes(
      from: "CREATE TABLE t(v); INSERT INTO t VALUES (CAST(x'ff' AS TEXT)), ('\u{e9}');",
      by: "UPDATE t SET v = CAST(x'fe' AS TEXT) WHERE rowid = 1; UPDATE t SET v = 'e\u{301}' WHERE rowid = 2;"
    )
    #expect(TrueChanges(changes.tables.first).description == "+0 -0 ~2")
  }

  /// Once all rows were told, those that are shown are read again; the time may be over by then.
  @Test func aRowThatCannotBeReadAgainIsSaid() throws {
    let sql = "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('a', zeroblob(20000000));"
    // More than the pages that are kept, so that the first ones are read anew.
    let (before, after) = (
      try LateFile(folder.database("a.sqlite", sql)),
      try LateFile(
        folder.database("b.sqlite", sql + "INSERT OR REPLACE INTO t VALUES ('a', zeroblob(20000001));"))
    )
    let (old, new) = (try DatabaseState(FilePages(before)), try DatabaseState(FilePages(after)))
    let pair = TablePair(old: try old.schema().first, new: try new.schema().first)
    let table = try ComparedTable(
      pair, encodings: (.utf8, .utf8), showsRows: true, limits: InspectionLimits())
    let tell: ((RowChange) throws -> Void) throws -> Void = { body in
      try old.forEachRow(of: pair.old?.rootPage ?? 0) { row in
        try body(.removed(row))
        return true
      }
      try new.forEachRow(of: pair.new?.rootPage ?? 0) { row in
        try body(.added(row))
        return true
      }
    }
    try tell { try table.take($0) }
    table.finish()
    #expect(table.needsSecondReading)
    try tell { try table.take($0) }
    (before.isLate, after.isLate) = (true, true)
    #expect(throws: Overdue.self) { try table.finishAgain() }
    #expect(TrueChanges(table.result()).description == "+0 -0 ~1" && table.result().rows.isEmpty)
  }

  private final class LateFile: ReadableFile {
    private let file: InputFile
    var isLate = false

    init(_ path: String) throws { file = try InputFile(path: path) }

    func size() throws -> Int { try file.size() }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
      if isLate { throw Overdue() }
      try file.fill(buffer, at: offset)
    }
  }
}
