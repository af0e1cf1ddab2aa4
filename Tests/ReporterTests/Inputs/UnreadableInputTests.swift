import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// What is there and cannot be read is told: a report on the rest alone never looks whole.
@Suite struct UnreadableInputTests {
  private let folder: TemporaryFolder
  private static let run = "artifacts/runs/r"

  /// A run with a test that passed by an xunit file, and one that crashed by a log.
  init() throws {
    folder = try TemporaryFolder()
    try folder.writeManifest(to: Self.run)
    try folder.write(
      "{\"arguments\":[],\"attachments\":\"\",\"format\":\"1.4\",\"status\":1}", to: inputs("inputs.json"))
    try folder.write("<testsuites><testsuite>\(passing)</testsuite></testsuites>", to: inputs("xunit.xml"))
    try folder.write("", to: inputs("attachments/note.txt"))
    try folder.write("M.Store/testDies\n", to: inputs("tests.txt"))
    try folder.write("output", to: inputs("output.txt"))
    var log = try WrittenLog()
    try log.start(.store("testDies"))
    try folder.write(log.bytes, to: "\(Self.run)/logs/7-70.jsonl")
  }

  private let passing = "<testcase classname='M.Other' name='testPasses'/>"

  private func inputs(_ name: String) -> String { "\(Self.run)/inputs/\(name)" }

  private func report(_ inputs: String...) throws -> CommandResult {
    try ReporterProcess.runWithoutPrivileges(["report", "--output", "out"] + inputs, in: folder.path)
  }

  /// Does something while a file or folder has a mode that keeps everybody out, or nearly.
  private func with<Value>(_ mode: Int, of path: String, _ body: () throws -> Value) throws -> Value {
    let path = folder.path + "/" + path
    let before = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    defer {
      // The folder is removed all the same when this fails, by root.
      try? FileManager.default.setAttributes([.posixPermissions: before ?? 0o700], ofItemAtPath: path)
    }
    return try body()
  }

  private func faults() throws -> [(kind: String, input: String?)] {
    let json = try JSONSerialization.jsonObject(with: Data(try folder.read("out/report.json").utf8))
    let faults = try #require((json as? [String: Any])?["faults"] as? [[String: Any]])
    return faults.map { ($0["kind"] as? String ?? "", $0["input"] as? String) }
  }

  @Test(
    arguments: [
      "logs", "logs/7-70.jsonl", "inputs", "inputs/inputs.json", "inputs/xunit.xml", "inputs/tests.txt",
      "inputs/output.txt", "inputs/attachments",
    ], [0o000, 0o300, 0o400])
  func whatARunHasAndNobodyMayReadIsAFault(name: String, mode: Int) throws {
    // A file that may be read is one; a folder that may only be listed is none.
    let isFile = name.contains(".")
    let isEmptied = mode == 0o400 && name == "inputs/attachments"
    if isFile && mode == 0o400 || isEmptied { return }
    let result = try with(mode, of: "\(Self.run)/\(name)") { try report("artifacts") }
    #expect(result.status == 3, "\(result.output) \(result.errors)")
    let faults = try faults()
    let named = faults.filter {
      $0.kind == "unreadableInput" && $0.input?.hasPrefix("runs/r/\(name)") == true
    }
    #expect(!named.isEmpty, "\(faults)")
    #expect(result.errors.contains("Permission denied"), "\(result.errors)")
  }

  @Test func aRunWhoseFolderNobodyMayListIsAFault() throws {
    try folder.write("<testsuite>\(passing)</testsuite>", to: "whole.xml")
    for mode in [0o000, 0o300, 0o400] {
      let result = try with(mode, of: Self.run) { try report("artifacts", "whole.xml") }
      #expect(result.status == 3, "\(result.output) \(result.errors)")
      #expect(result.errors.contains("Permission denied"), "\(result.errors)")
    }
  }

  @Test(arguments: [0o000, 0o300, 0o400])
  func aFolderOfInputsThatNobodyMayReadIsAFault(mode: Int) throws {
    try folder.write("<testsuite>\(passing)</testsuite>", to: "results/a/a.xml")
    try folder.write(
      "<testsuite><testcase classname='M.S' name='b'><failure message='m'/></testcase></testsuite>",
      to: "results/b/b.xml")
    try folder.write("<testsuite>\(passing)</testsuite>", to: "whole.xml")
    let result = try with(mode, of: "results/b") { try report("results", "whole.xml") }
    #expect(result.status == 3, "\(result.output) \(result.errors)")
    #expect(result.errors.contains("results/b"), "\(result.errors)")
    // What is in a folder that cannot be listed can be read as far as its names are known.
    for name in mode == 0o300 ? ["artifacts/runs"] : ["artifacts", "artifacts/runs"] {
      let result = try with(mode, of: name) { try report("artifacts", "whole.xml") }
      #expect(result.status == 3, "\(name): \(result.output) \(result.errors)")
      #expect(result.errors.contains("Permission denied"), "\(result.errors)")
    }
  }

  @Test func aHistoryThatNobodyMayReadIsAFault() throws {
    var log = try WrittenLog()
    try log.start(.store("testFails"))
    try log.fail(.store("testFails"), "m")
    let capture = DatabaseCapture(
      method: .readTransaction, wal: .committed, databaseBytes: 1, walBytes: 1,
      history: "evidence/t/a.history")
    try log.add(
      .store("testFails"),
      CapturedEvidence(kind: .database, name: "a", path: "evidence/t/a.sqlite", bytes: 1, database: capture))
    try log.finish(.store("testFails"), .failed)
    try log.end()
    try folder.write(log.bytes, to: "\(Self.run)/logs/7-70.jsonl")
    try folder.write("SQLite format 3\0", to: "\(Self.run)/evidence/t/a.sqlite")
    for name in ["a.sqlite", "a.sqlite-wal"] {
      try folder.write(name, to: "\(Self.run)/evidence/t/a.history/\(name)")
    }
    for name in ["a.history", "a.history/a.sqlite-wal", "a.sqlite"] {
      _ = try with(0, of: "\(Self.run)/evidence/t/\(name)") { try report("artifacts") }
      let faults = try faults()
      #expect(faults.contains { $0.kind == "evidenceUnreadable" }, "\(name): \(faults)")
    }
  }

  /// Whatever cannot be opened for want of descriptors, the crashed test is there or something is said to be missing.
  @Test func withoutDescriptorsNothingLooksGreen() throws {
    // The run alone makes no sign of the crash but its log.
    try FileManager.default.removeItem(atPath: folder.path + "/" + inputs("inputs.json"))
    try FileManager.default.removeItem(atPath: folder.path + "/" + inputs("tests.txt"))
    var statuses: Set<Int32> = []
    for descriptors in 4...24 {
      let result = try ReporterProcess.run(
        ["report", "--output", "out", "artifacts"], in: folder.path, within: .descriptors(descriptors))
      statuses.insert(result.status)
      let isTold = result.status != 0 || result.output.contains("1 crashed")
      #expect(isTold, "\(descriptors) descriptors: \(result.output) \(result.errors)")
    }
    #expect(statuses.contains { $0 != 0 })
  }
}
