import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// Rule 1 of docs/architecture.md: a file database that the process has open.
@Suite struct OpenDatabaseTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "OFF", "WAL"])
  func committedRowsAreCapturedAndTheOriginalStaysAsItIs(mode: String) throws {
    let path = folder("app.db")
    let live = try TestConnection(
      path, "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); INSERT INTO t VALUES(1),(2)")
    let before = try DatabaseFiles(path)

    let capture = try evidence.captureOne(live.source)

    #expect(capture.method == .readTransaction)
    #expect(capture.wal == (mode == "WAL" ? .committed : .absent))
    #expect(!capture.uncommitted)
    #expect(capture.databaseBytes == before.databaseBytes)
    #expect(capture.walBytes == before.walBytes ?? 0)
    #expect(try evidence.read("SELECT sum(x) FROM t") == "3")
    #expect(try evidence.read("PRAGMA journal_mode") == "delete")
    #expect(try DatabaseFiles(path) == before)
    #expect(try evidence.names == ["library.sqlite"])
  }

  @Test(arguments: [512, 1024, 4096, 65536], ["UTF-8", "UTF-16le", "UTF-16be"])
  func everyPageSizeAndEncoding(pageSize: Int, encoding: String) throws {
    let live = try TestConnection(
      folder("app.db"),
      """
      PRAGMA page_size=\(pageSize); PRAGMA encoding='\(encoding)'; PRAGMA journal_mode=WAL;
      CREATE TABLE t(x PRIMARY KEY, y) WITHOUT ROWID;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT 'Zürich ' || i, randomblob(300) FROM n;
      """)
    _ = try evidence.captureOne(live.source)
    #expect(try evidence.read("SELECT count(*) FROM t WHERE x LIKE 'Zürich %'") == "500")
    #expect(try evidence.read("PRAGMA page_size") == "\(pageSize)")
    #expect(try evidence.read("PRAGMA encoding") == encoding)
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
  }

  @Test func pagesStayWhereTheyAre() throws {
    let live = try TestConnection(
      folder("app.db"), "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(9000)); DELETE FROM t")
    _ = try evidence.captureOne(live.source)
    #expect(
      try evidence.read("PRAGMA freelist_count") == live.integer("PRAGMA freelist_count").map(String.init))
    #expect(try run("cmp", evidence("library.sqlite"), live.path).status == 0)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func theProcessKeepsItsLocks(mode: String) throws {
    let live = try TestConnection(
      folder("app.db"),
      "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); BEGIN IMMEDIATE; INSERT INTO t VALUES(1)")
    let other = { try run("sqlite3", live.path, "BEGIN IMMEDIATE; ROLLBACK") }
    #expect(try other().output.contains("database is locked"))

    let result = evidence.capture(live.source)

    #expect(result.failures.isEmpty)
    #expect(try other().output.contains("database is locked"))
    try live.execute("INSERT INTO t VALUES(2); COMMIT")
    #expect(try live.integer("SELECT count(*) FROM t") == 2)
    #expect(try other().output == "")
  }

  @Test func aCaptureNeverCheckpoints() throws {
    let live = try TestConnection(folder("app.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t(x)")
    let before = try run("sha256sum", live.path).output
    _ = try evidence.captureOne(live.source)
    try live.execute("INSERT INTO t VALUES(1)")
    #expect(try run("sha256sum", live.path).output == before)
    live.close()
    #expect(try folder.names == ["app.db", "evidence"])
  }

  @Test func aCopyOpensFromAFolderThatCannotBeWritten() throws {
    let live = try TestConnection(
      folder("app.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    _ = try evidence.captureOne(live.source)
    let copy = evidence("library.sqlite")
    #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: evidence.path)
    // Root may write anywhere, so somebody else reads.
    let launcher = getuid() == 0 ? SomebodyElse.launcher : []
    let result = try Command(launcher + ["sqlite3", copy, "SELECT x FROM t"]).run()
    #expect(result.output == "7\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: evidence.path)
  }

  @Test func aLinkToADatabaseIsCapturedWithTheWALBesideTheRealFile() throws {
    let real = try folder.makeFolder("real") + "/app.db"
    let live = try TestConnection(real, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    try FileManager.default.createSymbolicLink(atPath: folder("link.db"), withDestinationPath: real)
    _ = try evidence.captureOne(.file(DatabaseFile(path: folder("link.db"), connections: [live.lent()])))
    #expect(try evidence.read("SELECT x FROM t") == "7")
  }

  @Test(arguments: ["unix-excl", "unix-none", "unix-dotfile"])
  func theVFSOfTheConnectionIsUsed(vfs: String) throws {
    let live = try TestConnection(folder("app.db"), vfs: vfs, "CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    _ = try evidence.captureOne(.file(DatabaseFile(path: live.path, vfs: vfs, connections: [live.lent()])))
    #expect(try evidence.read("SELECT x FROM t") == "7")
    try live.execute("INSERT INTO t VALUES(8)")
  }

  @Test func aDatabaseThatNobodyHasReadYetGetsNoSideFiles() throws {
    let path = folder("app.db")
    try TestConnection(path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)").close()
    let live = try TestConnection(path)
    #expect(try folder.names == ["app.db", "evidence"])
    let capture = try evidence.captureOne(live.source)
    #expect(capture.method == .immutable)
    #expect(try evidence.read("SELECT x FROM t") == "7")
    #expect(try folder.names == ["app.db", "evidence"])
  }

  @Test func anEmptyFileBecomesAnEmptyDatabase() throws {
    let live = try TestConnection(folder("app.db"))
    _ = try evidence.captureOne(live.source)
    #expect(bytes(of: evidence("library.sqlite"))?.starts(with: DatabaseHeader.magic) == true)
    #expect(try evidence.read("SELECT count(*) FROM sqlite_master") == "0")
    #expect(fileSize(live.path) == 0)
  }

  @Test func aDeletedFileIsTakenFromItsConnection() throws {
    let live = try TestConnection(
      folder("app.db"), "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    for name in try folder.names where name.hasPrefix("app.db") {
      try FileManager.default.removeItem(atPath: folder(name))
    }
    let capture = try evidence.captureOne(live.source)
    #expect(capture.method == .serialize)
    #expect(!capture.uncommitted)
    #expect(try evidence.read("SELECT x FROM t") == "7")
    #expect(try evidence.read("PRAGMA journal_mode") == "delete")
  }

  @Test func aReplacedFileIsNotTakenForTheOriginal() throws {
    let live = try TestConnection(folder("app.db"), "CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    try FileManager.default.removeItem(atPath: live.path)
    try Data("something else".utf8).write(to: URL(fileURLWithPath: live.path))
    let capture = try evidence.captureOne(live.source)
    #expect(capture.method == .serialize)
    #expect(try evidence.read("SELECT x FROM t") == "7")
    #expect(bytes(of: live.path) == Data("something else".utf8))
  }

  @Test func aDamagedSchemaIsCapturedAsItIs() throws {
    let live = try TestConnection(
      folder("app.db"),
      """
      CREATE TABLE t(x); INSERT INTO t VALUES(7);
      PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql='CREATE TABEL t(x)'; PRAGMA writable_schema=OFF
      """)
    _ = try evidence.captureOne(live.source)
    #expect(try run("cmp", evidence("library.sqlite"), live.path).status == 0)
  }
}
