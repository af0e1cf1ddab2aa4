import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportTestSupport

/// What lies in the place of rings and stories when somebody else has put it there: nothing beside the run is read or
/// removed, and what is lost is said.
@Suite struct HostileTraceTests {
  private let folder: TemporaryFolder
  private let this: ProcessIdentity
  private static let ring = "test-artifacts/runs/r/trace/9-9.ring"
  private static let story = "test-artifacts/runs/r/evidence/t/story.jsonl"

  init() throws {
    folder = try TemporaryFolder()
    this = try #require(ProcessIdentity.current)
    for name in ["logs", "trace", "evidence/t"] { _ = try folder.makeFolder("test-artifacts/runs/r/" + name) }
    let manifest = RunManifest(run: "r", start: 1, package: folder.path)
    try manifest.write(to: RunFolder(path: folder("test-artifacts/runs/r")))
  }

  /// The log of a process that died while a test ran.
  private func writeLog(ended: Bool = false) throws {
    let header = ProcessHeader(
      pid: this.pid, startTicks: this.startTicks + 1, executable: "T.xctest", boot: currentBoot,
      frameworks: [.xctest])
    let test = TestCaseID.store("testDies")
    var records = [
      LogRecord(time: 1, header), LogRecord(time: 1, test: test, TestStart(framework: .xctest, number: 1)),
    ]
    if ended {
      let evidence = CapturedEvidence(
        kind: .story, name: "story.jsonl", path: "evidence/t/story.jsonl", bytes: 100)
      records += [
        LogRecord(time: 2, test: test, RecordedIssue(message: "m", file: "/package/Tests/A.swift", line: 5)),
        LogRecord(time: 2, test: test, evidence),
        LogRecord(time: 3, test: test, TestEnd(outcome: .failed, duration: 1)),
        LogRecord(time: 3, ProcessEnd(tests: 1, failed: 1)),
      ]
    }
    try folder.write(records.flatMap(LogLine.encode), to: "test-artifacts/runs/r/logs/9-9.jsonl")
  }

  /// The ring of a process with one step of its test 1.
  private func ringBytes(startTicks: UInt64? = nil, version: UInt8 = 3, room: UInt64 = 4096) -> [UInt8] {
    var ring = RingBytes(room: 4096)
    ring.step(1, ring.text("SELECT 'ran'"), flags: 3)
    let process = (UInt64(this.pid), startTicks ?? this.startTicks + 1)
    ring.changesHeader = { header in
      header[20] = version
      for (place, number) in [(24, room), (32, process.0), (40, process.1)] {
        withUnsafeBytes(of: number.littleEndian) { header.replaceSubrange(place..<place + 8, with: $0) }
      }
    }
    return ring.bytes
  }

  private func report() throws -> CommandResult {
    let result = try ReporterProcess.run(
      ["report", "--nonce", "n"], in: folder.path, within: .processorSeconds(60))
    #expect(result.status == (result.errors.isEmpty ? 0 : 3), "\(result.errors)")
    return result
  }

  private func isThere(_ name: String) -> Bool { FileSystem.status(folder(name)) != nil }

  private var page: String {
    get throws { try folder.read(try #require(folder.files.first { $0.contains("report/tests/") })) }
  }

  // MARK: - Rings

  @Test func theRingOfTheDeadProcessBecomesAStoryAndGoes() throws {
    try writeLog()
    try folder.write(ringBytes(), to: Self.ring)
    _ = try report()
    #expect(try page.contains("'ran'") || page.contains("&#39;ran&#39;"))
    #expect(!isThere(Self.ring))
  }

  /// What is whole in it is told, and where it is not; it stays, whatever later reports make of it.
  @Test func aDamagedRingStaysAndTheReportSaysFromWhereOn() throws {
    try writeLog()
    var ring = ringBytes()
    // The beginning of another record behind the step.
    ring[72] = 152 + 56
    ring[4096 + 152] = 56
    try folder.write(ring, to: Self.ring)
    for _ in 0..<2 {
      let errors = try report().errors
      #expect(errors.contains("is damaged, and stays at trace/9-9.ring. From byte 4248 on, 56 bytes"))
      #expect(errors.contains("what came after step 1 of the process may be missing"))
      #expect(isThere(Self.ring))
    }
    #expect(try page.contains("'ran'") || page.contains("&#39;ran&#39;"))
  }

  /// Its name is that of the log of a process that died; its header says whose it is.
  @Test func theRingOfAnotherProcessStays() throws {
    try writeLog()
    try folder.write(ringBytes(startTicks: this.startTicks), to: Self.ring)
    #expect(try report().errors.contains("is another process's"))
    #expect(isThere(Self.ring) && !folder.files.contains { $0.hasSuffix("story.jsonl") })
  }

  @Test(arguments: [1, 2, 4]) func aRingThatAnotherVersionWroteStays(version: UInt8) throws {
    try writeLog()
    try folder.write(ringBytes(version: version), to: Self.ring)
    #expect(try report().errors.contains("It is of version \(version)"))
    #expect(isThere(Self.ring))
  }

  @Test(arguments: [UInt64.max, .max - 7, 1 << 62, 0, 4097] as [UInt64])
  func aHeaderThatDoesNotFitIsNamed(room: UInt64) throws {
    try writeLog()
    try folder.write(ringBytes(room: room), to: Self.ring)
    #expect(try report().errors.contains("Its header does not fit it"))
    #expect(isThere(Self.ring))
  }

  @Test func aLinkInThePlaceOfARingIsNotFollowed() throws {
    try writeLog()
    try folder.write(ringBytes(), to: "elsewhere/somebodys.ring")
    try FileManager.default.createSymbolicLink(
      atPath: folder(Self.ring), withDestinationPath: folder("elsewhere/somebodys.ring"))
    #expect(try report().errors.contains("a link or no file"))
    #expect(isThere("elsewhere/somebodys.ring") && !folder.files.contains { $0.hasSuffix("story.jsonl") })
  }

  @Test func aPipeAndAFolderInThePlaceOfARingAreNamed() throws {
    try writeLog()
    #expect(mkfifo(folder(Self.ring), 0o600) == 0)
    #expect(try report().errors.contains("a link or no file"))
    try FileSystem.remove(folder(Self.ring))
    try FileSystem.remove(folder("test-artifacts/runs/r/postmortem"))
    try folder.write("mine", to: Self.ring + "/inside")
    #expect(try report().errors.contains("a link or no file"))
    #expect(try folder.read(Self.ring + "/inside") == "mine")
  }

  @Test func aRingOfAGigabyteIsReadOrNamed() throws {
    try writeLog()
    try folder.write(ringBytes(room: 1 << 29), to: Self.ring)
    #expect(truncate(folder(Self.ring), 1 << 30) == 0)
    _ = try report()
    #expect(try page.contains("SELECT"))
    try FileSystem.remove(folder("test-artifacts/runs/r/postmortem"))
    try folder.write(ringBytes(room: 1 << 31), to: Self.ring)
    #expect(truncate(folder(Self.ring), 4 << 30) == 0)
    #expect(try report().errors.contains("too large"))
    #expect(isThere(Self.ring))
  }

  // MARK: - Stories

  @Test func whatIsNoFileInThePlaceOfAStoryIsNamed() throws {
    try writeLog(ended: true)
    #expect(try report().errors.contains("was captured, but its file is not there"))
    try folder.write("secret of somebody else", to: "elsewhere/story.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: folder(Self.story), withDestinationPath: folder("elsewhere/story.jsonl"))
    #expect(try report().errors.contains("is named by a path that is not a file of its folder"))
    #expect(try !page.contains("secret"))
    try FileSystem.remove(folder(Self.story))
    #expect(mkfifo(folder(Self.story), 0o600) == 0)
    #expect(try report().errors.contains("is named by a path that is not a file of its folder"))
    try FileSystem.remove(folder(Self.story))
    try folder.write("x", to: Self.story + "/inside")
    #expect(try report().errors.contains("is named by a path that is not a file of its folder"))
  }

  @Test func aStoryThatMayNotBeReadIsNamed() throws {
    try writeLog(ended: true)
    try folder.write("{}", to: Self.story)
    #expect(chmod(folder(Self.story), 0) == 0)
    let result = try ReporterProcess.runWithoutPrivileges(["report"], in: folder.path)
    #expect(result.status == 3 && result.errors.contains("cannot be read"))
  }

  @Test func aStoryOfAGigabyteIsNamed() throws {
    try writeLog(ended: true)
    try folder.write("{}", to: Self.story)
    #expect(truncate(folder(Self.story), 1 << 30) == 0)
    #expect(try report().errors.contains("so nothing was read of it"))
  }
}
