import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// Tests that die in the middle of a transaction: what was committed is in the report, the originals are as they were.
@Suite struct PostMortemTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  private var environment: [String: String] { ["DYING_FOLDER": temporary.path] }

  /// Every file that the tests left, with its bytes.
  private func leftFiles() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: temporary.path)
    where name.hasPrefix("dying-") || name.hasPrefix("hanging-") {
      // Folders have no contents.
      files[name] = FileManager.default.contents(atPath: temporary.path + "/" + name)
    }
    return files
  }

  private func rows(_ sql: String = "SELECT group_concat(a) FROM t", in file: String) throws -> String? {
    let connection = try SQLiteConnection(path: file, flags: SQLITE_OPEN_READONLY, image: .linked)
    #expect(try connection.handle.text("PRAGMA integrity_check") == "ok")
    return try connection.handle.text(sql)
  }

  @Test func whatWasCommittedIsInTheReportAndTheOriginalUntouched() async throws {
    let run = try await FixturePackage.recorded.test(
      ["--parallel", "--filter", "DyingXCTests"], environment: environment)
    let before = try leftFiles()
    #expect(before.keys.contains { $0.hasSuffix("rollback.db-journal") })
    #expect(before.keys.contains { $0.hasSuffix("pool.sqlite-wal") })
    let shell = try await FixturePackage.recorded.reportAgain(on: run, ["--nonce", "n"])
    // Nothing is lost, and it is known in which tests the processes died.
    #expect(shell.status == 0, "\(shell.output)")
    let report = try ReportJSON(of: run)
    for (test, file) in [
      ("testPoolTraps", "pool"), ("testQueueEndsInFatalError", "queue"),
      ("testConnectionIsKilledInWALMode", "wal"), ("testConnectionIsKilledInRollbackMode", "rollback"),
    ] {
      let id = "CrashTests.DyingXCTests/\(test)"
      #expect(report.outcome(of: id) == "crashed")
      let evidence = try #require(report.evidence(of: id).first, "\(id)")
      #expect(evidence.hasSuffix("/\(file).sqlite"))
      #expect(try rows(in: evidence) == "one,two", "\(id)")
    }
    #expect(try leftFiles() == before)

    let written = try contents(of: report.folder)
    _ = try await FixturePackage.recorded.reportAgain(on: run, ["--nonce", "n"])
    #expect(try contents(of: report.folder) == written, "a second report says the same")
    #expect(try leftFiles() == before)
  }

  /// What a test closed is its own too, what it removed is no loss, and excluded tables stay out.
  @Test func onlyWhatIsTheTestsOwnIsCaptured() async throws {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "testOthersDatabases"], environment: environment)
    let report = try ReportJSON(of: run)
    let evidence = report.evidence(of: "CrashTests.DyingXCTests/testOthersDatabases")
    #expect(evidence.map { $0.split(separator: "/").last } == ["closed.sqlite", "secret.sqlite"])
    #expect(try rows(in: try #require(evidence.first)) == "one,two")
    #expect(try rows("SELECT count(*) FROM secret", in: try #require(evidence.last)) == "0")
    #expect(!report.document.faults.contains { $0.kind == "captureFailed" })
  }

  /// One is attached to a database in memory, one to a file; the first one that the latter attached is gone again.
  @Test func attachedFilesAreCapturedToo() async throws {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "DyingBesideXCTests/testAttached"], environment: environment)
    let before = try leftFiles()
    let report = try ReportJSON(of: run)
    let evidence = report.evidence(of: "CrashTests.DyingBesideXCTests/testAttached")
    let names = evidence.compactMap { $0.split(separator: "/").last.map(String.init) }
    #expect(names == ["archive.sqlite", "main.sqlite", "second.sqlite"])
    #expect(try evidence.map { try rows(in: $0) } == ["one,two", "main", "one,two"])
    #expect(!report.document.faults.contains { $0.kind == "captureFailed" })
    let messages = report.document.notices.filter { $0.kind == "memoryLost" }.map(\.message)
    #expect(messages.count == 1 && messages.allSatisfy { $0.contains("in memory") }, "\(messages)")
    #expect(try leftFiles() == before)
  }

  @Test func whatWentWithTheMemoryOfTheProcessIsSaid() async throws {
    let sentence = "went with its process"
    for (test, isSaid) in [("testInMemory", true), ("testWithoutAnyDatabase", false)] {
      let run = try await FixturePackage.recorded.report(
        ["--filter", "DyingBesideXCTests/\(test)"], environment: environment)
      let report = try ReportJSON(of: run)
      #expect(report.outcome(of: "CrashTests.DyingBesideXCTests/\(test)") == "crashed")
      #expect(try page(of: test, in: report).contains(sentence) == isSaid, "\(test)")
      let remarks = report.document.faults + report.document.notices
      #expect(remarks.contains { $0.message.contains(sentence) } == isSaid, "\(test)")
    }
  }

  /// The body of the test cannot be cancelled, so the process ends when the job's own limit ends it.
  ///
  /// There is no shorter limit than a minute. Where the entry point is ours, the limit captures at once, as a failure does.
  @Test func atATimeLimitInATransactionThatNeverEnds() async throws {
    let stream = temporary.path + "/events.jsonl"
    let run = try await FixturePackage.recorded.testDirectly(
      [
        "--filter", "EndlessTraitTests", "--event-stream-output-path", stream, "--event-stream-version",
        "6.3",
      ],
      environment: environment.merging(["STREAM": stream, "EXHIBIT_ENTRY": "off"]) { $1 },
      through: Self.killingAtTheTimeLimit)
    let before = try leftFiles()
    #expect(before.keys.contains { $0.hasSuffix("endless.sqlite-wal") })
    let shell = try await FixturePackage.recorded.reportAgain(on: run, [run.artifacts.path, stream])
    #expect(shell.status == 3, "\(shell.output)")
    let report = try ReportJSON(of: run)
    let test = "CrashTests.EndlessTraitTests/neverReturns()"
    #expect(["crashed", "unfinished"].contains(report.outcome(of: test)))
    let evidence = report.evidence(of: test)
    #expect(evidence.count == 1)
    #expect(try rows(in: try #require(evidence.first)) == "one,two")
    #expect(try page(of: "neverReturns", in: report).contains("Time limit was exceeded"))
    #expect(try leftFiles() == before)
  }

  /// Runs a program until its event stream has the time limit, and kills it.
  private static let killingAtTheTimeLimit = [
    "sh", "-c",
    """
    "$@" & child=$!
    until grep -q "Time limit was exceeded" "$STREAM"; do kill -0 $child || exit 1; sleep 0.2; done
    kill -9 $child; wait $child
    """, "sh",
  ]

  @Test func ofTwoThatRanTheOneThatCrashedIsNamed() async throws {
    let run = try await FixturePackage.recorded.report(
      ["--filter", "DyingTraitTests"], environment: environment)
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: "CrashTests.DyingTraitTests/crashesBesideIt()") == "crashed")
    #expect(report.outcome(of: "CrashTests.DyingTraitTests/waits()") == "unfinished")
    let page = try page(of: "crashesBesideIt", in: report)
    #expect(page.contains("CrashTests/DyingTests.swift:") && page.contains("Fatal error: on purpose"))
    #expect(page.contains("DyingTraitTests.crashesBesideIt() +"), "the backtrace")
    #expect(!page.contains("Registers:"))
    #expect(try !self.page(of: "waits", in: report).contains("Fatal error"))
    let summary = try String(contentsOfFile: report.folder + "/summary.md", encoding: .utf8)
    #expect(summary.contains("Fatal error: on purpose"))
    for (test, row) in [("crashesBesideIt()", "crashes"), ("waits()", "waits")] {
      let evidence = report.evidence(of: "CrashTests.DyingTraitTests/\(test)")
      #expect(evidence.count == 1)
      #expect(try rows(in: try #require(evidence.first)) == row)
      let told = try self.page(of: String(test.dropLast(2)), in: report)
      #expect(told.contains("INSERT INTO t VALUES") && !told.contains("out of reach"), "\(test)")
    }
    // Its rows are known, step by step.
    let shown = try await FixturePackage.recorded.show(["crashesBesideIt", "--row", "t:1"], of: run)
    #expect(shown.status == 0 && shown.output.contains("crashes"), "\(shown.output)")
    #expect(!shown.output.contains("not told"), "\(shown.output)")
  }

  /// `swift test` leaves its test process running when a signal ends it: `reporter test` ends that, too.
  @Test(arguments: [SIGTERM, SIGKILL])
  func aRunThatIsCancelledIsReportedUpToThen(signal: Int32) async throws {
    let ready = temporary.path + "/hangs.ready"
    let run = try await FixturePackage.recorded.report(
      ["--filter", "HangingXCTests|testZPassesAfterwards"],
      environment: environment.merging(["CANCEL": "\(signal)", "READY": ready]) { $1 },
      through: Self.cancelling)
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: "CrashTests.CrashXCTests/testZPassesAfterwards") == "passed")
    #expect(report.outcome(of: "CrashTests.HangingXCTests/testHangs") == "unfinished")
    let evidence = report.evidence(of: "CrashTests.HangingXCTests/testHangs")
    #expect(try rows(in: try #require(evidence.first, "\(run.output)")) == "one,two")
    #expect(try leftFiles().keys.contains { $0.hasSuffix("hanging.sqlite-wal") })
  }

  /// Runs a program until the test hangs, and sends the signal: SIGTERM to `reporter`, SIGKILL to its `swift test`.
  private static let cancelling = [
    "sh", "-c",
    """
    "$@" & child=$!
    while [ ! -e "$READY" ]; do kill -0 $child || exit 1; sleep 0.1; done
    [ $CANCEL = 9 ] && target=$(cat /proc/$child/task/$child/children) || target=$child
    kill -$CANCEL $target; wait $child
    """, "sh",
  ]

  private func page(of test: String, in report: ReportJSON) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: report.folder + "/tests")
    let name = try #require(names.first { $0.contains(test) })
    return try String(contentsOfFile: "\(report.folder)/tests/\(name)", encoding: .utf8)
  }

  private func contents(of folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      files[name] = FileManager.default.contents(atPath: folder + "/" + name)
    }
    return files
  }
}
