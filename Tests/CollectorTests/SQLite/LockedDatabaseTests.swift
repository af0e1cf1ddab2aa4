import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// Databases that a connection keeps everybody out of.
@Suite struct LockedDatabaseTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  /// 200 rows of 1,000 bytes: more than the cache of ten pages holds, so that changes spill into the file.
  let setup = """
    PRAGMA cache_size=10; CREATE TABLE t(i INTEGER PRIMARY KEY, x, y);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO t SELECT i, 'old', randomblob(1000) FROM n;
    """

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "MEMORY"], [false, true])
  func anExclusiveTransactionOfTheFailedTest(mode: String, isExclusiveMode: Bool) throws {
    let locking = isExclusiveMode ? "PRAGMA locking_mode=EXCLUSIVE;" : ""
    let live = try TestConnection(folder("app.db"), "\(locking) PRAGMA journal_mode=\(mode); \(setup)")
    try live.execute("BEGIN EXCLUSIVE; UPDATE t SET x='new'; INSERT INTO t(x) VALUES('more')")
    let before = try DatabaseFiles(live.path)

    let result = evidence.capture(live.source)

    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.file) == ["library.sqlite", "library.uncommitted.sqlite"])
    #expect(result.files.map(\.capture.method) == [.ownHandles, .serialize])
    #expect(result.files.map(\.capture.uncommitted) == [false, true])
    #expect(try evidence.read("SELECT group_concat(DISTINCT x) || count(*) FROM t") == "old200")
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
    let uncommitted = "library.uncommitted.sqlite"
    #expect(
      try evidence.read("SELECT group_concat(DISTINCT x) || count(*) FROM t", from: uncommitted)
        == "new,more201")
    #expect(try DatabaseFiles(live.path) == before)
    try live.execute("ROLLBACK")
    #expect(try live.integer("SELECT count(*) FROM t WHERE x='old'") == 200)
    #expect(try evidence.names == ["library.sqlite", "library.uncommitted.sqlite"])
  }

  @Test func aTransactionWithoutJournalHasNoCommittedView() throws {
    let live = try TestConnection(folder("app.db"), "PRAGMA journal_mode=OFF; \(setup)")
    try live.execute("BEGIN EXCLUSIVE; UPDATE t SET x='new'")
    let result = evidence.capture(live.source)
    #expect(result.failures.map(\.reason) == [.unsupported])
    #expect(result.files.map(\.file) == ["library.uncommitted.sqlite"])
  }

  @Test(arguments: [false, true])
  func aWALDatabaseInExclusiveLockingMode(isWriting: Bool) throws {
    let live = try TestConnection(
      folder("app.db"), "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; \(setup)")
    if isWriting { try live.execute("BEGIN; UPDATE t SET x='new'") }
    let before = try DatabaseFiles(live.path)

    let result = evidence.capture(live.source)

    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.capture.method) == (isWriting ? [.ownHandles, .serialize] : [.ownHandles]))
    #expect(result.files.first?.capture.wal == .committed)
    #expect(try evidence.read("SELECT group_concat(DISTINCT x) || count(*) FROM t") == "old200")
    #expect(try DatabaseFiles(live.path) == before)
  }

  @Test func aCommitThatWaitsForAReader() throws {
    let live = try TestConnection(folder("app.db"), setup)
    let reader = try TestConnection(live.path, "BEGIN; SELECT * FROM t LIMIT 1")
    try live.execute("BEGIN IMMEDIATE; UPDATE t SET x='new' WHERE i = 1")
    #expect(throws: TestConnection.Refused.self) { try live.execute("COMMIT") }  // PENDING from now on

    let file = DatabaseFile(path: live.path, connections: [reader.lent(), live.lent()])
    let result = evidence.capture(.file(file))

    #expect(result.failures.isEmpty)
    #expect(result.files.first?.capture.method == .ownHandles)
    #expect(try evidence.read("SELECT count(*) FROM t WHERE x='old'") == "200")
    #expect(try evidence.read("SELECT x FROM t WHERE i=1", from: "library.uncommitted.sqlite") == "new")
  }

  @Test(arguments: ["DELETE", "WAL"])
  func rowsNotYetCommittedAreAFileOfTheirOwn(mode: String) throws {
    let live = try TestConnection(folder("app.db"), "PRAGMA journal_mode=\(mode); \(setup)")
    try live.execute("PRAGMA cache_size=-64000; BEGIN; UPDATE t SET x='new'")
    let result = evidence.capture(live.source)
    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.capture.method) == [.readTransaction, .serialize])
    #expect(try evidence.read("SELECT DISTINCT x FROM t") == "old")
    let uncommitted = "library.uncommitted.sqlite"
    #expect(try evidence.read("SELECT DISTINCT x FROM t", from: uncommitted) == "new")
    #expect(try evidence.read("PRAGMA journal_mode", from: uncommitted) == "delete")
    try live.execute("COMMIT")
  }

  @Test func rowsOfAnAttachedDatabase() throws {
    let live = try TestConnection(folder("app.db"), "CREATE TABLE here(x)")
    try live.execute("ATTACH '\(folder("other.db"))' AS \"o\"\"t\"; CREATE TABLE \"o\"\"t\".t(x); BEGIN")
    try live.execute("INSERT INTO t VALUES(7)")
    let connection = live.lent(schema: "o\"t")
    let result = evidence.capture(.file(DatabaseFile(path: folder("other.db"), connections: [connection])))
    #expect(result.failures.isEmpty)
    #expect(try evidence.read("SELECT count(*) FROM t") == "0")
    #expect(try evidence.read("SELECT x FROM t", from: "library.uncommitted.sqlite") == "7")
  }

  @Test func anotherTestsTransactionIsItsOwnBusiness() throws {
    let other = try TestConnection(
      folder("app.db"), "PRAGMA journal_mode=WAL; \(setup) BEGIN; UPDATE t SET x='new'")
    let file = DatabaseFile(path: other.path, connections: [other.lent(belongsToFailedTest: false)])
    let capture = try evidence.captureOne(.file(file))
    #expect(capture.method == .readTransaction)
    #expect(try evidence.read("SELECT DISTINCT x FROM t") == "old")
  }

  @Test func aLockOfAnotherTestEndsTheWaitInTime() throws {
    let other = try TestConnection(folder("app.db"), "\(setup) BEGIN EXCLUSIVE")
    let file = DatabaseFile(path: other.path, connections: [other.lent(belongsToFailedTest: false)])
    let error = try evidence.captureFailing(.file(file), limits: CaptureLimits(wait: .milliseconds(200)))
    #expect(error.reason == .busy)
  }

  @Test func aConnectionInUseEndsTheWaitInTimeAndIsNamed() throws {
    let live = try TestConnection(folder("app.db"), setup)
    let held = LiveConnection(belongsToFailedTest: true) { deadline, _ in
      while ContinuousClock.now < deadline { usleep(1000) }
      return .busy
    }
    let file = DatabaseFile(path: live.path, connections: [held])
    let result = evidence.capture(.file(file), limits: CaptureLimits(wait: .milliseconds(100)))
    #expect(result.files.map(\.file) == ["library.sqlite"])
    #expect(result.failures.map(\.reason) == [.busy])
  }
}
