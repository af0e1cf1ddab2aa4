import Foundation
import Testing

@testable import ReportInspection
@testable import ReportRendering
@testable import ReportTestSupport

/// Databases and WALs that anybody may have made: a reason or what can be told, in bounds.
@Suite struct HostileWALTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func live(_ statements: String) throws -> (database: Data, wal: Data) {
    let live = try TestConnection(
      folder("live.db"),
      "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; " + statements)
    defer { live.close() }
    return (
      try Data(contentsOf: URL(fileURLWithPath: folder("live.db"))),
      try Data(contentsOf: URL(fileURLWithPath: folder("live.db-wal")))
    )
  }

  private func history(_ database: Data, _ wal: Data, _ limits: WALHistoryLimits = .init()) throws
    -> WALHistory
  {
    try database.write(to: URL(fileURLWithPath: folder("raw")))
    try wal.write(to: URL(fileURLWithPath: folder("raw-wal")))
    return readWALHistory(
      of: folder("raw"), wal: folder("raw-wal"), captured: folder("raw"), since: folder("raw"), rows: true,
      limits: limits)
  }

  private static let statements = """
    CREATE TABLE a(id INTEGER PRIMARY KEY, x); CREATE TABLE b(k PRIMARY KEY, v) WITHOUT ROWID; CREATE INDEX ax ON a(x);
    PRAGMA wal_checkpoint(TRUNCATE);
    """
    + (0..<20).map {
      "INSERT INTO a(x) VALUES (printf('%.*c', \($0 * 90), 'x')); INSERT INTO b VALUES (\($0), zeroblob(\($0 * 50)));"
    }.joined() + "DELETE FROM a WHERE id < 5; CREATE TABLE c(x); DROP TABLE b;"

  @Test func damagedFilesAreToldAsFarAsTheyGo() throws {
    let (database, wal) = try live(Self.statements)
    let whole = try history(database, wal)
    #expect(whole.transactions.count == 43 && whole.problems == [])
    var mutation = Mutation(seed: 15)
    var told = 0
    let count = ProcessInfo.processInfo.environment["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 300
    for round in 0..<count {
      let mutated = mutation.mutated(round % 2 == 0 ? database : wal, with: [database, wal])
      let history = try history(round % 2 == 0 ? mutated : database, round % 2 == 0 ? wal : mutated)
      let isTold = !history.transactions.isEmpty || history.checkpointed > 0
      #expect(isTold || !history.problems.isEmpty, "round \(round)")
      #expect(history.transactions.count <= history.count)
      for line in printedWAL(history, name: "raw") { #expect(!line.text.isEmpty) }
      if isTold { told += 1 }
    }
    #expect(told > count / 10)
  }

  @Test func whatIsNoWALOrNoDatabaseHasAReason() throws {
    let (database, wal) = try live(Self.statements)
    for (file, log) in [
      (Data("no database".utf8), wal), (Data(repeating: 7, count: 8192), wal), (Data(), wal),
      (database, Data()),
      (database, Data(repeating: 1, count: 4096)), (database, wal.prefix(32)), (database, wal.prefix(200)),
    ] {
      let history = try history(file, log)
      #expect(history.transactions.isEmpty && history.problems.count == 1, "\(file.count), \(log.count)")
    }
    let missing = readWALHistory(of: folder("nothing"), wal: folder("raw-wal"), rows: true)
    #expect(missing.problems.first?.hasPrefix("The files cannot be read") == true)
  }

  @Test func aWALCutOffEndsAtItsLastWholeTransaction() throws {
    let (database, wal) = try live(Self.statements)
    let history = try history(database, wal.dropLast(100))
    #expect(history.transactions.count == 42 && history.problems == [])
  }

  @Test func rowsOfTheLastTransactionsAndOfTheBiggestAreKept() throws {
    let big = "INSERT INTO a(x) SELECT x FROM a;"
    let (database, wal) = try live(
      "CREATE TABLE a(id INTEGER PRIMARY KEY, x);"
        + (0..<40).map { "INSERT INTO a(x) VALUES (\($0));" }.joined() + big
        + (0..<200).map { "INSERT INTO a(x) VALUES (\($0));" }.joined())
    var limits = WALHistoryLimits()
    (limits.rowBytes, limits.biggest) = (4000, 1)
    let history = try history(database, wal, limits)
    #expect(history.transactions.count == 242 && history.withoutRows > 100)
    let kept = history.transactions.filter { $0.tables.contains { $0.groups.contains { !$0.rows.isEmpty } } }
    #expect(kept.contains { $0.rowCount == 40 } && kept.last?.number == 242)
    #expect(kept.dropFirst().allSatisfy { $0.number > 150 })
    #expect(history.transactions.dropFirst().allSatisfy { $0.rowCount == ($0.number == 42 ? 40 : 1) })
  }

  @Test func aSecondProcessesTransactionsAreToldLikeAnyOther() throws {
    let other = try OtherProcess(
      folder("shared.db"),
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(x); INSERT INTO t VALUES (1);"
    )
    defer { other.end() }
    let mine = try TestConnection(folder("shared.db"), "PRAGMA wal_autocheckpoint = 0")
    try mine.execute("INSERT INTO t VALUES (2)")
    let history = readWALHistory(of: folder("shared.db"), wal: folder("shared.db-wal"), rows: true)
    #expect(history.transactions.map(\.rowCount) == [0, 1, 1])
    let lines = printedWAL(history, name: "shared.db").map(\.text)
    #expect(lines.first == "In all: +2 t, t created")
  }
}
