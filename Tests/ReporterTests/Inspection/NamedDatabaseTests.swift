import Collector
import Foundation
import Testing

@testable import Reporter

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
}
