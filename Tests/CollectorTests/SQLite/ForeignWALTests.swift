import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// A WAL or journal that a reader must not simply apply: both views and the files are kept, the original untouched.
@Suite struct ForeignWALTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = folder("app.db")
  }

  private var source: DatabaseSource { .file(DatabaseFile(path: path)) }

  /// The WAL of another database, which was last written before this one exists.
  private func leaveOldWAL(_ setup: String = "", _ changes: String = "") throws {
    let statements = [
      setup, "PRAGMA journal_mode=WAL", "CREATE TABLE old(x)", "INSERT INTO old VALUES('then')", changes,
    ]
    try crash(folder("old.db"), statements.filter { !$0.isEmpty }.joined(separator: ";"))
  }

  /// Puts the old WAL beside the database; by renaming it keeps its times.
  private func putOldWAL(renaming: Bool = false) throws {
    if renaming {
      try FileManager.default.moveItem(atPath: folder("old.db-wal"), toPath: path + "-wal")
    } else {
      try FileManager.default.copyItem(atPath: folder("old.db-wal"), toPath: path + "-wal")
    }
  }

  /// Captures and sees that database alone, database with WAL and the raw files are there.
  private func captureBothViews(_ source: DatabaseSource? = nil) throws -> DatabaseCapture {
    let before = try DatabaseFiles(path)
    let result = evidence.capture(source ?? self.source)
    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.file) == ["library.sqlite", "library.with-wal.sqlite"])
    #expect(result.files.map(\.capture.wal) == [.foreign, .foreign])
    #expect(result.files.map(\.capture.view) == [.alone, .withForeignWAL])
    #expect(result.files.allSatisfy { $0.capture.walSigns?.isEmpty == false })
    #expect(try evidence.names == ["library.raw", "library.sqlite", "library.with-wal.sqlite"])
    for suffix in ["", "-wal"] {
      #expect(try run("cmp", evidence("library.raw/library.sqlite\(suffix)"), path + suffix).status == 0)
    }
    #expect(try DatabaseFiles(path) == before)
    let capture = try #require(result.files.first?.capture)
    #expect(capture.history == "library.raw")
    return capture
  }

  @Test func pagesOfAnotherSize() throws {
    try leaveOldWAL("PRAGMA page_size=1024")
    try TestConnection(path, "PRAGMA journal_mode=WAL; CREATE TABLE new(x); INSERT INTO new VALUES('now')")
      .close()
    try putOldWAL()
    #expect(try captureBothViews().note?.contains("its pages have 1024 bytes, the database's 4096") == true)
    #expect(try evidence.read("SELECT x FROM new") == "now")
    #expect(try evidence.read("SELECT x FROM old", from: "library.with-wal.sqlite") == "then")
  }

  @Test func aDatabaseThatIsNotInWALMode() throws {
    try leaveOldWAL()
    try TestConnection(path, "CREATE TABLE new(x); INSERT INTO new VALUES('now')").close()
    try putOldWAL()
    #expect(try captureBothViews().note?.contains("the database is not in WAL mode") == true)
    #expect(try evidence.read("SELECT x FROM new") == "now")
    #expect(try evidence.read("SELECT x FROM old", from: "library.with-wal.sqlite") == "then")
  }

  @Test func anEmptyDatabaseFile() throws {
    try leaveOldWAL()
    try Data().write(to: URL(fileURLWithPath: path))
    try putOldWAL()
    #expect(try captureBothViews().note?.contains("the database file is empty") == true)
    #expect(try evidence.read("SELECT count(*) FROM sqlite_schema") == "0")
  }

  /// Whoever opened the path would make an empty database and delete the WAL.
  @Test func noDatabaseFileAtAll() throws {
    try leaveOldWAL()
    try putOldWAL()
    let wal = try #require(bytes(of: path + "-wal"))
    let result = evidence.capture(source)
    #expect(result.failures.map(\.reason) == [.missing])
    #expect(result.files.map(\.file) == ["library.raw/library.sqlite-wal"])
    #expect(result.files.map(\.isDatabase) == [false])
    #expect(result.files.first?.capture.note?.contains("left behind") == true)
    #expect(bytes(of: evidence("library.raw/library.sqlite-wal")) == wal)
    #expect(try evidence.names == ["library.raw"])
    #expect(bytes(of: path + "-wal") == wal)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    ("PRAGMA encoding='UTF-16le'", "", "another text encoding"),
    ("PRAGMA auto_vacuum=FULL", "", "another auto_vacuum mode"),
    ("PRAGMA application_id=7", "PRAGMA application_id=9", "another application id"),
    ("", "CREATE TABLE second(x);CREATE TABLE third(x)", "its schema is older"),
    (
      "", "INSERT INTO new VALUES(2);INSERT INTO new VALUES(3);INSERT INTO new VALUES(4)",
      "transactions are older"
    ),
  ])
  func aFirstPageThatThisDatabaseCannotHaveHad(setup: String, changes: String, sign: String) throws {
    try leaveOldWAL(setup.contains("application") ? "PRAGMA application_id=3" : "")
    let live = try TestConnection(path, "\(setup); CREATE TABLE new(x); INSERT INTO new VALUES('now')")
    for change in changes.split(separator: ";") { try live.execute(String(change)) }
    try live.execute("PRAGMA journal_mode=WAL; PRAGMA wal_checkpoint(TRUNCATE)")
    live.close()
    try putOldWAL()
    #expect(try captureBothViews().note?.contains(sign) == true)
    #expect(try evidence.read("SELECT x FROM new WHERE rowid=1") == "now")
  }

  @Test func aDatabaseBornAfterTheWALWasLastWritten() throws {
    try leaveOldWAL("CREATE TABLE new(x)")
    usleep(20_000)
    try FileManager.default.copyItem(atPath: folder("old.db"), toPath: path)
    try putOldWAL(renaming: true)
    #expect(try captureBothViews().note?.contains("is newer than all of it") == true)
  }

  /// What remains when nothing but the tables tells them apart.
  @Test func otherTables() throws {
    try crash(
      folder("old.db"),
      "PRAGMA journal_mode=WAL;CREATE TABLE a(x);CREATE TABLE b(x);CREATE TABLE c(x);INSERT INTO a VALUES(1)")
    try TestConnection(
      path, "PRAGMA journal_mode=WAL; CREATE TABLE n(x); CREATE TABLE m(x); INSERT INTO n VALUES('now')"
    ).close()
    try putOldWAL()
    #expect(try captureBothViews().note?.contains("none of the database's tables is left") == true)
    #expect(try evidence.read("SELECT x FROM n") == "now")
  }

  @Test func aWALThatDamagesTheDatabase() throws {
    let setup =
      "PRAGMA journal_mode=WAL;CREATE TABLE t(x);CREATE INDEX i ON t(x);"
      + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000) INSERT INTO t SELECT i FROM n;"
      + "PRAGMA wal_checkpoint(TRUNCATE)"
    try crash(folder("old.db"), "\(setup);INSERT INTO t VALUES(0);UPDATE t SET x=-x WHERE rowid=7")
    try crash(
      path, "\(setup);DELETE FROM t WHERE rowid%3=0;PRAGMA wal_checkpoint(TRUNCATE);PRAGMA user_version=0")
    try FileManager.default.removeItem(atPath: path + "-wal")
    try putOldWAL()
    #expect(try captureBothViews().note?.contains("sound without it and damaged with it") == true)
  }

  /// The migration that replaces a store and forgets its WAL, seen by the test that opened it.
  @Test func whileTheTestHasItOpen() throws {
    try leaveOldWAL()
    try TestConnection(
      path, "CREATE TABLE new(x); CREATE TABLE n2(x); CREATE TABLE n3(x); INSERT INTO new VALUES('now')"
    ).close()
    try putOldWAL()
    let live = try TestConnection(path)
    #expect(try live.integer("SELECT count(*) FROM old") == 1)
    _ = try captureBothViews(live.source)
    #expect(try evidence.read("SELECT x FROM new") == "now")
    #expect(try evidence.read("SELECT x FROM old", from: "library.with-wal.sqlite") == "then")
    #expect(try live.integer("SELECT count(*) FROM old") == 1)
  }

  /// What an app may do to its own database between two checkpoints is no sign of another's.
  @Test(arguments: [
    "CREATE TABLE b(x); DROP TABLE a", "PRAGMA application_id=9; PRAGMA user_version=4", "VACUUM",
    "DROP TABLE a; CREATE TABLE b(x); DROP TABLE c; CREATE TABLE d(x)",
  ])
  func theDatabasesOwnWAL(changes: String) throws {
    try crash(
      path,
      "PRAGMA journal_mode=WAL;CREATE TABLE a(x);CREATE TABLE c(x);INSERT INTO c VALUES(1);"
        + "PRAGMA wal_checkpoint(TRUNCATE);" + changes)
    let capture = try evidence.captureOne(source)
    #expect(capture.wal == .committed)
    #expect(capture.note == nil)
  }

  // MARK: - Journals

  @Test(arguments: ["DELETE", "PERSIST", "TRUNCATE"])
  func theJournalOfADeadProcessIsAppliedToTheCopy(mode: String) throws {
    try TestConnection(path, "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(100000))").close()
    try crash(
      path,
      "PRAGMA journal_mode=\(mode);PRAGMA cache_size=5;BEGIN EXCLUSIVE;UPDATE t SET x=randomblob(100000);SELECT 1"
    )
    let before = try DatabaseFiles(path)
    let result = evidence.capture(source)
    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.capture.history) == ["library.raw"])
    #expect(result.files.first?.capture.note?.contains("rollback journal") == true)
    #expect(try evidence.read("SELECT x=zeroblob(100000) FROM t") == "1")
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
    for suffix in ["", "-journal"] {
      #expect(try run("cmp", evidence("library.raw/library.sqlite\(suffix)"), path + suffix).status == 0)
    }
    #expect(try DatabaseFiles(path) == before)
  }

  @Test func aConnectionThatHasNotReadYet() throws {
    try TestConnection(path, "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(100000))").close()
    try crash(path, "PRAGMA cache_size=5;BEGIN EXCLUSIVE;UPDATE t SET x=randomblob(100000);SELECT 1")
    let live = try TestConnection(path)
    let before = try DatabaseFiles(path)
    #expect(evidence.capture(live.source).failures.isEmpty)
    #expect(try evidence.read("SELECT x=zeroblob(100000) FROM t") == "1")
    #expect(try DatabaseFiles(path) == before)
  }
}
