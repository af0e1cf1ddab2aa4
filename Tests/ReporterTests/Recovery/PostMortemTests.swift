import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import Reporter

/// What a report makes of a log that stops and of the files that are still there.
@Suite struct PostMortemTests {
  private let folder: TemporaryFolder
  private let database: String
  private var run: RunFolder { RunFolder(path: folder.path + "/test-artifacts/runs/r") }

  init() throws {
    folder = try TemporaryFolder()
    database = folder.path + "/app.db"
    try FileSystem.createFolder(folder.path + "/test-artifacts/runs/r/logs")
    let manifest = RunManifest(run: "r", start: 1, package: folder.path)
    try manifest.write(to: run)
    try crash()
  }

  /// Leaves a WAL with two committed rows.
  private func crash() throws {
    try TestSupport.crash(
      database,
      """
      PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES('one'),('two');
      BEGIN; INSERT INTO t VALUES('uncommitted')
      """)
  }

  /// Writes the log of a process that died, or of this one, with a test that had the database open.
  private func writeLog(
    alive: Bool = false, boot: String? = currentBoot, opened: Double? = nil, path: String? = nil
  ) throws {
    let this = try #require(ProcessIdentity.current)
    let header = ProcessHeader(
      pid: this.pid, startTicks: alive ? this.startTicks : this.startTicks + 1, executable: "T.xctest",
      boot: boot)
    let path = path ?? database
    let opening = DatabaseOpening(connection: 1, path: path, file: FileIdentity(path: path))
    let records = [
      LogRecord(time: 1, header),
      LogRecord(time: 1, test: .store("testDies"), TestStart(framework: .xctest, number: 1)),
      LogRecord(time: opened ?? currentTime(), test: .store("testDies"), opening),
    ]
    try folder.write(records.flatMap(LogLine.encode), to: "test-artifacts/runs/r/logs/9-9.jsonl")
  }

  private func report(_ environment: [String: String] = [:]) throws -> CommandResult {
    let result = try ReporterProcess.run(
      ["report", "--nonce", "n"], in: folder.path, environment: environment)
    #expect(result.status == 3)
    return result
  }

  private var page: String {
    get throws {
      let name = try #require(folder.files.first { $0.contains("report/tests/") })
      return try folder.read(name)
    }
  }

  private var captured: [String] { folder.files.filter { $0.contains("runs/r/evidence/") } }
  private static let evidence = "test-artifacts/runs/r/evidence/M.Store.testDies/"

  @Test func itIsCapturedOnceAndShown() throws {
    try writeLog()
    let original = try ["", "-wal", "-shm"].map { try Data(contentsOf: URL(fileURLWithPath: database + $0)) }
    _ = try report()
    #expect(
      captured
        == ["app.history/app.sqlite", "app.history/app.sqlite-wal", "app.sqlite"].map { Self.evidence + $0 })
    #expect(try page.contains("one") && page.contains("Copied after its process had died"))
    #expect(try page.contains("href=\"../evidence/M.Store.testDies/app.history/app.sqlite-wal\""))
    #expect(try page.contains("every transaction since the last checkpoint"))
    let report = "test-artifacts/report/"
    let files = folder.files.filter { $0.hasPrefix(report) }
    let first = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)) }
    #expect(files.contains(report + "evidence/M.Store.testDies/app.sqlite"))
    // The originals are gone by the time of the next report.
    for (suffix, bytes) in zip(["", "-wal", "-shm"], original) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: database + suffix)) == bytes)
      try FileManager.default.removeItem(atPath: database + suffix)
    }
    _ = try self.report()
    #expect(folder.files.filter { $0.hasPrefix(report) } == files)
    #expect(try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)) } == first)
    #expect(captured.count == 3)
  }

  @Test func whereTheRunCannotBeWrittenItIsInTheReportAlone() throws {
    try writeLog()
    // Where a folder belongs lies a file: root may write everywhere.
    try folder.write("", to: "test-artifacts/runs/r/evidence")
    _ = try report()
    #expect(folder.files.contains("test-artifacts/report/evidence/M.Store.testDies/app.sqlite"))
    #expect(!folder.files.contains { $0.contains("postmortem") })
    let first = folder.files
    _ = try report()
    #expect(folder.files == first)
  }

  /// What lies behind a link in the place of a run's folder is not the run's to remove.
  @Test func aRingBehindALinkStaysWhereItIs() throws {
    try writeLog()
    try folder.write("somebody's", to: "elsewhere/9-9.ring")
    try FileManager.default.createSymbolicLink(
      atPath: run.traceFolder, withDestinationPath: folder.path + "/elsewhere")
    _ = try report()
    #expect(try folder.read("elsewhere/9-9.ring") == "somebody's")
    #expect(folder.files.contains("test-artifacts/report/evidence/M.Store.testDies/app.sqlite"))
  }

  @Test func anotherMachineCannotRecoverIt() throws {
    try writeLog(boot: "another")
    #expect(try report().errors.contains("Only a report made on the machine that ran the tests"))
    #expect(try page.contains("Only a report made on the machine"))
    #expect(captured == [] && !folder.files.contains { $0.contains("postmortem") })
  }

  @Test func aProcessThatStillRunsIsLeftAlone() throws {
    try writeLog(alive: true)
    #expect(try report().errors.contains("still runs"))
    #expect(captured == [] && !folder.files.contains { $0.contains("postmortem") })
  }

  @Test func aFileThatIsGoneIsMissing() throws {
    try writeLog()
    try FileManager.default.removeItem(atPath: database)
    #expect(try report().errors.contains("there is no file at \(database) any more"))
    #expect(captured == [])
  }

  @Test func anotherFileInItsPlaceIsNotTakenForIt() throws {
    try writeLog()
    try FileManager.default.moveItem(atPath: database, toPath: database + ".old")
    try Data(contentsOf: URL(fileURLWithPath: database + ".old")).write(to: URL(fileURLWithPath: database))
    #expect(try report().errors.contains("another file lies at \(database) by now"))
    #expect(captured == [])
  }

  @Test func aYoungerFileWithTheSameNumberIsNotTakenForIt() throws {
    try writeLog(opened: currentTime() - 60)
    #expect(try report().errors.contains("another file lies at \(database) by now"))
  }

  @Test func budgetsHold() throws {
    try writeLog()
    #expect(try report(["EXHIBIT_MAX_DATABASE": "4 KiB"]).errors.contains("more than the limit of 4096"))
    #expect(captured == [])
  }

  @Test func aDatabaseOutsideIsNamedAndNotCaptured() throws {
    try writeLog(path: "/etc/hostname")
    #expect(try report().errors.contains("/etc/hostname lies outside"))
    #expect(captured == [])
  }

  @Test func aLogThatDoesNotKnowItsMachineHasNothingToRecover() throws {
    try writeLog(boot: nil)
    _ = try report()
    #expect(captured == [])
  }

  @Test func whatIsRecoveredIsAValueThatTheReadingIsHanded() throws {
    try writeLog()
    var whole = try WrittenLog(pid: 8, startTicks: 80)
    try whole.end()
    try folder.write(whole.bytes, to: "test-artifacts/runs/r/logs/8-80.jsonl")
    let recovered = PostMortem(of: run, current: folder.path).recover()
    #expect(Array(recovered.logs.keys) == ["9-9.jsonl"])
    let log = try #require(recovered.logs["9-9.jsonl"])
    #expect(log.records.map(\.kind) == ["evidence"])
    #expect(log.records.map(\.test) == [.store("testDies")])
    #expect(log.folder == run.path && log.temporary == nil)
  }
}
