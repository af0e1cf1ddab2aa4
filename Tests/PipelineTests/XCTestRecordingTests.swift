import Collector
import Foundation
import Testing

/// What linking Attach alone records of XCTests, and which databases it captures of those that fail.
@Suite struct XCTestRecordingTests {
  private func run() async throws -> FixtureRun { try await RecordedRun.serial.run() }

  private static let databases: [(test: String, file: String, sql: String, value: String)] = [
    ("QueueTests.QueueTests/testLocalQueueOnDisk", "local.sqlite", players, "Ada,Grace"),
    ("QueueTests.QueueTests/testLocalQueueInMemory", "in-memory", players, "in memory"),
    ("QueueTests.QueueTests/testPool", "pool.sqlite", players, "Ada,Grace,Edsger"),
    ("QueueTests.QueueTests/testProperty", "in-memory", players, "property"),
    ("QueueTests.QueueTests/testInsideARead", "read.sqlite", players, "Ada"),
    ("QueueTests.QueueTests/testThrows", "throws.sqlite", players, "Ada"),
    ("QueueTests.QueueTests/testAsynchronous", "async.sqlite", players, "async"),
    (
      "UnlinkedTests.UnlinkedTests/testFailsInATargetThatDoesNotLinkAttach", "in-memory", players,
      "unlinked"
    ),
    ("ConnectionTests.ConnectionTests/testOpen", "open.db", notes, "open"),
    ("ConnectionTests.ConnectionTests/testOpen16", "open16.db", notes, "open16"),
    ("ConnectionTests.ConnectionTests/testWithoutMutex", "in-memory", notes, "without mutex"),
    ("ConnectionTests.ConnectionTests/testStatementInProgress", "progress.db", notes, "one,two"),
    ("ConnectionTests.ConnectionTests/testMemoryVFS", "in-memory", notes, "memdb"),
    ("ConnectionTests.ConnectionTests/testMemoryVFSOfTwo", "in-memory", notes, "committed,by the other"),
    (
      "ConnectionTests.ConnectionTests/testMemoryVFSOfTwoInATransaction", "in-memory", notes,
      "committed,uncommitted"
    ),
    ("ConnectionTests.ConnectionTests/testMemoryVFSOfTwoThatAreClosed", "in-memory", notes, "closed,closed"),
    (
      "ConnectionTests.ConnectionTests/testExclusiveLockingModeOutsideATransaction", "alone.db", notes,
      "in the WAL"
    ),
    ("ConnectionTests.ConnectionTests/testTemporaryDatabase", "in-memory", notes, "temporary file"),
    ("ConnectionTests.ConnectionTests/testInsideAFunction", "function.db", notes, "function"),
    ("ConnectionTests.ConnectionTests/testOwnTraceAndProgressHandler", "trace.db", notes, "traced"),
    ("ConnectionTests.ConnectionTests/testByConnection", "named by the test", notes, "named"),
  ]
  private static let players = "SELECT group_concat(name) FROM player"
  private static let notes = "SELECT group_concat(text) FROM note"

  @Test(arguments: databases)
  func theDatabaseIsCapturedAsTheTestSawIt(
    _ expected: (test: String, file: String, sql: String, value: String)
  )
    async throws
  {
    let run = try await run()
    let evidence = run.evidence(of: expected.test)
    #expect(evidence.map(\.name) == [expected.file])
    let database = try #require(evidence.first)
    #expect(database.kind == .database)
    #expect(try run.value(expected.sql, in: database) == expected.value)
    #expect(try run.value("PRAGMA journal_mode", in: database) == "delete")
    #expect(run.failures(of: expected.test).isEmpty)
  }

  @Test(arguments: [
    ("QueueTests.QueueTests/testInsideATransaction", "name", "player"),
    ("QueueTests.QueueTests/testInsideAPoolTransaction", "name", "player"),
    ("ConnectionTests.ConnectionTests/testExclusiveLock", "text", "note"),
    ("ConnectionTests.ConnectionTests/testExclusiveLockInWALMode", "text", "note"),
    ("ConnectionTests.ConnectionTests/testExclusiveLockingMode", "text", "note"),
    ("ConnectionTests.ConnectionTests/testExclusiveLockingModeInWALMode", "text", "note"),
    ("ConnectionTests.ConnectionTests/testAnotherConnectionWrites", "text", "note"),
    ("ConnectionTests.SeveralVFSTests/testWithoutLocks", "text", "note"),
    ("ConnectionTests.SeveralVFSTests/testWithLockFiles", "text", "note"),
  ])
  func aFailureInsideATransactionKeepsBothViews(test: String, column: String, table: String) async throws {
    let run = try await run()
    let sql = "SELECT group_concat(\(column)) FROM \(table)"
    let evidence = run.evidence(of: test)
    #expect(evidence.map { $0.database?.uncommitted } == [false, true])
    #expect(try evidence.map { try run.value(sql, in: $0) } == ["committed", "committed,uncommitted"])
    #expect(run.issues(of: test).count == 1, "the test goes on as if nothing had been")
  }

  /// Memory that two connections share by a name has one view: only who writes can read it.
  @Test func sharedMemorySaysWhetherItsRowsAreCommitted() async throws {
    let run = try await run()
    for (test, uncommitted) in [("testMemoryVFSOfTwo", false), ("testMemoryVFSOfTwoInATransaction", true)] {
      let evidence = run.evidence(of: "ConnectionTests.ConnectionTests/\(test)")
      #expect(evidence.map { $0.database?.uncommitted } == [uncommitted])
      #expect(run.issues(of: "ConnectionTests.ConnectionTests/\(test)").count == 1)
    }
  }

  /// The index of its WAL is in the memory of its connection alone.
  @Test func aWALWithoutSharedMemoryIsReadThroughItsOwnConnection() async throws {
    let run = try await run()
    let evidence = run.evidence(
      of: "ConnectionTests.ConnectionTests/testExclusiveLockingModeOutsideATransaction")
    #expect(evidence.map { $0.database?.method } == [.ownHandles])
    #expect(evidence.map { $0.database?.wal } == [.committed])
    let history = try #require(evidence.first?.database?.history)
    #expect(FileManager.default.fileExists(atPath: "\(try run.runs[0])/\(history)/alone.sqlite-wal"))
  }

  @Test func attachedDatabasesAreCapturedToo() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "ConnectionTests.ConnectionTests/testAttachedDatabase")
    let rows = try evidence.map { try run.value("SELECT text FROM note", in: $0) }
    #expect(evidence.map(\.name) == ["main.db", "second.db", "third"])
    #expect(rows == ["main", "second", "third"])
  }

  @Test func oneCacheOfTwoConnectionsIsOneDatabaseAndSaysWhatIsNotCommitted() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "ConnectionTests.ConnectionTests/testSharedCache")
    #expect(evidence.map(\.name) == ["in-memory"])
    #expect(evidence.first?.database?.uncommitted == true)
    #expect(try run.value(Self.notes, in: evidence[0]) == "committed,uncommitted")
  }

  @Test func temporaryTablesAreADatabaseOfTheirOwn() async throws {
    let run = try await run()
    let evidence = run.evidence(of: "ConnectionTests.ConnectionTests/testTemporaryTable")
    #expect(evidence.map(\.name) == ["app.db", "temp"])
    #expect(try run.value("SELECT text FROM draft", in: evidence[1]) == "temporary")
  }

  @Test func failuresHaveMessageFileAndLine() async throws {
    let issues = try await run().issues(of: "QueueTests.QueueTests/testLocalQueueInMemory")
    #expect(
      issues.map(\.message) == [
        "XCTAssertEqual failed: (\"1\") is not equal to (\"2\") - ",
        "XCTAssertEqual failed: (\"3\") is not equal to (\"4\") - a second failure",
      ])
    #expect(issues.allSatisfy { $0.file?.hasSuffix("/Tests/QueueTests/QueueTests.swift") == true })
    let lines = issues.compactMap(\.line)
    #expect(lines.count == 2 && lines[1] == lines[0] + 1)
  }

  @Test func aThrownErrorIsAFailureWithoutALine() async throws {
    let issue = try #require(try await run().issues(of: "QueueTests.QueueTests/testThrows").first)
    #expect(issue.message.contains("no such table: missing"))
    #expect(issue.file == nil && issue.line == nil)
  }

  @Test func outcomesAndDurations() async throws {
    let run = try await run()
    #expect(run.end(of: "QueueTests.QueueTests/testPasses")?.outcome == .passed)
    #expect(run.end(of: "QueueTests.QueueTests/testSkipped")?.outcome == .skipped)
    #expect(run.end(of: "QueueTests.QueueTests/testThrows")?.outcome == .failed)
    #expect(try #require(run.end(of: "QueueTests.QueueTests/testPasses")?.duration) > 0)
  }

  @Test func testsThatPassOrAreSkippedLeaveNothing() async throws {
    let run = try await run()
    for test in ["QueueTests.QueueTests/testPasses", "QueueTests.QueueTests/testSkipped"] {
      #expect(run.evidence(of: test).isEmpty)
    }
  }

  @Test func parallelRunsRecordTheSame() async throws {
    let serial = try await run()
    let parallel = try await RecordedRun.parallel.run()
    #expect(parallel.outcomes == serial.outcomes)
    #expect(try parallel.runs.count == 1)
    #expect(parallel.logs.count > 20, "one process for each XCTest")
    let captured = { (run: FixtureRun) in
      Set(
        run.records.compactMap { record -> String? in
          guard let evidence = record.payload as? CapturedEvidence, evidence.kind != .story else {
            return nil
          }
          // How many are held near the limit depends on what else the process has open.
          if record.test?.name == "testFewDescriptors" { return nil }
          return "\(record.test?.description ?? "") \(evidence.name)"
        })
    }
    #expect(captured(parallel) == captured(serial))
  }
}
