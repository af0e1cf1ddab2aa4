import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// What a process that died left: recovered in a copy, the original read and nothing else.
@Suite struct LeftDatabaseTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = try folder.makeFolder("store") + "/app.db"
  }

  private static let committed = "CREATE TABLE t(x); INSERT INTO t VALUES(1); INSERT INTO t VALUES(2)"
  /// Spills: more pages than the cache holds.
  private static let uncommitted = """
    PRAGMA cache_size=2; BEGIN; INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200)
     SELECT zeroblob(900) FROM n
    """

  /// The files and the folder, -shm included.
  private func state() throws -> String {
    try run("sh", "-c", "cd \"$(dirname \"$0\")\" && ls -lnR --time-style=full-iso && sha256sum *", path)
      .output
  }

  private func capture(
    excluding tables: Set<String> = [], limits: CaptureLimits = CaptureLimits(), at path: String? = nil
  ) throws -> DatabaseCaptureResult {
    let before = try state()
    let capturer = DatabaseCapturer(limits: limits, excludedTables: tables, keepsHistory: true)
    let result = capturer.captureLeft(at: path ?? self.path, named: "library", into: evidence.path)
    #expect(try state() == before)
    return result
  }

  @Test func aWALEndsWithWhatWasNotCommitted() throws {
    try crash(path, "PRAGMA journal_mode=WAL; \(Self.committed); \(Self.uncommitted)")
    let result = try capture()
    #expect(result.failures.isEmpty)
    let capture = try #require(result.files.first?.capture)
    #expect(capture.method == .postMortem)
    #expect(capture.wal == .committed)
    #expect(try #require(capture.walFrames).uncommitted > 10)
    #expect(!capture.uncommitted)
    #expect(try evidence.read("SELECT group_concat(x) FROM t") == "1,2")
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
    #expect(try evidence.names == ["library.history", "library.sqlite"])
    #expect(capture.history == "library.history")
    #expect(bytes(of: evidence("library.history/library.sqlite-wal")) == bytes(of: path + "-wal"))
  }

  @Test func aHotJournalIsRolledBackInTheCopyAndKept() throws {
    try crash(path, "\(Self.committed); \(Self.uncommitted)")
    #expect(fileSize(path + "-journal") ?? 0 > 0)
    let result = try capture()
    #expect(result.failures.isEmpty)
    let capture = try #require(result.files.first?.capture)
    #expect(capture.method == .postMortem)
    #expect(capture.note?.contains(path) == true && capture.note?.contains(".capture-") == false)
    #expect(try evidence.read("SELECT group_concat(x) FROM t") == "1,2")
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
    #expect(bytes(of: evidence("library.raw/library.sqlite")) == bytes(of: path))
    #expect(bytes(of: evidence("library.raw/library.sqlite-journal")) == bytes(of: path + "-journal"))
  }

  /// SQLite would wait for the lock: whoever asks for none never opens the original with it.
  @Test func noLockIsAskedFor() throws {
    let other = try OtherProcess(path, "\(Self.committed); BEGIN EXCLUSIVE;")
    defer { other.end() }
    #expect(try capture(limits: CaptureLimits(wait: .zero)).failures.isEmpty)
    #expect(try evidence.read("SELECT group_concat(x) FROM t") == "1,2")
  }

  @Test func aWALOlderThanItsDatabaseIsForeignAsItWasThere() throws {
    try crash(
      folder("old.db"), "PRAGMA journal_mode=WAL; CREATE TABLE old(x); INSERT INTO old VALUES('then')")
    try crash(
      path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); PRAGMA wal_checkpoint; INSERT INTO t VALUES(1)")
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.moveItem(atPath: folder("old.db-wal"), toPath: path + "-wal")
    let result = try capture()
    #expect(result.files.map(\.capture.wal) == [.foreign, .foreign])
    #expect(result.files.first?.capture.note?.contains("newer than all of it") == true)
    #expect(result.files.first?.capture.note?.contains("beside \(path)") == true)
  }

  @Test func theSideFilesOfALinkLieBesideItsTarget() throws {
    try crash(path, "PRAGMA journal_mode=WAL; \(Self.committed)")
    try FileManager.default.createSymbolicLink(atPath: folder("link.db"), withDestinationPath: path)
    #expect(try capture(at: folder("link.db")).failures.isEmpty)
    #expect(try evidence.read("SELECT group_concat(x) FROM t") == "1,2")
  }

  @Test func rowsOfExcludedTablesAreNowhere() throws {
    try crash(
      path,
      "PRAGMA journal_mode=WAL; CREATE TABLE s(x); INSERT INTO s VALUES('top secret'); \(Self.committed)")
    #expect(try capture(excluding: ["s"]).failures.isEmpty)
    #expect(try evidence.names == ["library.sqlite"])
    #expect(try #require(bytes(of: evidence("library.sqlite"))).range(of: Data("top secret".utf8)) == nil)
    #expect(try evidence.read("SELECT group_concat(x) FROM t") == "1,2")
  }

  @Test func whatCannotBeCapturedIsNamed() throws {
    #expect(try capture(at: folder("nowhere.db")).failures.map(\.reason) == [.missing])
    try crash(path, "PRAGMA journal_mode=WAL; \(Self.committed)")
    let large = try capture(limits: CaptureLimits(databaseBytes: 5000))
    #expect(large.failures.map(\.reason) == [.overBudget])
    #expect(large.failures.first?.bytes == (fileSize(path) ?? 0) + (fileSize(path + "-wal") ?? 0))
    #expect(large.files.isEmpty)
    #expect(try evidence.names == [])
  }

  @Test func whatIsNoDatabaseIsKeptAsItLies() throws {
    try Data("no database, whatever its name says".utf8).write(to: URL(fileURLWithPath: path))
    let result = try capture()
    #expect(result.failures.map(\.reason) == [.notADatabase])
    #expect(result.failures.first?.message.contains(path) == true)
    #expect(result.files.map(\.capture.method) == [.raw])
    #expect(bytes(of: evidence("library.raw")) == bytes(of: path))
  }
}
