import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportReading
@testable import ReportTestSupport

/// What a report makes of a log that stops and of the files that are still there.
@Suite struct PostMortemTests {
  private let crashed: CrashedRun

  init() throws {
    crashed = try CrashedRun()
  }

  private static let evidence = "test-artifacts/runs/r/evidence/M.Store.testDies/"

  @Test func itIsCapturedOnceAndShown() throws {
    try crashed.writeLog()
    let original = try ["", "-wal", "-shm"].map {
      try Data(contentsOf: URL(fileURLWithPath: crashed.database + $0))
    }
    _ = try crashed.report()
    #expect(
      crashed.captured
        == ["app.history/app.sqlite", "app.history/app.sqlite-wal", "app.sqlite"].map { Self.evidence + $0 })
    #expect(try crashed.page.contains("one") && crashed.page.contains("Copied after its process had died"))
    #expect(try crashed.page.contains("href=\"../evidence/M.Store.testDies/app.history/app.sqlite-wal\""))
    #expect(try crashed.page.contains("every transaction since the last checkpoint"))
    let report = "test-artifacts/report/"
    let files = crashed.folder.files.filter { $0.hasPrefix(report) }
    let first = try files.map { try Data(contentsOf: URL(fileURLWithPath: crashed.folder.path + "/" + $0)) }
    #expect(files.contains(report + "evidence/M.Store.testDies/app.sqlite"))
    // The originals are gone by the time of the next report.
    for (suffix, bytes) in zip(["", "-wal", "-shm"], original) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: crashed.database + suffix)) == bytes)
      try FileManager.default.removeItem(atPath: crashed.database + suffix)
    }
    _ = try crashed.report()
    #expect(crashed.folder.files.filter { $0.hasPrefix(report) } == files)
    #expect(
      try files.map { try Data(contentsOf: URL(fileURLWithPath: crashed.folder.path + "/" + $0)) } == first)
    #expect(crashed.captured.count == 3)
  }

  @Test func whereTheRunCannotBeWrittenItIsInTheReportAlone() throws {
    try crashed.writeLog()
    // Where a folder belongs lies a file: root may write everywhere.
    try crashed.folder.write("", to: "test-artifacts/runs/r/evidence")
    _ = try crashed.report()
    #expect(crashed.folder.files.contains("test-artifacts/report/evidence/M.Store.testDies/app.sqlite"))
    #expect(!crashed.folder.files.contains { $0.contains("postmortem") })
    let first = crashed.folder.files
    _ = try crashed.report()
    #expect(crashed.folder.files == first)
  }

  /// What lies behind a link in the place of a run's folder is not the run's to remove.
  @Test func aRingBehindALinkStaysWhereItIs() throws {
    try crashed.writeLog()
    try crashed.folder.write("somebody's", to: "elsewhere/9-9.ring")
    try FileManager.default.createSymbolicLink(
      atPath: crashed.run.traceFolder, withDestinationPath: crashed.folder.path + "/elsewhere")
    _ = try crashed.report()
    #expect(try crashed.folder.read("elsewhere/9-9.ring") == "somebody's")
    #expect(crashed.folder.files.contains("test-artifacts/report/evidence/M.Store.testDies/app.sqlite"))
  }

  @Test func anotherMachineCannotRecoverIt() throws {
    try crashed.writeLog(boot: "another")
    #expect(try crashed.report().errors.contains("Only a report made on the machine that ran the tests"))
    #expect(try crashed.page.contains("Only a report made on the machine"))
    #expect(crashed.captured == [] && !crashed.folder.files.contains { $0.contains("postmortem") })
  }

  @Test func aProcessThatStillRunsIsLeftAlone() throws {
    try crashed.writeLog(alive: true)
    #expect(try crashed.report().errors.contains("still runs"))
    #expect(crashed.captured == [] && !crashed.folder.files.contains { $0.contains("postmortem") })
  }

  @Test func aFileThatIsGoneIsMissing() throws {
    try crashed.writeLog()
    try FileManager.default.removeItem(atPath: crashed.database)
    #expect(try crashed.report().errors.contains("there is no file at \(crashed.database) any more"))
    #expect(crashed.captured == [])
  }

  @Test func anotherFileInItsPlaceIsNotTakenForIt() throws {
    try crashed.writeLog()
    try FileManager.default.moveItem(atPath: crashed.database, toPath: crashed.database + ".old")
    try Data(contentsOf: URL(fileURLWithPath: crashed.database + ".old")).write(
      to: URL(fileURLWithPath: crashed.database))
    #expect(try crashed.report().errors.contains("another file lies at \(crashed.database) by now"))
    #expect(crashed.captured == [])
  }

  @Test func aYoungerFileWithTheSameNumberIsNotTakenForIt() throws {
    try crashed.writeLog(opened: currentTime() - 60)
    #expect(try crashed.report().errors.contains("another file lies at \(crashed.database) by now"))
  }

  @Test func budgetsHold() throws {
    try crashed.writeLog()
    #expect(
      try crashed.report(["EXHIBIT_MAX_DATABASE": "4 KiB"]).errors.contains("more than the limit of 4096"))
    #expect(crashed.captured == [])
  }

  @Test func aDatabaseOutsideIsNamedAndNotCaptured() throws {
    try crashed.writeLog(path: "/etc/hostname")
    #expect(try crashed.report().errors.contains("/etc/hostname lies outside"))
    #expect(crashed.captured == [])
  }

  @Test func aLogThatDoesNotKnowItsMachineHasNothingToRecover() throws {
    try crashed.writeLog(boot: nil)
    _ = try crashed.report()
    #expect(crashed.captured == [])
  }

  @Test func whatIsRecoveredIsAValueThatTheReadingIsHanded() throws {
    try crashed.writeLog()
    var whole = try WrittenLog(pid: 8, startTicks: 80)
    try whole.end()
    try crashed.folder.write(whole.bytes, to: "test-artifacts/runs/r/logs/8-80.jsonl")
    let recovered = PostMortem(of: crashed.run, current: crashed.folder.path, spare: crashed.folder("spare"))
      .recover()
    #expect(Array(recovered.logs.keys) == ["9-9.jsonl"])
    let log = try #require(recovered.logs["9-9.jsonl"])
    #expect(log.records.map(\.kind) == ["evidence"])
    #expect(log.records.map(\.test) == [.store("testDies")])
    #expect(log.parts.allSatisfy { $0.folder == crashed.run.path && $0.temporary == nil })
  }
}
