import Collector
import ExhibitSystem
import Foundation
import Glibc
import Testing

/// Old runs go, but only ours, and never one that goes on.
@Suite struct RunPruningTests {
  private let folder: TemporaryFolder
  private let artifacts: ArtifactsFolder

  init() throws {
    folder = try TemporaryFolder()
    artifacts = ArtifactsFolder(path: folder.path)
    try artifacts.create()
  }

  private func makeRun(_ number: Int, owner: ProcessIdentity? = nil, bytes: Int = 10) throws -> RunFolder {
    let identity = RunIdentity(key: "run-\(number)", start: Double(number), owner: owner, isNamed: true)
    let folder = try RunFolder.open(identity, in: artifacts).folder
    try RunManifest(run: identity, folder: folder, packageFolder: "/p", variable: { _ in nil }).write(
      to: folder)
    try FileSystem.createFolder(folder.evidenceFolder)
    try FileSystem.writeNewFile(folder.evidenceFolder + "/data", [UInt8](repeating: 7, count: bytes))
    return folder
  }

  private func left() throws -> [String] { try FileSystem.entries(of: artifacts.runsFolder).sorted() }

  @Test func theLastFiveStay() throws {
    let runs = try (1...8).map { try makeRun($0) }
    let result = RunPruning().prune(artifacts, current: runs[7])
    #expect(result.failed.isEmpty)
    #expect(result.removed.sorted() == ["run-1", "run-2", "run-3"])
    #expect(try left() == ["run-4", "run-5", "run-6", "run-7", "run-8"])
  }

  @Test func theOldestGoWhenTogetherTheyAreTooLarge() throws {
    let runs = try (1...4).map { try makeRun($0, bytes: 400_000) }
    var pruning = RunPruning()
    pruning.keptBytes = 1_000_000
    _ = pruning.prune(artifacts, current: runs[3])
    #expect(try left() == ["run-3", "run-4"])
  }

  @Test func whatPassingTestsDidCountsAndGoes() throws {
    let runs = try (1...3).map { try makeRun($0) }
    for run in runs {
      try FileSystem.createFolder(run.passesFolder)
      try FileSystem.writeNewFile(run.passesFolder + "/1-2.passes", [UInt8](repeating: 7, count: 400_000))
    }
    var pruning = RunPruning()
    pruning.keptBytes = 1_000_000
    let result = pruning.prune(artifacts, current: runs[2])
    #expect(result.removed == ["run-1"] && result.failed.isEmpty)
    #expect(try left() == ["run-2", "run-3"])
  }

  @Test func aRunWhoseProcessLivesStays() throws {
    let alive = try #require(ProcessIdentity.current)
    let first = try makeRun(1, owner: alive)
    let second = try makeRun(2)
    _ = try LogFile(
      for: ProcessHeader(pid: alive.pid, startTicks: alive.startTicks, executable: "x"), in: second)
    for number in 3...9 { _ = try makeRun(number) }
    _ = RunPruning().prune(artifacts, current: try makeRun(10))
    #expect(try left().contains(first.name))
    #expect(try left().contains(second.name))
    #expect(try !left().contains("run-3"))
  }

  /// As it is seen from another container: its processes have no numbers here.
  private func makeLog(in run: RunFolder, age: Double) throws -> String {
    try FileSystem.createFolder(run.logsFolder)
    let path = run.logsFolder + "/4194304-1.jsonl"
    try FileSystem.writeNewFile(path, Array("{}\n".utf8))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
    return path
  }

  @Test func aRunWhoseLogIsLockedOrWasJustWrittenStays() throws {
    let runs = try (1...3).map { try makeRun($0) }
    let descriptor = open(try makeLog(in: runs[0], age: 86_400), O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    _ = try makeLog(in: runs[1], age: 3000)
    _ = try makeLog(in: runs[2], age: 3700)
    for number in 4...9 { _ = try makeRun(number) }
    _ = RunPruning().prune(artifacts, current: try makeRun(10))
    #expect(try left().filter { ["run-1", "run-2", "run-3"].contains($0) } == ["run-1", "run-2"])
  }

  /// The superuser may read any folder, so what cannot be listed is here no folder.
  @Test func aRunWhoseLogsCannotBeReadStays() throws {
    let unreadable = try makeRun(1)
    try FileSystem.writeNewFile(unreadable.logsFolder, [])
    for number in 2...9 { _ = try makeRun(number) }
    _ = RunPruning().prune(artifacts, current: try makeRun(10))
    #expect(try left().contains(unreadable.name))
    #expect(try !left().contains("run-2"))
  }

  /// What a test process writes keeps its lock by itself.
  @Test func aLogThatIsWrittenIsLocked() throws {
    let run = try makeRun(1)
    var log: LogFile? = try LogFile(
      for: ProcessHeader(pid: 4_194_304, startTicks: 1, executable: "x"), in: run)
    let path = try #require(log?.path)
    #expect(LogFile.isLocked(path))
    log = nil
    waitForUnlocking(of: path)
    #expect(!LogFile.isLocked(path))
  }

  @Test func foldersWithoutOurMarkStay() throws {
    let own = artifacts.runsFolder + "/holiday pictures"
    try FileSystem.createFolder(own)
    try FileSystem.writeNewFile(own + "/run.json", Array("{\"format\": \"99.0\"}".utf8))
    for number in 1...9 { _ = try makeRun(number) }
    _ = RunPruning().prune(artifacts, current: try makeRun(10))
    #expect(try left().contains("holiday pictures"))
    #expect(try left().count == 6)
  }

  @Test func linksAreRemovedAndNotFollowed() throws {
    let outside = folder.path + "/outside"
    try FileSystem.createFolder(outside)
    try FileSystem.writeNewFile(outside + "/precious", [1])
    let old = try makeRun(1)
    try FileManager.default.createSymbolicLink(
      atPath: old.evidenceFolder + "/link", withDestinationPath: outside)
    for number in 2...7 { _ = try makeRun(number) }
    _ = RunPruning().prune(artifacts, current: try makeRun(8))
    #expect(try !left().contains("run-1"))
    #expect(FileManager.default.fileExists(atPath: outside + "/precious"))
  }
}
