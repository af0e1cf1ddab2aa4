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

  private var captured: [String] {
    // The artifacts folder can be a disk of its own.
    let names = FileManager.default.enumerator(atPath: run.evidenceFolder)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      FileSystem.status("\(run.evidenceFolder)/\(name)").map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }.sorted().map { "test-artifacts/runs/r/evidence/" + $0 }
  }
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
    let recovered = PostMortem(of: run, current: folder.path, spare: folder("spare")).recover()
    #expect(Array(recovered.logs.keys) == ["9-9.jsonl"])
    let log = try #require(recovered.logs["9-9.jsonl"])
    #expect(log.records.map(\.kind) == ["evidence"])
    #expect(log.records.map(\.test) == [.store("testDies")])
    #expect(log.parts.allSatisfy { $0.folder == run.path && $0.temporary == nil })
  }

  // MARK: - Calls that fail

  private static let isLong = ProcessInfo.processInfo.environment["EXHIBIT_LONG_TESTS"] == "1"

  /// Which of so many calls fail in turn: every one in the long version, some in the short one.
  private func turns(_ calls: Int) -> [Int] {
    calls == 0 ? [] : Array(stride(from: 1, through: calls, by: Self.isLong ? 1 : max(1, calls / 3)))
  }

  private func report(_ kind: String, _ number: Int, below path: String) throws -> CommandResult {
    try ReporterProcess.run(
      ["report", "--output", "out"], in: folder.path,
      environment: FaultLibrary.environment(kind, number, stays: false, below: path))
  }

  /// What one report could not look at is named, and the next one has it.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "openat", "list", "stat", "read"])
  func whatCouldNotBeLookedAtIsNamedAndTriedAgain(kind: String) throws {
    try writeLog()
    for place in [database, run.logsFolder, run.postMortemFolder, run.path + "/run.json"] {
      _ = try report(kind, 0, below: place)
      for number in turns(try FaultLibrary.calls(below: place)) {
        for name in ["postmortem", "evidence"] { try FileSystem.remove(run.path + "/" + name) }
        let troubled = try report(kind, number, below: place)
        _ = try FaultLibrary.calls(below: place)
        let call: Comment = "\(kind) \(number) below \(place): \(troubled.errors)"
        let json = try folder.read("out/report.json")
        let isNamed = ["captureFailed", "unreadableInput"].contains { json.contains("\"kind\":\"\($0)\"") }
        #expect(json.contains("app.sqlite\"") || isNamed, call)
        let whole = try ReporterProcess.run(["report", "--output", "out"], in: folder.path)
        #expect(!whole.errors.contains("not captured") && captured.count == 3, "\(call), \(whole.errors)")
      }
    }
  }

  /// Also where taking away what was begun fails at first.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "list", "write", "rename", "mkdir", "stat", "unlink", "close"])
  func aReportThatCannotBeWrittenLeavesNothing(kind: String) throws {
    try writeLog()
    let out = folder("out")
    _ = try report(kind, 0, below: out)
    let calls = try FaultLibrary.calls(below: out)
    for number in turns(calls) {
      let result = try report(kind, number, below: out)
      _ = try FaultLibrary.calls(below: out)
      let names = try folder.names.filter { $0.hasPrefix("out.") }
      #expect(names == [], "\(kind) \(number) of \(calls): \(result.errors)")
    }
  }

  // MARK: - What is tried again

  private var record: String {
    get throws { try folder.read("test-artifacts/runs/r/postmortem/9-9.jsonl") }
  }

  private func expectWhole(_ result: CommandResult) throws {
    #expect(captured.count == 3 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
    #expect(try page.contains("It is as it was at ") && page.contains("one"))
    #expect(try !record.contains("captureFailed"))
  }

  @Test(arguments: ["EXHIBIT_MAX_DATABASE", "EXHIBIT_MAX_RUN"])
  func aLimitThatIsRaisedLetsTheNextReportCapture(limit: String) throws {
    try writeLog()
    for _ in 0..<2 { #expect(try report([limit: "4 KiB"]).errors.contains("4096")) }
    #expect(try captured == [] && record.components(separatedBy: "captureFailed").count == 2)
    try expectWhole(try report())
    let (first, written) = (try record, captured)
    try expectWhole(try report())
    #expect(try record == first && captured == written)
  }

  @Test func whatHasChangedSinceIsNotTakenForWhatTheProcessLeft() throws {
    try writeLog()
    _ = try report(["EXHIBIT_MAX_DATABASE": "4 KiB"])
    let wal = URL(fileURLWithPath: database + "-wal")
    let bytes = try Data(contentsOf: wal)
    let handle = try FileHandle(forWritingTo: wal)
    try handle.write(contentsOf: bytes)
    try handle.close()
    for _ in 0..<2 { #expect(try report().errors.contains("\(database) has changed since the first report")) }
    #expect(captured == [])
  }

  /// The number of a removed file is often that of the next one.
  @Test func aWALThatIsGoneSinceIsAChangeToo() throws {
    try writeLog()
    _ = try report(["EXHIBIT_MAX_DATABASE": "4 KiB"])
    try FileManager.default.removeItem(atPath: database + "-wal")
    #expect(try report().errors.contains("has changed since the first report"))
  }

  @Test func whatCannotPassIsFinal() throws {
    try writeLog()
    try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
    #expect(try report().errors.contains("there is no file at \(database) any more"))
    let first = try record
    try FileManager.default.moveItem(atPath: database + ".away", toPath: database)
    #expect(try report().errors.contains("there is no file at \(database) any more"))
    #expect(try captured == [] && record == first)
  }

  @Test func ofReportsThatTryAgainAtOnceOneCaptures() throws {
    try writeLog()
    _ = try report(["EXHIBIT_MAX_DATABASE": "4 KiB"])
    let started = try (0..<4).map {
      try ReporterProcess.start(["report", "--output", "out\($0)"], in: folder.path)
    }
    for result in try started.map({ try $0.wait() }) {
      #expect(result.status == 3 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
    }
    #expect(captured.count == 3, "\(captured)")
    for number in 0..<4 {
      #expect(folder.files.contains { $0.hasPrefix("out\(number)/evidence/") && $0.hasSuffix("app.sqlite") })
    }
  }

  @Test(
    .enabled(if: SmallDisk.isAvailable, "needs the right to mount"),
    arguments: ["4 MiB", "0"])
  func aFullDiskOfArtifactsHoldsNoReportBackThatLiesElsewhere(leastFree: String) throws {
    let manifest = try folder.read("test-artifacts/runs/r/run.json")
    let disk = try SmallDisk(at: folder("test-artifacts"), kilobytes: 128)
    defer { disk.unmount() }
    try folder.write(manifest, to: "test-artifacts/runs/r/run.json")
    try writeLog()
    try folder.write(Array(repeating: 0, count: 100 << 10), to: "test-artifacts/filler")
    let environment = ["EXHIBIT_MIN_FREE": leastFree]
    for _ in 0..<2 {
      let result = try ReporterProcess.run(
        ["report", "--output", "out"], in: folder.path, environment: environment)
      #expect(result.status == 3 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
      #expect(folder.files.contains("out/evidence/M.Store.testDies/app.sqlite"))
      #expect(try folder.names == ["app.db", "app.db-shm", "app.db-wal", "out", "test-artifacts"])
      #expect(captured == [])
    }
    try disk.resize(kilobytes: 64 << 10)
    let result = try report(environment)
    #expect(captured.count == 3 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
    #expect(try !record.contains("captureFailed"))
  }
}
