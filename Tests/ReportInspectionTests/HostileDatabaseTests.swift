import ExhibitSQLite
import Foundation
import Testing

@testable import ReportInspection

@Suite struct HostileDatabaseTests {
  @Test(arguments: [
    Array(
      "this is no database, but it is long enough for the header of one, which has a hundred bytes......."
        .utf8)
      + Array(repeating: 0x78, count: 4000),
    Array("SQLite format 3\0".utf8), (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) },
  ])
  func whatIsNoDatabaseIsSaid(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let database = inspectDatabase(at: try folder.write(bytes, to: "a.sqlite"), rows: true)
    #expect(database.check != "ok")
    #expect(database.tables.isEmpty && database.problems.count == 1)
  }

  @Test func aFileThatIsNotThereIsSaid() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("missing.sqlite").path
    #expect(
      inspectDatabase(at: path, rows: true).problems == [
        "SQLite cannot read the file: unable to open database file."
      ])
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func damagedPagesLoseOnlyTheirRows() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE good (a); INSERT INTO good VALUES (1), (2);
      CREATE TABLE bad (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO bad SELECT printf('row %d of many', i) FROM n;
      """)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 4096 * 3..<4096 * 6 { bytes[index] = 0xAB }
    let database = inspectDatabase(at: try folder.write(bytes, to: "b.sqlite"), rows: true)
    #expect(database.check != "ok")
    #expect(database.tables.map(\.name) == ["good", "bad"])
    #expect(database.tables[0].rows == [[.integer(1)], [.integer(2)]])
    #expect(database.tables[1].problem?.contains("malformed") == true)
  }

  @Test func aTruncatedDatabaseIsReadAsFarAsItGoes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000)); CREATE TABLE u (b);")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4096 * 3))
    let database = inspectDatabase(at: try folder.write(bytes, to: "b.sqlite"), rows: true)
    #expect(database.check != "ok")
    #expect(database.tables.contains { $0.name == "t" } || !database.problems.isEmpty)
  }

  @Test func aTableOfAnUnknownModuleIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a); PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'm', 'm', 0, 'CREATE VIRTUAL TABLE m USING nowhere(x)');
      """)
    let database = inspectDatabase(at: path, rows: true)
    #expect(database.tables.first { $0.name == "m" }?.problem?.contains("no such module: nowhere") == true)
    #expect(database.tables.first { $0.name == "t" }?.problem == nil)
  }

  @Test func aColumnThatNeedsTheAppIsLeftOut() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a, b AS (upper(a))); INSERT INTO t VALUES ('x'); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, b AS (nowhere(a)))';
      """)
    let table = try #require(inspectDatabase(at: path, rows: true).tables.first)
    #expect(table.rowCount == 1 && table.problem == nil)
    #expect(table.columns == ["a"])
  }

  @Test func workWithoutEndIsInterrupted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO t SELECT i FROM n;
      """)
    var limits = InspectionLimits()
    limits.checkSteps = 0
    let database = inspectDatabase(at: path, rows: true, limits: limits)
    #expect(database.check == "not finished within the limit of steps")
    #expect(database.tables[0].rowCount == 200_000)
    limits.totalTime = 0
    let nothing = inspectDatabase(at: path, rows: true, limits: limits)
    #expect(nothing.check != "ok" && nothing.isCutByTime && !database.isCutByTime)
  }

  /// Where each step works on a value of megabytes, SQLite asks for the time too seldom.
  @Test func manyGeneratedColumnsEndInTime() throws {
    let folder = try TemporaryFolder()
    let tables = (0..<60).map { "CREATE TABLE t\($0) (a); INSERT INTO t\($0) VALUES (1);" }
    let columns = (1..<140).map { "c\($0) AS (substr(c0 || c0, 1, \(10 + $0)))" }
    let updates = (0..<60).map { table in
      """
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t\(table) (a, c0 AS (hex(zeroblob(8000000))), \
      \(columns.joined(separator: ", ")))' WHERE name = 't\(table)';
      """
    }
    let path = try folder.database(
      "a.sqlite", (tables + ["PRAGMA writable_schema = ON;"] + updates).joined(separator: "\n"))
    var limits = InspectionLimits()
    limits.totalTime = 1
    var database: DatabaseInspection?
    let time = ProcessorTime.of { database = inspectDatabase(at: path, rows: true, limits: limits) }
    #expect(database?.isCutByTime == true)
    #expect(time < .seconds(60), "\(time)")
  }

  @Test func stepsAreCountedAndGiveTheSameEveryTime() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO t SELECT i FROM n;
      CREATE TABLE u (a, b AS (a + 1)); INSERT INTO u SELECT a FROM t;
      """)
    var limits = InspectionLimits()
    (limits.checkSteps, limits.tableSteps) = (300_000, 200)
    limits.rows = 90
    let first = inspectDatabase(at: path, rows: true, limits: limits)
    #expect(first.check == "not finished within the limit of steps")
    #expect(first.tables.contains { $0.problem == "More rows could not be read within the limit of steps." })
    #expect(!first.isCutByTime)
    for _ in 0..<3 { #expect(inspectDatabase(at: path, rows: true, limits: limits) == first) }
  }

  @Test func viewsAndTriggersAreNotRun() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
      CREATE TABLE t (a);
      """)
    let time = ProcessorTime.of {
      #expect(inspectDatabase(at: path, rows: true).otherSchema.map(\.name) == ["endless"])
    }
    #expect(time < .seconds(60))
  }

  @Test func aValueTooLongToLoadIsSaid() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1), (zeroblob(3000000)), (3);")
    var limits = InspectionLimits()
    limits.valueBytes = 1_000_000
    let table = try #require(inspectDatabase(at: path, rows: true, limits: limits).tables.first)
    #expect(table.rows == [[.integer(1)]])
    #expect(table.problem?.contains("too big") == true)
  }

  @Test func damageAnywhereEndsInAnAnswerInTime() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      PRAGMA page_size = 512; CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID; CREATE TABLE u (a, b AS (a || 'x'));
      CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIRTUAL TABLE r USING rtree(id, a, b);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT i, 'v' || i FROM n;
      INSERT INTO u SELECT b FROM t; INSERT INTO f SELECT b FROM t; INSERT INTO r SELECT a, a, a FROM t;
      """)
    let sound = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var limits = InspectionLimits()
    limits.totalTime = 2
    var state: UInt64 = 1
    var damaged = 0
    for _ in 0..<60 {
      var bytes = sound
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The header's first hundred bytes stay, or most copies would be no database at all.
        bytes[100 + Int(state >> 33) % (bytes.count - 100)] = UInt8(truncatingIfNeeded: state >> 20)
      }
      let file = try folder.write(bytes, to: "b.sqlite")
      var database: DatabaseInspection?
      let time = ProcessorTime.of {
        database = inspectDatabase(at: file, rows: true, limits: limits)
      }
      #expect(time < .seconds(60))
      if database?.check != "ok" || database?.problems.isEmpty == false { damaged += 1 }
    }
    #expect(damaged > 30)
  }
}
