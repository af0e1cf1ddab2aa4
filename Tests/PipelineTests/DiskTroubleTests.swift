import Collector
import ExhibitCSQLite
import ExhibitSystem
import Foundation
import Testing

/// Disks that are full, broken or closed to us: what becomes of the tests stays, what is there is whole, and what is
/// missing is said.
@Suite(.enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"))
struct DiskTroubleTests {
  private static let tests = [
    "QueueTests.QueueTests/testPool", "QueueTests.QueueTests/testInsideATransaction",
    "EvidenceTests.EvidenceXCTests/testEveryKind", "EvidenceTests.EvidenceXCTests/testDroppedWhenPassing",
    "ClosedTests.ClosedXCTests/testThrowsAndRemovesItsFolder",
  ]
  private static let usual = Task { try await run(into: try TemporaryFolder()) }

  private static func run(
    into artifacts: TemporaryFolder, _ environment: [String: String] = [:], launcher: [String] = []
  ) async throws -> FixtureRun {
    try await FixturePackage.recorded.testXCTestsDirectly(
      tests, into: artifacts, environment: ["EXHIBIT_MIN_FREE": "0"].merging(environment) { $1 },
      launcher: launcher)
  }

  /// Every call in the long version, some in the short one.
  @Test(arguments: ["open", "read", "write", "rename", "mkdir", "stat", "unlink", "close"])
  func everyCallFails(kind: String) async throws {
    let clean = try TemporaryFolder()
    _ = try await Self.run(into: clean, FaultLibrary.environment(kind, 0, stays: false, below: clean.path))
    let calls = try FaultLibrary.calls(below: clean.path)
    #expect(calls > 0)
    let step = LongTests.areAsked ? 1 : max(1, calls / 3)
    for stays in [false, true] {
      for number in stride(from: 1, through: calls, by: step) {
        let artifacts = try TemporaryFolder()
        let environment = FaultLibrary.environment(kind, number, stays: stays, below: artifacts.path)
        let run = try await Self.run(into: artifacts, environment)
        _ = try FaultLibrary.calls(below: artifacts.path)
        try await check(
          run, "\(kind) \(number) of \(calls)\(stays ? ", for good" : "")", mayLeave: kind == "unlink")
      }
    }
    if LongTests.areAsked { print("\(kind): \(2 * calls) faults below the artifacts folder") }
  }

  @Test(.enabled(if: getuid() == 0, "only root mounts"), arguments: [16, 64, 128, 200, 300, 400, 600])
  func aDiskThatFillsUp(kilobytes: Int) async throws {
    let artifacts = try TemporaryFolder()
    // A container may forbid it to root too.
    guard let disk = try? SmallDisk(at: artifacts.path, kilobytes: kilobytes) else { return }
    defer { disk.unmount() }
    let run = try await Self.run(into: artifacts)
    let result = Result { try run.runs }
    try await check(run, "\(kilobytes) KiB")
    _ = try result.get()
  }

  /// The ring has 64 KiB in its file when nothing more can be had.
  private static let diskForARing = 6 << 10

  private static func ringTests(
    _ names: [String], into artifacts: TemporaryFolder, _ environment: [String: String] = [:]
  ) async throws -> FixtureRun {
    try await FixturePackage.recorded.testXCTestsDirectly(
      names.map { "StoryTests.RingTests/\($0)" }, into: artifacts,
      environment: ["EXHIBIT_MIN_FREE": "0"].merging(environment) { $1 })
  }

  @Test(
    .enabled(if: getuid() == 0, "only root mounts"),
    arguments: ["testItsDiskFillsUp", "testItsDiskHasRoomAgain"])
  func aDiskThatFillsUpWhileTheRingGrows(test: String) async throws {
    let name = "StoryTests.RingTests/\(test)"
    let usual = try await Self.ringTests([test], into: TemporaryFolder())
    let artifacts = try TemporaryFolder()
    guard let disk = try? SmallDisk(at: artifacts.path, kilobytes: Self.diskForARing) else { return }
    defer { disk.unmount() }
    let run = try await Self.ringTests([test], into: artifacts, ["FILL_THE_DISK": "1"])
    #expect(run.status == usual.status, "\(run.output)")
    #expect(Verdicts(of: run.output).xctests == Verdicts(of: usual.output).xctests)
    guard test == "testItsDiskHasRoomAgain" else {
      let failures = run.records(of: name).compactMap { $0.payload as? CaptureFailure }
      #expect(failures.first { $0.kind == .story }?.reason == .overBudget, "\(failures) \(run.output)")
      return
    }
    let path = try #require(try run.story(of: name), "\(run.output)")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    for value in 2950..<3010 { #expect(lines.contains { $0.contains("\"new\":[\(value)]") }, "\(value)") }
    #expect(lines.first?.contains(#""missing":0"#) == false, "what had no room is said to be missing")
    #expect(lines.last == #"{"kind":"end"}"#)
  }

  @Test(.enabled(if: getuid() == 0, "only root mounts"), arguments: ["0", "1 GiB"])
  func aProcessThatDiesOnAFullDiskLeavesItsSteps(leastFree: String) async throws {
    let artifacts = try TemporaryFolder()
    guard let disk = try? SmallDisk(at: artifacts.path, kilobytes: Self.diskForARing) else { return }
    defer { disk.unmount() }
    let run = try await Self.ringTests(["testDiesOnAFullDisk"], into: artifacts, ["FILL_THE_DISK": "1"])
    #expect(run.output.contains("testDiesOnAFullDisk' started") && !run.output.contains("error"))
    try FileManager.default.removeItem(atPath: artifacts.path + "/filler")
    let shell = try await Shell.run(
      [try ThisPackage.program("reporter"), "report", artifacts.path], in: ThisPackage.folder,
      environment: ["EXHIBIT_ARTIFACTS": artifacts.path, "EXHIBIT_MIN_FREE": leastFree])
    let folder = try #require(try run.runs.first)
    let rings = try FileSystem.entries(of: folder + "/trace")
    guard leastFree == "0" else {
      #expect(shell.output.contains("story.jsonl was not captured"), "\(shell.output)")
      #expect(rings.count == 1, "what was not taken out of it stays in it")
      return
    }
    #expect(rings == [])
    let test = try #require(try FileSystem.entries(of: folder + "/evidence").first)
    let story = try String(contentsOfFile: "\(folder)/evidence/\(test)/story.jsonl", encoding: .utf8)
    #expect(story.contains(#""new":[2999]"#))
    #expect(!story.contains(#""missing":0"#))
  }

  @Test(.enabled(if: SomebodyElse.reachesTheCheckout, "somebody else has to reach the checkout"))
  func aFolderOfSomebodyElse() async throws {
    let artifacts = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: artifacts.path)
    let run = try await Self.run(into: artifacts, launcher: SomebodyElse.launcher)
    try await check(run, "EACCES")
    #expect(run.output.contains("Exhibit:") && run.output.contains("Permission denied"))
    #expect(try FileSystem.entries(of: artifacts.path).isEmpty)
  }

  @Test func anArtifactsFolderThatSomebodyElseRemovesMeanwhile() async throws {
    let artifacts = try TemporaryFolder()
    let remover = """
      while :; do rm -rf "$EXHIBIT_ARTIFACTS"/runs; done & "$@"; status=$?; kill $!; exit $status
      """
    let run = try await Self.run(into: artifacts, launcher: ["sh", "-c", remover, "sh"])
    let usual = try await Self.usual.value
    #expect(run.status == usual.status, "\(run.output)")
    #expect(Verdicts(of: run.output).xctests == Verdicts(of: usual.output).xctests, "\(run.output)")
    #expect(run.output.split(separator: "\n").filter { $0.contains("Exhibit:") }.count <= 2, "\(run.output)")
  }

  @Test func theReportSaysThatSomethingIsMissing() async throws {
    let artifacts = try TemporaryFolder()
    let run = try await Self.run(
      into: artifacts, FaultLibrary.environment("rename", 1, stays: true, below: artifacts.path))
    #expect(run.failures(of: Self.tests[0]).map(\.reason) == [.io])
    let shell = try await Shell.run(
      [try ThisPackage.program("reporter"), "report", artifacts.path], in: ThisPackage.folder,
      environment: ["EXHIBIT_ARTIFACTS": artifacts.path])
    #expect(shell.status == 3, "\(shell.output)")
    let report = try ReportJSON(of: run)
    #expect(report.degraded)
    #expect(report.outcome(of: Self.tests[0]) == "failed")
    #expect(report.document.faults.contains { $0.message.contains("pool.sqlite") })
  }

  // MARK: - What holds in all of them

  private func check(_ run: FixtureRun, _ situation: String, mayLeave: Bool = false) async throws {
    let usual = try await Self.usual.value
    let comment: Comment = "\(situation)\n\(run.output)"
    #expect(run.status == usual.status, comment)
    #expect(Verdicts(of: run.output).xctests == Verdicts(of: usual.output).xctests, comment)
    let hasComplained = run.output.contains("Exhibit: Could not")
    #expect(run.output.split(separator: "\n").filter { $0.contains("Exhibit:") }.count <= 2, comment)
    var known: Set<String> = []
    for record in run.records {
      guard let evidence = record.payload as? CapturedEvidence else { continue }
      known.insert(evidence.path)
      // It goes on behind the failure.
      if evidence.kind == .story { continue }
      evidence.database?.history.map { _ = known.insert($0) }
      try checkIsWhole(evidence, run, comment)
    }
    // What the log could not say is said on standard error.
    for test in Self.tests where run.end(of: test)?.outcome == .failed && !hasComplained {
      let expected = usual.evidence(of: test).count
      #expect(run.evidence(of: test).count >= expected || !run.failures(of: test).isEmpty, comment)
    }
    guard !hasComplained, !mayLeave else { return }
    for folder in try run.runs { try checkNothingElse(folder, known, comment) }
  }

  private func checkIsWhole(_ evidence: CapturedEvidence, _ run: FixtureRun, _ comment: Comment) throws {
    let path = try run.path(of: evidence)
    guard FileManager.default.fileExists(atPath: path) else {
      #expect(evidence.name == "notes.txt" || evidence.keep == .onFailure, comment)
      return
    }
    if evidence.kind == .database, evidence.database?.method != .raw {
      #expect(try run.value("PRAGMA integrity_check", in: evidence) == "ok", comment)
    } else if evidence.database?.method != .raw {
      #expect(FileSystem.status(path).map { Int($0.st_size) } == evidence.bytes, comment)
    }
  }

  private func checkNothingElse(_ run: String, _ known: Set<String>, _ comment: Comment) throws {
    let folder = run + "/evidence"
    guard FileManager.default.fileExists(atPath: folder) else { return }
    for test in try FileSystem.entries(of: folder) {
      for name in try FileSystem.entries(of: folder + "/" + test) {
        let path = "evidence/\(test)/\(name)"
        #expect(known.contains(path) || known.contains { $0.hasPrefix(path + "/") }, "\(path): \(comment)")
      }
    }
  }
}
