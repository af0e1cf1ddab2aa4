import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// Databases in a directory that is archived, in use or not.
@Suite struct ArchivedDatabasesTests {
  let folder: TemporaryFolder
  let store: String
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.makeFolder("Store")
    evidence = try EvidenceFolder(in: folder)
  }

  private func unpack() throws -> String {
    let unpacked = try folder.makeFolder("unpacked")
    #expect(try run("unzip", "-q", evidence("store.zip"), "-d", unpacked).status == 0)
    return unpacked
  }

  private func count(_ path: String) throws -> String? {
    try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY, image: .linked).handle.text(
      "SELECT count(*) FROM t")
  }

  @Test(arguments: ["DELETE", "WAL"])
  func aDatabaseInUseIsCapturedAndKeepsItsLocks(mode: String) throws {
    let live = try TestConnection(
      "\(store)/app.db",
      "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); INSERT INTO t VALUES(1); BEGIN; INSERT INTO t VALUES(2)"
    )
    let before = try DatabaseFiles(live.path)
    let archiver = DirectoryArchiver { path, folder in
      let file = DatabaseFile(path: path, connections: [live.lent()])
      return DatabaseCapturer().capture(.file(file), named: "database", into: folder)
    }
    let result = try archiver.archive(store, named: "store", into: evidence.path)

    #expect(try run("sqlite3", live.path, "BEGIN IMMEDIATE").output.contains("database is locked"))
    #expect(try DatabaseFiles(live.path) == before)
    #expect(result.archive.entries == 2)
    let sideFiles = mode == "WAL" ? ["app.db-shm", "app.db-wal"] : ["app.db-journal"]
    #expect(result.archive.skipped.map(\.path) == sideFiles)
    #expect(result.archive.skipped.allSatisfy { $0.reason == "folded into app.db" })
    let unpacked = try unpack()
    #expect(try count("\(unpacked)/app.db") == "1")
    #expect(try count("\(unpacked)/app.db.uncommitted.sqlite") == "2")
    try live.execute("COMMIT")
  }

  /// Nobody told the archiver of the connection, so it must not touch the file.
  @Test(arguments: ["DELETE", "WAL"])
  func aDatabaseInUseByAnUnknownConnectionIsLeftAlone(mode: String) throws {
    let live = try TestConnection(
      "\(store)/app.db",
      "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); INSERT INTO t VALUES(1); BEGIN IMMEDIATE")
    try live.execute("INSERT INTO t VALUES(2)")
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(try run("sqlite3", live.path, "BEGIN IMMEDIATE").output.contains("database is locked"))
    #expect(result.archive.entries == 0)
    #expect(result.archive.skipped.first?.path == "app.db")
    #expect(result.archive.skipped.count == (mode == "WAL" ? 3 : 2))
    try live.execute("COMMIT")
  }

  @Test func aClosedDatabaseIsFolded() throws {
    let live = try TestConnection(
      folder("app.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(1)")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: live.path + suffix, toPath: "\(store)/app.db" + suffix)
    }
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.entries == 1)
    #expect(result.archive.skipped.map(\.path) == ["app.db-wal"])
    #expect(try count("\(unpack())/app.db") == "1")
  }

  @Test func aDatabaseWithAWALThatIsNotItsOwnIsArchivedAsItLiesThere() throws {
    try TestConnection("\(store)/app.db", "CREATE TABLE t(x)").close()
    try Data("no WAL of this database".utf8).write(to: URL(fileURLWithPath: "\(store)/app.db-wal"))
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.entries == 2)
    #expect(result.archive.skipped.map(\.path) == ["app.db"])
    #expect(result.archive.skipped.first?.reason.hasSuffix("The file is archived as it lies there.") == true)
    #expect(try bytes(of: "\(unpack())/app.db") == bytes(of: "\(store)/app.db"))
  }

  @Test func aFileThatTheTestProcessWritesIsArchived() throws {
    let path = "\(store)/log.txt"
    try Data("first line\n".utf8).write(to: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped == [])
    #expect(try bytes(of: "\(unpack())/log.txt") == Data("first line\n".utf8))
    try file.close()
  }
}
