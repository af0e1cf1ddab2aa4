import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// Writers and a checkpointing process on accounts whose sum never changes, while captures go on.
///
/// In short a second or two; thousands of captures with `EXHIBIT_LONG_TESTS=1`.
@Suite struct TortureTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = folder("bank.db")
  }

  private let accounts =
    """
    CREATE TABLE account(id INTEGER PRIMARY KEY, amount INTEGER, note BLOB);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO account SELECT i, 100, randomblob(400) FROM n;
    """

  /// Another process that moves amounts and, in WAL mode, checkpoints, until it is killed.
  private func startWriter(checkpoints: Bool) throws -> StartedCommand {
    let script = """
      import os, random, sqlite3, sys, time
      db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
      db.execute('PRAGMA synchronous=OFF')
      wal = sys.argv[1] + '-wal'
      while True:
        # Captures hold checkpoints up, and a WAL beyond the limit of one database would be captured no more.
        while os.path.exists(wal) and os.path.getsize(wal) > 32 << 20:
          if \(checkpoints ? "True" : "False"): db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
          time.sleep(0.005)
        a, b = random.sample(range(1, 401), 2)
        db.execute('BEGIN IMMEDIATE')
        db.execute('UPDATE account SET amount=amount-7, note=? WHERE id=?', (os.urandom(400), a))
        db.execute('UPDATE account SET amount=amount+7, note=? WHERE id=?', (os.urandom(400), b))
        db.execute('COMMIT')
        if \(checkpoints ? "a % 4 == 0" : "False"):
          db.execute('PRAGMA wal_checkpoint(' + random.choice(['PASSIVE', 'RESTART', 'TRUNCATE']) + ')')
      """
    return try Command(["python3", "-c", script, path]).start()
  }

  private func checkCopy(_ file: String, _ comment: Comment? = nil) throws {
    #expect(try evidence.read("SELECT sum(amount) FROM account", from: file) == "40000", comment)
    #expect(try evidence.read("PRAGMA integrity_check", from: file) == "ok", comment)
  }

  private func removeEvidence() throws {
    for name in try evidence.names { try FileManager.default.removeItem(atPath: evidence(name)) }
  }

  /// A failure other than waiting in vain is one; so is a copy that is not one committed state.
  @Test(arguments: ["DELETE", "WAL"], [false, true])
  func captureWhileOtherProcessesWrite(mode: String, isOpenHere: Bool) throws {
    let setup = try TestConnection(path, "PRAGMA journal_mode=\(mode); \(accounts)")
    let live = isOpenHere ? setup : nil
    if !isOpenHere { setup.close() }
    let writers = try [true, false, true].map { try startWriter(checkpoints: mode == "WAL" && $0) }
    defer { writers.forEach { $0.kill() } }
    usleep(200_000)
    let file = DatabaseFile(path: path, connections: live.map { [$0.lent()] } ?? [])
    var captured = 0
    for round in 0..<(LongTests.areAsked ? 2000 : 25) {
      let result = evidence.capture(.file(file), keepsHistory: true)
      let others = result.failures.filter { $0.reason != .busy }
      #expect(others.isEmpty)
      for file in result.files { try checkCopy(file.file, "round \(round): \(result)") }
      captured += result.files.count
      try removeEvidence()
    }
    #expect(captured > 0)
    if LongTests.areAsked { print("captured \(captured) states in \(mode) mode, open here: \(isOpenHere)") }
    let ended = writers.filter { !$0.process.isRunning }
    #expect(ended.isEmpty)
    writers.forEach { $0.kill() }
    #expect(
      try run("sqlite3", path, "SELECT sum(amount) FROM account; PRAGMA integrity_check").output
        == "40000\nok\n")
  }

  /// A writer dies at some moment; what it left is captured without repairing the original.
  @Test(arguments: ["DELETE", "WAL"])
  func captureWhatAKilledWriterLeft(mode: String) throws {
    try TestConnection(path, "PRAGMA journal_mode=\(mode); \(accounts)").close()
    for round in 0..<(LongTests.areAsked ? 200 : 6) {
      let writer = try startWriter(checkpoints: mode == "WAL")
      usleep(.random(in: 60_000...120_000))
      writer.kill()
      let before = try DatabaseFiles(path)
      let result = evidence.capture(.file(DatabaseFile(path: path)), keepsHistory: true)
      #expect(result.failures.isEmpty, "round \(round)")
      #expect(result.files.map(\.file) == ["library.sqlite"], "round \(round): \(result)")
      try checkCopy("library.sqlite", "round \(round)")
      #expect(try DatabaseFiles(path) == before, "round \(round)")
      try removeEvidence()
    }
  }

  /// The capturing process dies at some moment: what has a name is whole, and the database is as it was.
  @Test(arguments: ["DELETE", "WAL"])
  func killTheCapturingProcess(mode: String) throws {
    try TestConnection(
      path,
      "PRAGMA journal_mode=\(mode); PRAGMA wal_autocheckpoint=0; \(accounts); UPDATE account SET note=randomblob(3000)"
    ).close()
    for round in 0..<(LongTests.areAsked ? 300 : 10) {
      let process = try CaptureProcess(
        path, into: evidence.path,
        "PRAGMA wal_autocheckpoint=0; PRAGMA user_version=\(round); BEGIN IMMEDIATE; UPDATE account SET amount=0"
      )
      _ = try process.capture("first")
      for number in 0..<50 { try process.request("c\(number)") }
      usleep(.random(in: 0...30_000))
      process.kill()
      for name in try evidence.names where name.hasSuffix(".sqlite") && !name.contains("uncommitted") {
        try checkCopy(name, "round \(round)")
      }
      for name in try evidence.names where name.hasSuffix(".history") {
        let sum = try run(
          "sqlite3", "\(evidence(name))/\(name.replacingOccurrences(of: ".history", with: ".sqlite"))",
          "SELECT sum(amount) FROM account")
        #expect(sum.output == "40000\n", "round \(round): \(name)")
      }
      try removeEvidence()
    }
    #expect(
      try run("sqlite3", path, "SELECT sum(amount) FROM account; PRAGMA integrity_check").output
        == "40000\nok\n")
  }
}
