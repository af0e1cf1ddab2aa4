import Collector
import ExhibitSystem
import Foundation
import Testing

/// The sum of a run's evidence, which captures keep up without measuring what lies there.
@Suite struct EvidenceTallyTests {
  private let folder: TemporaryFolder
  private let run: RunFolder
  private var budget = Budget()

  init() throws {
    folder = try TemporaryFolder()
    run = RunFolder(path: folder.path + "/run")
    try FileSystem.createFolder(run.evidenceFolder)
    budget.freeDisk = 0
    budget.run = 1_000_000
  }

  private var counted: Int { get throws { budget.run - (try budget.reserve(0, in: run).room) } }

  private func write(_ name: String, _ bytes: Int) throws -> String {
    let path = run.evidenceFolder + "/" + name
    try FileSystem.createFolder(try #require(FileSystem.parentFolder(of: path)))
    try FileSystem.writeNewFile(path, [UInt8](repeating: 7, count: bytes))
    return path
  }

  @Test func whatWasReservedCountsUntilItIsKnown() throws {
    let reservation = try budget.reserve(600_000, in: run)
    #expect(reservation.room == 1_000_000)
    #expect(throws: CaptureError.self) { _ = try budget.reserve(400_001, in: run) }
    let other = try budget.reserve(400_000, in: run)
    #expect(other.room == 400_000)
    reservation.settle([try write("t/a.sqlite", 1000)])
    other.settle([])
    #expect(try counted == 1000)
    let error = #expect(throws: CaptureError.self) { _ = try budget.reserve(999_001, in: run) }
    #expect(error?.reason == .overBudget && error?.bytes == 999_001)
  }

  @Test func itEqualsWhatLiesThereWhateverComesAndGoes() throws {
    let history = [try write("t/a.history/a.sqlite", 300), try write("t/a.history/a.sqlite-wal", 50)]
    let first = [try write("t/a.sqlite", 1000), run.evidenceFolder + "/t/a.history", history[0]]
    try budget.reserve(0, in: run).settle([])
    try FileSystem.remove(run.tallyPath)
    #expect(try counted == 1350, "what was there before is measured")
    let second = try write("u/b.sqlite", 2000)
    try budget.reserve(5, in: run).settle([second, second])
    let shared = run.evidenceFolder + "/v/b.sqlite"
    try FileSystem.createFolder(run.evidenceFolder + "/v")
    try FileManager.default.linkItem(atPath: second, toPath: shared)
    try budget.reserve(2000, in: run).settle([shared])
    #expect(try counted == FileSystem.size(of: run.evidenceFolder))
    #expect(Budget.remove([second], from: run).isEmpty)
    #expect(try counted == 3350 && FileSystem.size(of: run.evidenceFolder) == 3350)
    #expect(Budget.remove([shared] + first, from: run).isEmpty)
    #expect(try counted == FileSystem.size(of: run.evidenceFolder))
    #expect(try counted == 0)
  }

  @Test func captureDoesNotMeasureWhatLiesThere() throws {
    #expect(try counted == 0)
    _ = try write("unseen", 4000)
    #expect(try counted == 0)
  }

  @Test(arguments: ["", "nonsense", "-0000000000000000001\n", "99999999999999999999\n"])
  func aDamagedSumIsMeasuredAnew(text: String) throws {
    _ = try write("t/a.sqlite", 1000)
    try FileSystem.writeNewFile(run.tallyPath, Array(text.utf8))
    #expect(try counted == 1000)
    _ = try write("unseen", 4000)
    #expect(try counted == 1000)
  }

  @Test func aLinkInItsPlaceIsLeftAlone() throws {
    let precious = folder.path + "/precious"
    try FileSystem.writeNewFile(precious, [1])
    try FileManager.default.createSymbolicLink(atPath: run.tallyPath, withDestinationPath: precious)
    let path = try write("t/a.sqlite", 1000)
    try budget.reserve(1000, in: run).settle([path])
    #expect(try counted == 1000)
    #expect(FileSystem.size(of: precious) == 1)
  }

  @Test func manyAtOnceTakeNoMoreThanThereIs() async throws {
    let (run, budget) = (run, budget)
    let taken = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { (try? budget.reserve(7000, in: run)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 142)
    #expect(try counted == 142 * 7000)
  }

  @Test func ofSeveralEachThatHasRoomIsAdded() throws {
    let tally = EvidenceTally(run: run)
    let first = tally.reserve([400, 700, 500, 101, 100], within: 1000)
    #expect(first.areReserved == [true, false, true, false, true] && first.room == 0)
    #expect(tally.reserve([1], within: 1000).areReserved == [false])
    let none = tally.reserve([], within: 900)
    #expect(none.areReserved.isEmpty && none.room == 0, "a limit below what is there")
  }

  @Test func aTestThatIsRepeatedHasAFolderEachTime() throws {
    let test = TestCaseID(module: "M", suite: [], name: "t()")
    let names = try (0..<40).map { _ in try TestEvidenceFolder(for: test, in: run).relativePath }
    #expect(names.prefix(3) == ["evidence/M.t", "evidence/M.t-2", "evidence/M.t-3"])
    #expect(names.last == "evidence/M.t-40" && Set(names).count == 40)
  }
}
