import Foundation
import Testing

@testable import Reporter

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

  @Test func aFunctionOfTheAppIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE t (a, b AS (upper(a))); INSERT INTO t VALUES ('x'); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, b AS (nowhere(a)))';
      """)
    let table = try #require(inspectDatabase(at: path, rows: true).tables.first)
    #expect(table.rowCount == 1)
    #expect(table.problem?.contains("nowhere") == true)
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
    limits.checkTime = 0
    let database = inspectDatabase(at: path, rows: true, limits: limits)
    #expect(database.check == "not finished in time")
    #expect(database.tables[0].rowCount == 200_000)
    limits.totalTime = 0
    let nothing = inspectDatabase(at: path, rows: true, limits: limits)
    #expect(nothing.check != "ok")
  }

  @Test func viewsAndTriggersAreNotRun() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
      CREATE TABLE t (a);
      """)
    let time = ContinuousClock().measure {
      #expect(inspectDatabase(at: path, rows: true).otherSchema.map(\.name) == ["endless"])
    }
    #expect(time < .seconds(5))
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
}
