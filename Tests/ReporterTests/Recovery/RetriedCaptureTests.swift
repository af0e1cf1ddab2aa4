import Collector
import ExhibitSystem
import Foundation
import Testing

/// What one report could not have of what a process left: it is said, and the next report tries again.
@Suite struct RetriedCaptureTests {
  private let crashed: CrashedRun

  init() throws {
    crashed = try CrashedRun()
  }

  // MARK: - Calls that fail

  /// Which of so many calls fail in turn: every one in the long version, some in the short one.
  private func turns(_ calls: Int) -> [Int] {
    calls == 0 ? [] : Array(stride(from: 1, through: calls, by: LongTests.areAsked ? 1 : max(1, calls / 3)))
  }

  private func report(_ kind: String, _ number: Int, below path: String) throws -> CommandResult {
    try ReporterProcess.run(
      ["report", "--output", "out"], in: crashed.folder.path,
      environment: FaultLibrary.environment(kind, number, stays: false, below: path))
  }

  /// What one report could not look at is named, and the next one has it.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "openat", "list", "stat", "read"])
  func whatCouldNotBeLookedAtIsNamedAndTriedAgain(kind: String) throws {
    try crashed.writeLog()
    for place in [
      crashed.database, crashed.run.logsFolder, crashed.run.postMortemFolder, crashed.run.path + "/run.json",
    ] {
      _ = try report(kind, 0, below: place)
      for number in turns(try FaultLibrary.calls(below: place)) {
        for name in ["postmortem", "evidence"] { try FileSystem.remove(crashed.run.path + "/" + name) }
        let troubled = try report(kind, number, below: place)
        _ = try FaultLibrary.calls(below: place)
        let call: Comment = "\(kind) \(number) below \(place): \(troubled.errors)"
        let json = try crashed.folder.read("out/report.json")
        let isNamed = ["captureFailed", "unreadableInput"].contains { json.contains("\"kind\":\"\($0)\"") }
        #expect(json.contains("app.sqlite\"") || isNamed, call)
        let whole = try ReporterProcess.run(["report", "--output", "out"], in: crashed.folder.path)
        #expect(
          !whole.errors.contains("not captured") && crashed.captured.count == 3, "\(call), \(whole.errors)")
      }
    }
  }

  /// Also where taking away what was begun fails at first.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "list", "write", "rename", "mkdir", "stat", "unlink", "close"])
  func aReportThatCannotBeWrittenLeavesNothing(kind: String) throws {
    try crashed.writeLog()
    let out = crashed.folder("out")
    _ = try report(kind, 0, below: out)
    let calls = try FaultLibrary.calls(below: out)
    for number in turns(calls) {
      let result = try report(kind, number, below: out)
      _ = try FaultLibrary.calls(below: out)
      let names = try crashed.folder.names.filter { $0.hasPrefix("out.") }
      #expect(names == [], "\(kind) \(number) of \(calls): \(result.errors)")
    }
  }

  // MARK: - What is tried again

  private func expectWhole(_ result: CommandResult) throws {
    #expect(
      crashed.captured.count == 3 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
    #expect(try crashed.page.contains("It is as it was at ") && crashed.page.contains("one"))
    #expect(try !crashed.record.contains("captureFailed"))
  }

  @Test(arguments: ["EXHIBIT_MAX_DATABASE", "EXHIBIT_MAX_RUN"])
  func aLimitThatIsRaisedLetsTheNextReportCapture(limit: String) throws {
    try crashed.writeLog()
    for _ in 0..<2 { #expect(try crashed.report([limit: "4 KiB"]).errors.contains("4096")) }
    #expect(try crashed.captured == [] && crashed.record.components(separatedBy: "captureFailed").count == 2)
    try expectWhole(try crashed.report())
    let (first, written) = (try crashed.record, crashed.captured)
    try expectWhole(try crashed.report())
    #expect(try crashed.record == first && crashed.captured == written)
  }

  @Test func whatHasChangedSinceIsNotTakenForWhatTheProcessLeft() throws {
    try crashed.writeLog()
    _ = try crashed.report(["EXHIBIT_MAX_DATABASE": "4 KiB"])
    let wal = URL(fileURLWithPath: crashed.database + "-wal")
    let bytes = try Data(contentsOf: wal)
    let handle = try FileHandle(forWritingTo: wal)
    try handle.write(contentsOf: bytes)
    try handle.close()
    for _ in 0..<2 {
      #expect(try crashed.report().errors.contains("\(crashed.database) has changed since the first report"))
    }
    #expect(crashed.captured == [])
  }

  /// The number of a removed file is often that of the next one.
  @Test func aWALThatIsGoneSinceIsAChangeToo() throws {
    try crashed.writeLog()
    _ = try crashed.report(["EXHIBIT_MAX_DATABASE": "4 KiB"])
    try FileManager.default.removeItem(atPath: crashed.database + "-wal")
    #expect(try crashed.report().errors.contains("has changed since the first report"))
  }

  @Test func whatCannotPassIsFinal() throws {
    try crashed.writeLog()
    try FileManager.default.moveItem(atPath: crashed.database, toPath: crashed.database + ".away")
    #expect(try crashed.report().errors.contains("there is no file at \(crashed.database) any more"))
    let first = try crashed.record
    try FileManager.default.moveItem(atPath: crashed.database + ".away", toPath: crashed.database)
    #expect(try crashed.report().errors.contains("there is no file at \(crashed.database) any more"))
    #expect(try crashed.captured == [] && crashed.record == first)
  }

  @Test func ofReportsThatTryAgainAtOnceOneCaptures() throws {
    try crashed.writeLog()
    _ = try crashed.report(["EXHIBIT_MAX_DATABASE": "4 KiB"])
    let started = try (0..<4).map {
      try ReporterProcess.start(["report", "--output", "out\($0)"], in: crashed.folder.path)
    }
    for result in try started.map({ try $0.wait() }) {
      #expect(result.status == 0 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
    }
    #expect(crashed.captured.count == 3, "\(crashed.captured)")
    for number in 0..<4 {
      #expect(
        crashed.folder.files.contains { $0.hasPrefix("out\(number)/evidence/") && $0.hasSuffix("app.sqlite") }
      )
    }
  }

  @Test(
    .enabled(if: SmallDisk.isAvailable, "needs the right to mount"),
    arguments: ["4 MiB", "0"])
  func aFullDiskOfArtifactsHoldsNoReportBackThatLiesElsewhere(leastFree: String) throws {
    let manifest = try crashed.folder.read("test-artifacts/runs/r/run.json")
    let disk = try SmallDisk(at: crashed.folder("test-artifacts"), kilobytes: 128)
    defer { disk.unmount() }
    try crashed.folder.write(manifest, to: "test-artifacts/runs/r/run.json")
    try crashed.writeLog()
    try crashed.folder.write(Array(repeating: 0, count: 100 << 10), to: "test-artifacts/filler")
    let environment = ["EXHIBIT_MIN_FREE": leastFree]
    for _ in 0..<2 {
      let result = try ReporterProcess.run(
        ["report", "--output", "out"], in: crashed.folder.path, environment: environment)
      #expect(result.status == 0 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
      #expect(crashed.folder.files.contains("out/evidence/M.Store.testDies/app.sqlite"))
      #expect(try crashed.folder.names == ["app.db", "app.db-shm", "app.db-wal", "out", "test-artifacts"])
      #expect(crashed.captured == [])
    }
    try disk.resize(kilobytes: 64 << 10)
    let result = try crashed.report(environment)
    #expect(
      crashed.captured.count == 3 && !result.errors.contains("app.db was not captured"), "\(result.errors)")
    #expect(try !crashed.record.contains("captureFailed"))
  }
}
