import Collector
import Foundation
import Testing

@testable import ReportInspection

/// A database file that a user names, while others work on it.
@Suite struct NamedDatabaseTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.database("a.sqlite", "CREATE TABLE t(v); INSERT INTO t VALUES (1);")
  }

  private func open() throws -> NamedDatabase {
    try NamedDatabase(folder("a.sqlite"), copyingInto: folder.path)
  }

  @Test func aFileThatIsWrittenMeanwhileIsSaidToBe() throws {
    let database = try open()
    #expect(!database.hasChanged && database.path == database.original)
    try folder.database("a.sqlite", "INSERT INTO t VALUES (2);")
    #expect(database.hasChanged)
  }

  @Test func aFileThatGoesMeanwhileIsSaidToHaveChanged() throws {
    let database = try open()
    try FileManager.default.removeItem(atPath: folder("a.sqlite"))
    #expect(database.hasChanged && inspectDatabase(at: database.path, rows: true).pageSize == 0)
    #expect(throws: NamedDatabaseError.missing(folder("a.sqlite"), isLink: false)) { try open() }
  }

  @Test func aCopyIsOfOneStateAndGoesWithItsObject() throws {
    try crash(folder("a.sqlite"), "PRAGMA journal_mode=WAL;INSERT INTO t VALUES (2)")
    var database: NamedDatabase? = try open()
    let copy = try #require(database?.path)
    let raw = try #require(database?.raw)
    #expect(copy != database?.original && database?.files.wal == .committed)
    #expect(
      FileManager.default.fileExists(atPath: raw) && FileManager.default.fileExists(atPath: raw + "-wal"))
    try folder.database("a.sqlite", "INSERT INTO t VALUES (3);")
    #expect(database?.hasChanged == false && inspectDatabase(at: copy, rows: true).tables[0].rowCount == 2)
    database = nil
    #expect(!FileManager.default.fileExists(atPath: copy) && !FileManager.default.fileExists(atPath: raw))
    #expect(try folder.names.allSatisfy { $0.hasPrefix("a.sqlite") })
  }

  @Test func aHotJournalIsNoWAL() throws {
    try crash(
      folder("a.sqlite"),
      "PRAGMA cache_size=1;BEGIN;CREATE TABLE big(v);"
        + "INSERT INTO big WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 900) SELECT zeroblob(900) FROM n"
    )
    let database = try open()
    #expect(database.files.journal == .hot && database.raw == nil)
    #expect(inspectDatabase(at: database.path, rows: true).tables.map(\.name) == ["t"])
  }

  @Test(arguments: ["-wal", "-journal"]) func aLinkInThePlaceOfASideFileIsRefused(_ suffix: String) throws {
    try folder.write("anything", to: "real")
    try FileManager.default.createSymbolicLink(
      atPath: folder("a.sqlite" + suffix), withDestinationPath: "real")
    #expect(throws: NamedDatabaseError.linkBeside(folder("a.sqlite" + suffix))) { try open() }
  }

  @Test func howMuchOfAFileIsMissingIsSaid() throws {
    try folder.database(
      "a.sqlite",
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 90) INSERT INTO t SELECT zeroblob(3000) FROM n;"
    )
    let whole = try #require(FileManager.default.contents(atPath: folder("a.sqlite")))
    #expect(try !"\(open().damaged("x."))".contains("promises"))
    try folder.write(whole.prefix(7 * 4096 + 100), to: "a.sqlite")
    let said = try "\(open().damaged("x."))"
    #expect(said.contains("promises \(whole.count / 4096) pages and the file has 7 whole pages"), "\(said)")
  }
}
