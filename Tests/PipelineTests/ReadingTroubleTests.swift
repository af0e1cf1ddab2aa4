import Collector
import ExhibitSystem
import Foundation
import Testing

/// A run that cannot be read in one place or another: what is missing in the report is said.
@Suite(.enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"))
struct ReadingTroubleTests {
  private let folder: TemporaryFolder
  private var artifacts: String { folder.path + "/artifacts" }

  /// A run with tests in a log and others in an xunit file and an event stream, and with evidence.
  init() throws {
    folder = try TemporaryFolder()
    let run = artifacts + "/runs/r"
    for name in ["logs", "inputs/attachments", "evidence/t/store.history"] {
      try FileSystem.createFolder(run + "/" + name)
    }
    try RunManifest(run: "r", start: 1, package: folder.path).write(to: RunFolder(path: run))
    try write(log, to: run + "/logs/7-70.jsonl")
    let cases = "<testcase classname='M.Other' name='testPasses'/>"
    try write("<testsuites><testsuite>\(cases)</testsuite></testsuites>".utf8, to: run + "/inputs/xunit.xml")
    try write("attached".utf8, to: run + "/inputs/attachments/note.txt")
    try write(events.utf8, to: run + "/inputs/events.jsonl")
    try write("M.Store/testFails\n".utf8, to: run + "/inputs/tests.txt")
    for name in ["store.sqlite", "store.history/store.sqlite", "store.history/store.sqlite-wal"] {
      try write("SQLite format 3\0".utf8, to: run + "/evidence/t/" + name)
    }
  }

  private func write(_ bytes: some Collection<UInt8>, to path: String) throws {
    try FileSystem.writeNewFile(path, bytes)
  }

  private var log: [UInt8] {
    let test = TestCaseID(module: "M", suite: ["Store"], name: "testFails")
    let header = ProcessHeader(pid: 7, startTicks: 70, executable: "T.xctest")
    let capture = DatabaseCapture(
      method: .readTransaction, wal: .committed, databaseBytes: 1, history: "evidence/t/store.history")
    let evidence = CapturedEvidence(
      kind: .database, name: "store", path: "evidence/t/store.sqlite", bytes: 16, database: capture)
    let records = [
      LogRecord(time: 1, header),
      LogRecord(time: 1, test: test, TestStart(framework: .xctest)),
      LogRecord(time: 1, test: test, RecordedIssue(message: "m")),
      LogRecord(time: 1, test: test, evidence),
      LogRecord(time: 1, test: test, TestEnd(outcome: .failed, duration: 1)),
      LogRecord(time: 1, ProcessEnd(tests: 1, failed: 1)),
    ]
    return records.flatMap(LogLine.encode)
  }

  private var events: String {
    """
    {"kind":"test","payload":{"kind":"function","id":"M.S/f()/F.swift:1:2"},"version":"6.3"}
    {"kind":"event","payload":{"kind":"runStarted"},"version":"6.3"}
    {"kind":"event","payload":{"kind":"testStarted","testID":"M.S/f()/F.swift:1:2"},"version":"6.3"}
    {"kind":"event","payload":{"kind":"valueAttached","testID":"M.S/f()/F.swift:1:2","attachment":\
    {"path":"/elsewhere/note.txt"}},"version":"6.3"}
    {"kind":"event","payload":{"kind":"testEnded","testID":"M.S/f()/F.swift:1:2"},"version":"6.3"}
    {"kind":"event","payload":{"kind":"runEnded"},"version":"6.3"}

    """
  }

  private func report(_ environment: [String: String] = [:]) async throws -> (
    shell: CommandResult, json: String?
  ) {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let reporter = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("reporter")
    let output = folder.path + "/report"
    try FileSystem.remove(output)
    let shell = try await Shell.run(
      [reporter.path, "report", artifacts, "--output", output, "--nonce", "n"],
      in: URL(fileURLWithPath: folder.path),
      environment: environment)
    return (
      shell,
      FileManager.default.contents(atPath: output + "/report.json").map {
        String(decoding: $0, as: UTF8.self)
      }
    )
  }

  /// A report that says it is complete has all that the undisturbed one has.
  ///
  /// In short every fifth call; every one with `EXHIBIT_LONG_TESTS=1`.
  @Test(arguments: ["open", "openat", "list", "read", "stat", "close"])
  func everyCallFails(kind: String) async throws {
    let whole = try await report()
    #expect(whole.shell.status == 0, "\(whole.shell.output)")
    _ = try await report(FaultLibrary.environment(kind, 0, stays: false, below: artifacts))
    let calls = try FaultLibrary.calls(below: artifacts)
    #expect(calls > 0)
    for stays in [false, true] {
      for number in LongTests.some(of: 1...max(1, calls), from: stays ? 2 : 0) {
        let troubled = try await report(
          FaultLibrary.environment(kind, number, stays: stays, below: artifacts))
        _ = try FaultLibrary.calls(below: artifacts)
        let call = "\(kind) \(number) of \(calls)\(stays ? ", for good" : "")"
        #expect([0, 3, 66, 73].contains(troubled.shell.status), "\(call): \(troubled.shell.output)")
        if troubled.shell.status == 0 { #expect(troubled.json == whole.json, "\(call)") }
      }
    }
  }
}
