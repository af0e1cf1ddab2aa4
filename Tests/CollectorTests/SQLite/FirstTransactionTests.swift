import Collector
import ExhibitSQLite
import Foundation
import Testing

/// A file into which nothing was committed yet: it is empty, or holds pages that nobody else may see.
@Suite struct FirstTransactionTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  private let tables = "SELECT count(*) FROM sqlite_schema"
  private let rows = "SELECT count(*) FROM t"
  private static let modes = ["DELETE", "TRUNCATE", "PERSIST", "MEMORY"]
  private static let fill = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO t SELECT randomblob(1000) FROM n
    """

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  /// Two pages do not hold it, so that it is written before it is committed, by every further read in it too.
  @Test(arguments: modes, [2, 2000])
  func ofTheFailedTest(mode: String, cacheSize: Int) throws {
    for begin in ["BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"] {
      let live = try TestConnection(
        folder("\(begin).db"), "PRAGMA journal_mode=\(mode); PRAGMA cache_size=\(cacheSize)")
      try live.execute("\(begin); CREATE TABLE t(x); \(Self.fill)")
      let before = try DatabaseFiles(live.path)

      let result = evidence.capture(live.source)

      #expect(result.failures == [])
      #expect(result.files.map(\.file) == ["library.sqlite", "library.uncommitted.sqlite"])
      #expect(result.files.map(\.capture.uncommitted) == [false, true])
      #expect(try evidence.read(tables) == "0")
      #expect(try evidence.read(rows, from: "library.uncommitted.sqlite") == "200")
      #expect(try DatabaseFiles(live.path).names == before.names)
      if cacheSize > 2 { #expect(try DatabaseFiles(live.path) == before) }
      try live.execute("COMMIT")
      #expect(try live.integer(rows) == 200)
      #expect(try evidence.names == ["library.sqlite", "library.uncommitted.sqlite"])
      for name in try evidence.names { try FileManager.default.removeItem(atPath: evidence(name)) }
    }
  }

  @Test func thatHasOnlyBegun() throws {
    let live = try TestConnection(folder("app.db"), "BEGIN EXCLUSIVE")
    let result = evidence.capture(live.source)
    #expect(result.failures == [])
    #expect(result.files.map(\.file) == ["library.sqlite", "library.uncommitted.sqlite"])
    for name in try evidence.names { #expect(try evidence.read(tables, from: name) == "0") }
    try live.execute("COMMIT")
  }

  @Test func inExclusiveLockingMode() throws {
    let live = try TestConnection(
      folder("app.db"),
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=2; BEGIN; CREATE TABLE t(x); \(Self.fill)")
    let result = evidence.capture(live.source)
    #expect(result.failures == [])
    #expect(try evidence.read(tables) == "0")
    #expect(try evidence.read(rows, from: "library.uncommitted.sqlite") == "200")
  }

  /// Of another test, or of the app: its rows are nobody's evidence.
  @Test func ofAnotherConnectionIsWaitedFor() throws {
    let other = try TestConnection(
      folder("app.db"), "PRAGMA cache_size=2; BEGIN; CREATE TABLE t(x); \(Self.fill)")
    let file = DatabaseFile(path: other.path, connections: [other.lent(belongsToFailedTest: false)])
    let error = try evidence.captureFailing(
      .file(file), limits: CaptureLimits(wait: .milliseconds(200)))
    #expect(error.reason == .busy)
  }

  @Test func ofAnotherProcessIsWaitedFor() throws {
    let other = try OtherProcess(
      folder("app.db"), "PRAGMA cache_size=2; BEGIN; CREATE TABLE t(x); \(Self.fill);")
    let error = try evidence.captureFailing(
      .file(DatabaseFile(path: folder("app.db"))), limits: CaptureLimits(wait: .milliseconds(200)))
    #expect(error.reason == .busy)
    other.end()
  }

  @Test(arguments: [2, 2000], ["BEGIN", "BEGIN EXCLUSIVE"])
  func ofAProcessThatDied(cacheSize: Int, begin: String) throws {
    let path = folder("app.db")
    try crash(path, "PRAGMA cache_size=\(cacheSize);\(begin);CREATE TABLE t(x);\(Self.fill)")
    let before = try DatabaseFiles(path)
    let result = evidence.capture(.file(DatabaseFile(path: path)))
    #expect(result.failures == [])
    #expect(try evidence.read(tables) == "0")
    let left = DatabaseCapturer().captureLeft(at: path, named: "left", into: evidence.path)
    #expect(left.failures == [])
    #expect(try evidence.read(tables, from: "left.sqlite") == "0")
    #expect(try DatabaseFiles(path) == before)
  }
}
