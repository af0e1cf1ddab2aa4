import Collector
import ExhibitCSQLite
import ExhibitSystem
import Foundation
import Testing

/// Captures of a database that other connections write and checkpoint at the same time.
@Suite struct ConcurrentWritersTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  @Test func everyCaptureIsOneCommittedState() async throws {
    let live = try TestConnection(
      folder("app.db"),
      """
      PRAGMA journal_mode=WAL; CREATE TABLE account(id INTEGER PRIMARY KEY, amount INTEGER, note BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO account SELECT i, 100, randomblob(400) FROM n;
      """)
    let writers = try (0..<2).map { _ in try Writer(live.path) }
    for writer in writers { writer.start() }
    defer { for writer in writers { writer.stop() } }
    let file = DatabaseFile(path: live.path, connections: [live.lent()] + writers.map { $0.lent })
    var states: Set<DatabaseCapture.WALState> = []
    // On a machine that does other things too, the WAL grows faster than it is captured.
    let capturer = DatabaseCapturer(limits: CaptureLimits(databaseBytes: 4 << 30))
    for round in 0..<(LongTests.areAsked ? 1000 : 60) {
      let result = capturer.capture(.file(file), named: "\(round)", into: evidence.path)
      #expect(result.failures.isEmpty)
      states.formUnion(result.files.map(\.capture.wal))
      #expect(try evidence.read("SELECT sum(amount) FROM account", from: "\(round).sqlite") == "40000")
      #expect(try evidence.read("PRAGMA quick_check", from: "\(round).sqlite") == "ok")
      try FileManager.default.removeItem(atPath: evidence("\(round).sqlite"))
    }
    for writer in writers { writer.stop() }
    #expect(writers.allSatisfy { $0.commits > 0 })
    #expect(writers.flatMap(\.failures) == [])
    #expect(try live.integer("SELECT sum(amount) FROM account") == 40000)
    #expect(states.contains(.committed))
  }

  /// The WAL starts anew while the database is being copied: possible only when all of it is in the database.
  @Test func aWALThatIsResetMeanwhileIsLeftOut() throws {
    // On a busy machine the writer may come too late, behind the copy.
    let isReset = try (1...10).contains { _ in try captureWhileTheWALIsReset() }
    #expect(isReset)
  }

  /// - Returns: False where the writer came behind the copy.
  private func captureWhileTheWALIsReset() throws -> Bool {
    let folder = try TemporaryFolder()
    let evidence = try EvidenceFolder(in: folder)
    let live = try TestConnection(
      folder("app.db"),
      """
      PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t(x);
      INSERT INTO t VALUES(zeroblob(60000000)); PRAGMA wal_checkpoint(TRUNCATE);
      CREATE TABLE n(i); INSERT INTO n VALUES(1); PRAGMA wal_checkpoint(PASSIVE)
      """)
    // Nobody knows this connection, so nothing makes it wait for the capture.
    let other = try TestConnection(live.path)
    let isCaptured = Locked(false)
    let writer = DispatchSemaphore(value: 0)
    let thread = Thread {
      defer { writer.signal() }
      // Until the copy has begun: the reader has its snapshot then.
      while (try? evidence.names)?.contains(where: { (fileSize(evidence("\($0)/database")) ?? 0) > 0 })
        != true
      {
        if isCaptured.withLock({ $0 }) { return }
        usleep(50)
      }
      try? other.execute("INSERT INTO n VALUES(2)")
    }
    thread.start()
    let capture = try evidence.captureOne(live.source)
    isCaptured.withLock { $0 = true }
    writer.wait()
    guard capture.wal == .reset else { return false }
    #expect(try evidence.read("SELECT sum(i) FROM n") == "1")
    #expect(try evidence.read("PRAGMA quick_check") == "ok")
    #expect(try live.integer("SELECT sum(i) FROM n") == 3)
    return true
  }
}

/// Moves amounts between accounts, and checkpoints, in a thread of its own until it is stopped.
private final class Writer: Sendable {
  private let connection: TestConnection
  private let state = Locked((isStopped: false, hasEnded: true, commits: 0, failures: [String]()))

  init(_ path: String) throws {
    // SQLite lets nobody have a turn: on a busy machine the other writer can be first for long.
    connection = try TestConnection(path, "PRAGMA busy_timeout=120000; PRAGMA wal_autocheckpoint=20")
  }

  var lent: LiveConnection { connection.lent(belongsToFailedTest: false) }
  var commits: Int { state.withLock(\.commits) }
  var failures: [String] { state.withLock(\.failures) }

  func start() {
    state.withLock { $0.hasEnded = false }
    Thread { [self] in
      while !state.withLock(\.isStopped) { transfer() }
      state.withLock { $0.hasEnded = true }
    }.start()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    while !state.withLock(\.hasEnded) { usleep(100) }
  }

  private func transfer() {
    let (from, to) = (Int.random(in: 1...400), Int.random(in: 1...400))
    do {
      try connection.execute(
        """
        BEGIN IMMEDIATE; UPDATE account SET amount=amount-7, note=randomblob(400) WHERE id=\(from);
        UPDATE account SET amount=amount+7, note=randomblob(400) WHERE id=\(to); COMMIT
        """)
      if from % 20 == 0 {
        try connection.execute("PRAGMA wal_checkpoint(\(to % 2 == 0 ? "TRUNCATE" : "RESTART"))")
      }
      state.withLock { $0.commits += 1 }
    } catch {
      state.withLock { $0.failures.append("\(error)") }
    }
  }
}
