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

  // MARK: - Excluded tables

  private static let row = "geheime Zeile"

  /// Where tables are excluded: captures without them, and nothing as it lies there.
  private var excluding: DirectoryArchiver {
    var archiver = DirectoryArchiver { path, folder in
      DatabaseCapturer(excludedTables: ["person"]).capture(
        .file(DatabaseFile(path: path)), named: "database", into: folder)
    }
    archiver.keepsUnreadRows = false
    return archiver
  }

  /// The files of a database with a row of the excluded table in each of them.
  private func files(journal mode: String) throws -> [String: Data] {
    let path = folder("source-\(mode)")
    let live = try TestConnection(
      path, "PRAGMA journal_mode=\(mode); CREATE TABLE person(name); INSERT INTO person VALUES('\(Self.row)')"
    )
    try live.execute("UPDATE person SET name = name || '!'")
    let sides = ["", "-wal", "-shm", "-journal"].compactMap { side in
      bytes(of: path + side).map { (side, $0) }
    }
    live.close()
    return Dictionary(uniqueKeysWithValues: sides)
  }

  private func put(_ contents: Data?, _ name: String) throws {
    try #require(contents).write(to: URL(fileURLWithPath: "\(store)/\(name)"))
  }

  /// The files of the archive in which the row can be read.
  private func filesWithTheRow() throws -> [String] {
    let unpacked = try unpack()
    return try FileManager.default.subpathsOfDirectory(atPath: unpacked).filter {
      FileManager.default.contents(atPath: "\(unpacked)/\($0)")?.range(of: Data(Self.row.utf8)) != nil
    }.sorted()
  }

  @Test func whatHoldsRowsOfExcludedTablesAndCannotBeReadIsLeftOut() throws {
    let (wal, persistent) = (try files(journal: "WAL"), try files(journal: "PERSIST"))
    #expect(wal["-wal"]?.range(of: Data(Self.row.utf8)) != nil)
    #expect(persistent["-journal"]?.range(of: Data(Self.row.utf8)) != nil)
    try put(wal["-wal"], "alone.db-wal")
    try put(wal["-shm"], "alone.db-shm")
    try put(persistent["-journal"], "alone.sqlite-journal")
    try put(wal["-wal"], "copied.wal")
    try put(persistent[""], "picture.png")
    try put(persistent[""].map { Data(count: 100) + $0.dropFirst(100) }, "damaged.sqlite3")
    try put(wal[""], "moved.db")
    try put(wal["-wal"], "was-here.db-wal")
    try FileManager.default.createDirectory(atPath: "\(store)/backup", withIntermediateDirectories: true)
    #expect(
      try run(
        "sh", "-c",
        "cd '\(store)' && zip -q backup/old.zip picture.png && gzip -k picture.png && tar cf backup/old picture.png"
      )
      .status == 0)
    try put(Data("a note".utf8), "note.txt")
    try put(Data(), "empty.db-wal")
    let result = try excluding.archive(store, named: "store", into: evidence.path)
    let left = [
      "alone.db-shm", "alone.db-wal", "alone.sqlite-journal", "backup/old", "backup/old.zip", "copied.wal",
      "damaged.sqlite3", "picture.png.gz", "was-here.db-wal",
    ]
    #expect(result.archive.skipped.map(\.path).sorted() == left)
    #expect(result.archive.skipped.allSatisfy { $0.reason.contains("rows of excluded tables") })
    #expect(try filesWithTheRow() == [])
    let names = try ArchiveListing(path: evidence("store.zip")).entries.map(\.path)
    #expect(names == ["backup/", "empty.db-wal", "moved.db", "note.txt", "picture.png"])
  }

  @Test func withoutExclusionsSuchFilesAreArchivedAsTheyLieThere() throws {
    try put(try files(journal: "WAL")["-wal"], "alone.db-wal")
    try put(try files(journal: "PERSIST")["-journal"], "alone.db-journal")
    let result = try DirectoryArchiver().archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped == [])
    #expect(try filesWithTheRow() == ["alone.db-journal", "alone.db-wal"])
  }

  @Test func whatBelongsToAFileThatIsLeftOutByNameIsLeftOutToo() throws {
    for (side, contents) in try files(journal: "WAL") { try put(contents, "app.db" + side) }
    let archiver = DirectoryArchiver(excludedNames: ["app.db"])
    let result = try archiver.archive(store, named: "store", into: evidence.path)
    #expect(result.archive.skipped.map(\.path) == ["app.db", "app.db-shm", "app.db-wal"])
    #expect(result.archive.entries == 0)
  }
}
