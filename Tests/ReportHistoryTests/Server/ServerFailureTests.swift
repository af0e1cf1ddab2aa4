import Collector
import ExhibitSystem
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// A server that goes away, does not answer or is full: what was to be added is there whole or not at all, in good time.
@Suite(
  .serialized,
  .enabled(
    if: PostgreSQLServer.isAvailable, "needs the server of postgresql, which ci/setup --postgresql installs"))
struct ServerFailureTests {
  private func run(_ hour: Double, tests: Int = 300) -> KeptRun {
    var test = WrittenHistory.first
    return KeptRun(
      run: WrittenHistory.run(hour),
      tests: (0..<tests).map { number in
        test.name = "testNumber\(number)"
        return WrittenHistory.result(test, .failed, "fails in \"\(number)\"")
      })
  }

  /// A history with a run, on a server of its own.
  private func history(_ server: PostgreSQLServer, _ query: String = "connect_timeout=2") throws
    -> ServedHistory
  {
    try HistoryServer(server.makeDatabase("history")).add(run(1))
    let store = HistoryServer(server.address(of: "history", query))
    return ServedHistory(server: server, database: "history", store: store)
  }

  /// What adding a run says that ends in the middle, after its run and its tests were written.
  ///
  /// - Parameter body: Gets the number of the server's process that writes.
  private func interrupted(_ history: ServedHistory, _ body: (Int32) throws -> Void) throws -> HistoryError {
    // It waits for this lock where it writes its outcomes.
    let lock = try Dialogue(
      ["psql", "-qAt", "-h", history.server.folder.path, "-U", PostgreSQLServer.user, "-d", history.database])
    defer { lock.kill() }
    try lock.send("BEGIN; LOCK TABLE exhibit.outcomes IN SHARE MODE; SELECT 1;")
    _ = try lock.line()
    let (failure, done) = (Locked<HistoryError?>(nil), DispatchSemaphore(value: 0))
    let store = history.store.renewed
    let added = run(2)
    Thread.detachNewThread {
      do throws(HistoryError) { try store.add(added) } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    var writer: Int32?
    PostgreSQLServer.wait {
      let waiting =
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE 'Exhibit%'"
      writer = (try? history.server.sql(waiting)).flatMap { Int32($0) }
      return writer != nil
    }
    try body(#require(writer))
    #expect(done.wait(timeout: .now() + 5) == .success, "it does not end")
    return try #require(failure.withLock { $0 })
  }

  /// The run that was interrupted is not there in part, and can be added.
  private func expectWhole(_ history: ServedHistory) throws {
    PostgreSQLServer.wait { (try? history.value("SELECT 1")) != nil }
    #expect(try history.value("SELECT count(*) FROM runs") == "1")
    #expect(try history.value("SELECT count(*) FROM outcomes") == "300")
    #expect(try HistoryServer(history.address()).add(run(2)) != nil)
    #expect(try history.value("SELECT count(*) FROM outcomes") == "600")
  }

  @Test func aProcessOfTheServerThatIsKilledTakesBackWhatItWrote() throws {
    let history = try history(PostgreSQLServer())
    let error = try interrupted(history) { kill($0, SIGKILL) }
    #expect(
      "\(error)".contains("cannot be written") && "\(error)".contains("What was begun is taken back."),
      "\(error)")
    try expectWhole(history)
  }

  @Test func aServerThatIsKilledTakesBackWhatItWasTold() throws {
    let history = try history(PostgreSQLServer())
    let error = try interrupted(history) { _ in history.server.signal(SIGKILL) }
    #expect("\(error)".contains("cannot be written") || "\(error)".contains("did not answer"), "\(error)")
    history.server.stop()
    try history.server.start()
    try expectWhole(history)
  }

  @Test func aServerThatStopsInTheMiddleIsNotWaitedFor() throws {
    let history = try history(PostgreSQLServer())
    let start = ContinuousClock.now
    var writer: Int32 = 0
    let error = try interrupted(history) {
      writer = $0
      kill(writer, SIGSTOP)
    }
    #expect(error.problem == .late(seconds: 2))
    #expect(.now - start < .seconds(4))
    kill(writer, SIGCONT)
    try expectWhole(history)
  }

  @Test func aServerThatStandsStillIsNotWaitedFor() throws {
    let history = try history(PostgreSQLServer(), "connect_timeout=1")
    history.server.signal(SIGSTOP)
    defer { history.server.signal(SIGCONT) }
    let start = ContinuousClock.now
    let error = try #require(throws: HistoryError.self) { try history.store.add(run(2)) }
    #expect(error.problem == .late(seconds: 1))
    // All that a report asks has one time.
    for _ in 1...3 {
      let next = try #require(throws: HistoryError.self) { try history.store.identities() }
      #expect(next == error)
    }
    #expect(.now - start < .seconds(1.8))
  }

  @Test func aServerThatHasGoneIsToldAtOnce() throws {
    let history = try history(PostgreSQLServer())
    history.server.stop()
    let start = ContinuousClock.now
    let error = try #require(throws: HistoryError.self) { try history.store.add(run(2)) }
    #expect("\(error)".contains("cannot be reached"), "\(error)")
    #expect(.now - start < .seconds(1))
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting a file system takes root"))
  func aFullDiskTakesBackWhatWasWritten() throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: try folder.makeFolder("disk"), kilobytes: 96 << 10)
    defer { disk.unmount() }
    try Command(["chmod", "0755", folder.path]).run()
    let history = try history(PostgreSQLServer(data: folder.makeFolder("disk/data")), "connect_timeout=5")
    try Command(["dd", "if=/dev/zero", "of=\(folder.path)/disk/fill", "bs=64k"]).run()
    let error = try #require(throws: HistoryError.self) {
      // Some room is left in pages and in the log.
      for hour in 2...40 { try history.store.renewed.add(run(Double(hour), tests: 3000)) }
    }
    #expect("\(error)".contains("No space left") || "\(error)".contains("cannot be written"), "\(error)")
    try FileManager.default.removeItem(atPath: folder("disk/fill"))
    history.server.stop()
    try history.server.start()
    #expect(
      try history.value(
        "SELECT count(*) FROM runs WHERE (SELECT count(*) FROM outcomes WHERE run = runs.id) NOT IN (300, 3000)"
      ) == "0")
    #expect(try history.store.renewed.add(run(90)) != nil)
    history.server.stop()
  }
}

/// What answers where a server is expected.
@Suite struct SilentServerTests {
  private func problem(_ server: SilentServer) throws -> (HistoryError, Duration) {
    try server.problem("connect_timeout=1")
  }

  @Test func oneThatSaysNothingIsNotWaitedFor() throws {
    let (error, time) = try problem(SilentServer())
    #expect(error.problem == .late(seconds: 1))
    #expect(time < .seconds(1.8))
  }

  @Test func oneThatSpeaksSomethingElseIsTold() throws {
    let (error, time) = try problem(SilentServer(answer: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))
    #expect("\(error)".contains("cannot be reached"), "\(error)")
    #expect(time < .seconds(1))
  }

  /// It lets everybody in, says its version, and is ready.
  @Test func anOldServerIsNamed() throws {
    func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
      [kind.asciiValue ?? 0, 0, 0, 0, UInt8(body.count + 4)] + body
    }
    let (error, _) = try problem(
      SilentServer(
        answer: message("R", [0, 0, 0, 0])
          + message("S", Array("server_version\0".utf8) + Array("9.6.24\0".utf8))
          + message("Z", Array("I".utf8))))
    #expect(error.problem == .oldServer(version: "9"))
    #expect("\(error)".contains("PostgreSQL 9; 12 is the first"))
  }
}
