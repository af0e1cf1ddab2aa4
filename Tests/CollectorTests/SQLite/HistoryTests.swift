import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// The raw database and WAL beside the checkpointed file: every state since the last checkpoint.
@Suite struct HistoryTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  private let setup = "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t(x)"

  @Test func committedTransactionsAreKeptAsTheyLieInTheWAL() throws {
    let live = try TestConnection(
      folder("app.db"), "\(setup); INSERT INTO t VALUES(1); INSERT INTO t VALUES(2)")
    let before = try DatabaseFiles(live.path)
    let result = evidence.capture(live.source, keepsHistory: true)
    #expect(result.failures.isEmpty)
    #expect(result.files.first?.capture.history == "library.history")
    #expect(result.files.first?.capture.walFrames?.transactions == 3)
    #expect(try evidence.names == ["library.history", "library.sqlite"])
    #expect(try run("cmp", evidence("library.history/library.sqlite"), live.path).status == 0)
    #expect(try run("cmp", evidence("library.history/library.sqlite-wal"), live.path + "-wal").status == 0)
    #expect(try evidence.read("SELECT sum(x) FROM t") == "3")
    #expect(try DatabaseFiles(live.path) == before)
    // With the last frames cut off, the history is the state before them.
    let wal = try #require(bytes(of: evidence("library.history/library.sqlite-wal")))
    try wal.dropLast(1).write(to: URL(fileURLWithPath: evidence("library.history/library.sqlite-wal")))
    #expect(
      try run("sqlite3", evidence("library.history/library.sqlite"), "SELECT sum(x) FROM t").output == "1\n")
  }

  @Test(arguments: ["DELETE", "WAL"])
  func withoutCommittedTransactionsThereIsNone(mode: String) throws {
    let live = try TestConnection(folder("app.db"), "\(setup); PRAGMA wal_checkpoint(TRUNCATE)")
    try live.execute("PRAGMA journal_mode=\(mode)")
    #expect(evidence.capture(live.source, keepsHistory: true).files.first?.capture.history == nil)
    #expect(try evidence.names == ["library.sqlite"])
  }

  @Test func aHistoryAboveTheLimitIsNamedAndLeftOut() throws {
    let live = try TestConnection(
      folder("app.db"), "\(setup); INSERT INTO t VALUES(zeroblob(200000)); PRAGMA wal_checkpoint(TRUNCATE)")
    try live.execute("INSERT INTO t VALUES(1)")
    let limits = CaptureLimits(databaseBytes: 300_000)
    let result = evidence.capture(live.source, limits: limits, keepsHistory: true)
    #expect(result.failures.isEmpty)
    #expect(result.files.first?.capture.history == nil)
    #expect(result.files.first?.capture.note?.contains("more than the limit of 300000") == true)
    #expect(try evidence.names == ["library.sqlite"])
  }

  /// Rows that were excluded would stand in it.
  @Test func withExcludedTablesThereIsNone() throws {
    let live = try TestConnection(folder("app.db"), "\(setup); INSERT INTO t VALUES('secret')")
    let capturer = DatabaseCapturer(excludedTables: ["t"], keepsHistory: true)
    let result = capturer.capture(live.source, named: "library", into: evidence.path)
    #expect(result.files.map(\.capture.history) == [nil])
    #expect(try evidence.names == ["library.sqlite"])
  }
}
