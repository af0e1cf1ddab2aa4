import Attach
import ExhibitCSQLite
import Foundation
import Testing

/// What is wrong with a store on disk is found without opening it.
@Suite struct ConsistentStoreTests {
  private static let note = "CREATE TABLE note(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES note)"

  private func kinds(_ folder: FixtureFolder) -> [StoreFinding.Kind] {
    storeFindings(at: folder.url).map(\.kind)
  }

  @Test func aConsistentStoreHasNoFindings() throws {
    let folder = try FixtureFolder(["a.sqlite"])
    try folder.crash("b.sqlite", "PRAGMA journal_mode=WAL;\(Self.note);INSERT INTO note VALUES (1, NULL)")
    let before = try folder.contents
    #expect(kinds(folder) == [])
    #expect(expectConsistentStore(at: folder.url.appendingPathComponent("b.sqlite")))
    #expect(try folder.contents == before)
  }

  @Test func aStoreThatIsOpenIsNotHarmed() throws {
    let folder = try FixtureFolder()
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    try #require(sqlite3_open(folder.path("open.sqlite"), &connection) == SQLITE_OK)
    let sql = "PRAGMA journal_mode = WAL; \(Self.note); BEGIN IMMEDIATE; INSERT INTO note VALUES (1, NULL)"
    try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
    #expect(kinds(folder) == [])
    #expect(sqlite3_exec(connection, "COMMIT", nil, nil, nil) == SQLITE_OK)
  }

  @Test func aForeignWALIsFound() throws {
    let folder = try FixtureFolder(["a.sqlite"])
    try folder.crash("b.sqlite", "PRAGMA journal_mode=WAL;\(Self.note);INSERT INTO note VALUES (1, NULL)")
    try FileManager.default.moveItem(atPath: folder.path("b.sqlite-wal"), toPath: folder.path("a.sqlite-wal"))
    try FileManager.default.removeItem(atPath: folder.path("b.sqlite"))
    let before = try folder.contents
    #expect(kinds(folder) == [.foreignWAL])
    #expect(
      storeFindings(at: folder.url).first?.description.contains("This -wal belongs to another database")
        == true)
    #expect(try folder.contents == before)
  }

  @Test func aHotJournalIsFound() throws {
    let folder = try FixtureFolder()
    try folder.crash(
      "a.sqlite",
      "\(Self.note);INSERT INTO note SELECT value, NULL FROM generate_series(1, 5000)".replacingOccurrences(
        of: "SELECT value, NULL FROM generate_series(1, 5000)",
        with:
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<5000) SELECT i, NULL FROM n")
        + ";PRAGMA cache_size=3;BEGIN;DELETE FROM note")
    let before = try folder.contents
    #expect(before.keys.contains("a.sqlite-journal"))
    #expect(kinds(folder) == [.hotJournal])
    #expect(try folder.contents == before)
  }

  @Test func rowsThatReferToNothingAndDamageAreFound() throws {
    let folder = try FixtureFolder()
    try folder.make("a.sqlite", "\(Self.note); INSERT INTO note VALUES (1, 99)")
    #expect(kinds(folder) == [.foreignKey])
    try folder.make(
      "b.sqlite",
      "CREATE TABLE t(x); INSERT INTO t VALUES (NULL); PRAGMA writable_schema = ON;"
        + " UPDATE sqlite_schema SET sql = 'CREATE TABLE t(x NOT NULL)'")
    #expect(kinds(folder) == [.foreignKey, .damaged])
  }

  @Test func aFolderWithoutADatabaseIsNotConsistent() throws {
    #expect(kinds(try FixtureFolder()) == [.unreadable])
    #expect(storeFindings(at: URL(fileURLWithPath: "/nowhere")).map(\.kind) == [.unreadable])
  }

  @Test func theIssueStandsWhereTheCallDoes() throws {
    let folder = try FixtureFolder()
    withKnownIssue {
      expectConsistentStore(at: folder.url)
    } matching: { issue in
      issue.sourceLocation?.line == #line - 2 && issue.description.contains("The store is not consistent")
    }
  }
}
