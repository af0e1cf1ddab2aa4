import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// A WAL is folded to the byte as SQLite's own recovery would fold it, whatever state it is in.
///
/// In short every fifth state; every one with `EXHIBIT_LONG_TESTS=1`.
@Suite struct WALFoldingTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  private let table = "CREATE TABLE t(i INTEGER PRIMARY KEY, x)"

  /// Captures a pair and compares the result with SQLite's.
  @discardableResult
  private func capture(_ pair: WALPair, _ comment: Comment? = nil) throws -> DatabaseCapture {
    let path = folder("app.db")
    try pair.write(to: path)
    let result = evidence.capture(.file(DatabaseFile(path: path)))
    #expect(result.failures.isEmpty, comment)
    let capture = try #require(result.files.first?.capture, comment)
    let folded = try #require(bytes(of: evidence("library.sqlite")))
    try FileManager.default.removeItem(atPath: evidence("library.sqlite"))
    let expected = try pair.recovered(in: folder)
    #expect(comparable(folded) == comparable(expected.database), comment)
    #expect(capture.walFrames?.committed ?? 0 == max(expected.frames, 0), comment)
    return capture
  }

  /// Without the counters that SQLite raises when it leaves WAL mode.
  private func comparable(_ database: Data) -> Data {
    var database = database
    guard database.count >= 100 else { return database }
    database.resetBytes(in: 24..<28)
    database.resetBytes(in: 92..<100)
    return database
  }

  @Test(arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536], [false, true])
  func everyPageSizeAndBothByteOrders(pageSize: Int, isOtherByteOrder: Bool) throws {
    var pair = try WALPair(
      in: folder, "PRAGMA page_size=\(pageSize); \(table)",
      (1...5).map { "INSERT INTO t(x) VALUES(randomblob(\($0 * pageSize)))" } + ["DELETE FROM t WHERE i=2"])
    if isOtherByteOrder { pair = pair.withOtherByteOrder }
    let capture = try capture(pair)
    #expect(capture.wal == .committed)
    #expect(capture.walFrames?.transactions == 6)
    #expect(capture.walFrames?.uncommitted == 0)
    #expect(capture.walFrames?.isBroken == false)
  }

  @Test func aWALThatEndsAtAnyByte() throws {
    let whole = try WALPair(
      in: folder, "PRAGMA page_size=512; \(table)",
      ["INSERT INTO t VALUES(1,2)", "INSERT INTO t VALUES(2,3)"])
    var states: Set<DatabaseCapture.WALState> = []
    // A frame is a header of 24 bytes and its page, behind the file's header of 32.
    let ends = stride(from: 32, through: whole.wal.count, by: 24 + 512)
    for length in Set(LongTests.some(of: 0...whole.wal.count) + ends).sorted() {
      var pair = whole
      pair.wal = whole.wal.prefix(length)
      states.insert(try capture(pair, "\(length) bytes").wal)
    }
    #expect(states == [.empty, .torn, .committed])
  }

  @Test func aWALWithAWrongByteAnywhere() throws {
    let whole = try WALPair(
      in: folder, "PRAGMA page_size=512; \(table)",
      ["INSERT INTO t VALUES(1,2)", "INSERT INTO t VALUES(2,3)"])
    var generator = SeededGenerator(seed: 7)
    for offset in LongTests.some(of: 0..<whole.wal.count) where !WALHeaderOffsets.version.contains(offset) {
      var pair = whole
      pair.wal[offset] ^= UInt8.random(in: 1...255, using: &generator)
      try capture(pair, "byte \(offset)")
    }
  }

  /// Transactions of all sizes, with spills, rollbacks, shrinking and resets; then cut, overwritten, or neither.
  @Test(arguments: LongTests.some(of: 0..<8))
  func randomWALs(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let whole = try randomPair(&generator)
    try capture(whole, "seed \(seed)")
    for round in 0..<80 {
      var pair = Bool.random(using: &generator) ? whole.withOtherByteOrder : whole
      if Bool.random(using: &generator) {
        pair.wal = pair.wal.prefix(.random(in: 0...pair.wal.count, using: &generator))
      }
      for _ in 0..<Int.random(in: 0...2, using: &generator) where pair.wal.count > 32 {
        pair.wal[.random(in: 32..<pair.wal.count, using: &generator)] ^= 0x41
      }
      try capture(pair, "seed \(seed), round \(round)")
    }
  }

  private func randomPair(_ generator: inout SeededGenerator) throws -> WALPair {
    let pageSize = [512, 1024, 4096].randomElement(using: &generator) ?? 512
    let statements = (0..<30).map { _ in
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: "DELETE FROM t WHERE i % 2; PRAGMA incremental_vacuum"
      case 1: "BEGIN; INSERT INTO t(x) VALUES(randomblob(60000)); ROLLBACK"
      case 2: "PRAGMA wal_checkpoint(PASSIVE)"
      case 3: "UPDATE t SET x=randomblob(700) WHERE i % 3 = 0"
      default: "INSERT INTO t(x) VALUES(randomblob(\(Int.random(in: 0..<9000, using: &generator))))"
      }
    }
    return try WALPair(
      in: folder,
      "PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=INCREMENTAL; PRAGMA cache_size=5; \(table)",
      statements, uncommitted: Bool.random(using: &generator) ? "UPDATE t SET x=randomblob(5000)" : "")
  }

  // MARK: - States

  @Test func anUncommittedTailIsCountedAndLeftOut() throws {
    let pair = try WALPair(
      in: folder, table, ["INSERT INTO t(x) VALUES(7)"],
      uncommitted: "INSERT INTO t(x) VALUES(randomblob(99999))")
    let capture = try capture(pair)
    #expect(capture.wal == .committed)
    #expect(capture.walFrames?.transactions == 1)
    #expect(capture.walFrames?.uncommitted ?? 0 > 0)
  }

  @Test func aWALWithoutAnyCommit() throws {
    let pair = try WALPair(in: folder, table, [], uncommitted: "INSERT INTO t(x) VALUES(randomblob(99999))")
    let capture = try capture(pair)
    #expect(capture.wal == .uncommitted)
    #expect(capture.walFrames?.committed == 0)
  }

  @Test func aWALThatIsInTheDatabaseAlready() throws {
    let pair = try WALPair(
      in: folder, table,
      ["INSERT INTO t(x) VALUES(7)", "INSERT INTO t(x) VALUES(8)", "PRAGMA wal_checkpoint(PASSIVE)"])
    let capture = try capture(pair)
    #expect(capture.wal == .backfilled)
    #expect(capture.walFrames?.transactions == 2)
  }

  @Test func framesLeftFromBeforeTheLastResetDoNotCount() throws {
    let pair = try WALPair(
      in: folder, table,
      [
        "INSERT INTO t(x) VALUES(randomblob(50000))", "PRAGMA wal_checkpoint(RESTART)",
        "INSERT INTO t(x) VALUES(8)",
      ])
    let capture = try capture(pair)
    #expect(capture.walFrames?.transactions == 1)
    #expect(capture.walFrames?.isBroken == false)
  }

  @Test func theDatabaseTakesTheSizeOfTheLastCommit() throws {
    let pair = try WALPair(
      in: folder, "PRAGMA auto_vacuum=FULL; \(table); INSERT INTO t(x) VALUES(zeroblob(200000))",
      ["DELETE FROM t"])
    #expect(pair.database.count > 200_000)
    #expect(try capture(pair).wal == .committed)
  }

  @Test func aSizeThatNoDiskHoldsIsRefused() throws {
    var pair = try WALPair(in: folder, "PRAGMA page_size=512; \(table)", ["INSERT INTO t(x) VALUES(7)"])
    let last = pair.wal.count - 512 - 24
    pair.wal.replaceSubrange(last + 4..<last + 8, with: [0xff, 0xff, 0xff, 0xff])
    let path = folder("app.db")
    try pair.withOtherByteOrder.write(to: path)
    #expect(try evidence.captureFailing(.file(DatabaseFile(path: path))).reason == .overBudget)
  }
}

private enum WALHeaderOffsets {
  /// With another version SQLite does not open the database at all.
  static let version = 4..<8
}
