import Collector
import Foundation
import Glibc
import Testing

@testable import ReportModel
@testable import ReportReading

/// The passes of a run's folder, which anybody may have made.
@Suite struct RecordedPassesTests {
  private let run: TemporaryFolder

  init() throws {
    run = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: run.path + "/passes", withIntermediateDirectories: false)
  }

  private static func id(_ name: String) -> TestCaseID { TestCaseID(module: "M", suite: ["S"], name: name) }

  private static func entry(_ name: String, _ began: Double?, _ sql: String = "SELECT 1") -> [UInt8] {
    var ring = RingBytes()
    ring.add(20)
    ring.step(1, ring.text(sql))
    ring.end(1)
    return ring.pass(PassHead(test: id(name), serial: 1, stepsBefore: 0, began: began))
  }

  private func write(_ bytes: [UInt8], _ name: String = "4711-99.passes") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: run.path + "/passes/" + name))
  }

  private var passes: RecordedPasses { RecordedPasses(of: RunFolder(path: run.path), origin: .rerun) }

  private func notices(_ sentence: String, _ file: String = "passes/4711-99.passes") {
    let notices = passes.remarks.notices
    #expect(notices.map(\.kind) == ["passesUnreadable"] && notices.first?.input == file)
    #expect(notices.first?.message.contains(sentence) == true, "\(notices)")
    #expect(passes.remarks.faults.isEmpty)
  }

  @Test func theLatestTwoOfATestAreGiven() throws {
    try write(
      Self.entry("a", 3, "SELECT 3") + Self.entry("b", nil) + Self.entry("a", 1, "SELECT 1")
        + Self.entry("a", 2, "SELECT 2"))
    let passes = passes
    #expect(passes.tests == [Self.id("a"), Self.id("b")] && passes.remarks == Remarks())
    let latest = passes.passes(of: Self.id("a"))
    #expect(
      latest.map(\.began) == [3, 2] && latest.allSatisfy { $0.folder == run.path && $0.origin == .rerun })
    #expect(String(decoding: latest[1].lines, as: UTF8.self).contains(#""sql":"SELECT 2""#))
    #expect(passes.passes(of: Self.id("b")).map(\.began) == [nil])
    #expect(passes.passes(of: Self.id("c")).isEmpty)
  }

  @Test func aRunWithoutPassesHasNone() throws {
    try FileManager.default.removeItem(atPath: run.path + "/passes")
    #expect(passes.tests.isEmpty && passes.remarks == Remarks())
  }

  @Test func whatComesBeforeATornPassIsGiven() throws {
    try write(Self.entry("a", 1) + Self.entry("b", 1).dropLast(8))
    #expect(passes.tests == [Self.id("a")] && passes.passes(of: Self.id("a")).count == 1)
    notices("are no whole pass")
  }

  @Test func nothingIsReadThroughALinkOrFromWhatIsNoFile() throws {
    let elsewhere = try TemporaryFolder()
    try Data(Self.entry("a", 1)).write(to: URL(fileURLWithPath: elsewhere.path + "/4711-99.passes"))
    let path = run.path + "/passes/4711-99.passes"
    #expect(symlink(elsewhere.path + "/4711-99.passes", path) == 0)
    #expect(passes.tests.isEmpty)
    notices("it was not followed")
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    notices("it was not followed")
    #expect(unlink(path) == 0 && rmdir(run.path + "/passes") == 0)
    #expect(symlink(elsewhere.path, run.path + "/passes") == 0)
    notices("it was not followed", "passes")
  }

  @Test func aFileIsThatOfTheProcessInItsName() throws {
    try write(Self.entry("a", 1), "4711-98.passes")
    var remarks = Remarks()
    #expect(passes.passes(of: Self.id("a"), &remarks).isEmpty)
    #expect(remarks.notices.first?.message.contains("of another process: 4711") == true)
    try FileManager.default.removeItem(atPath: run.path + "/passes/4711-98.passes")
    try write(Self.entry("a", 1), "any.passes")
    #expect(passes.tests.isEmpty)
    notices("Its name is no process's.", "passes/any.passes")
  }

  @Test func aFileThatHasChangedIsNotBelieved() throws {
    try write(Self.entry("a", 1))
    let before = passes
    try write(Self.entry("b", 1))
    var remarks = Remarks()
    #expect(before.passes(of: Self.id("a"), &remarks).isEmpty)
    #expect(remarks.notices.first?.message.contains("has changed") == true)
    try FileManager.default.removeItem(atPath: run.path + "/passes/4711-99.passes")
    remarks = Remarks()
    #expect(before.passes(of: Self.id("a"), &remarks).isEmpty && remarks.notices.count == 1)
  }
}
