import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// Mutated real files: no reader may crash, hang, or make something green that is not.
///
/// `EXHIBIT_FUZZ=30000 swift test --filter FuzzTests` mutates that often instead of a few hundred times;
/// `EXHIBIT_FUZZ_SEED` repeats a run.
@Suite struct FuzzTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let rounds = variables["EXHIBIT_FUZZ"].flatMap { Int($0) } ?? 150
  private static let seed = variables["EXHIBIT_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

  private func fuzz(_ files: [Data], _ read: (Data) throws -> Void) rethrows {
    var mutation = Mutation(seed: Self.seed)
    for round in 0..<Self.rounds {
      let start = ProcessorTime.now
      try read(mutation.mutated(files[round % files.count], with: files))
      #expect(ProcessorTime.now - start < .seconds(120), "round \(round) of seed \(Self.seed)")
    }
  }

  private func bytes(_ paths: [String]) throws -> [Data] {
    try paths.map { try Data(contentsOf: URL(fileURLWithPath: "\(Fixture.folder)/Inputs/\($0)")) }
  }

  /// A failed test may be lost only where it is said that something is.
  private func expectHonest(_ input: InputTests) {
    let join = InputJoin([input])
    for test in join.tests where test.issues.contains(where: \.isFailure) {
      #expect(test.outcome.isFailure)
    }
    if !input.endedProperly && input.kind != .log { #expect(!input.remarks.faults.isEmpty) }
  }

  @Test func xunit() throws {
    let files = try bytes([
      "parallel/xunit.xml", "parallel-messages/xunit.xml", "swift-testing-only/xunit.xml",
      "junit/pytest/junit.xml", "junit/pytest-colors/junit.xml", "junit/nextest/junit.xml",
      "junit/surefire/TEST-com.example.OrderTest.xml", "junit/apple/junit.xml",
    ])
    fuzz(files) { bytes in
      expectHonest(XUnitInput.read(LoadedFile(name: "x", path: "/nowhere/x", bytes: bytes)))
    }
  }

  @Test func eventStream() throws {
    let files = try bytes([
      "serial-rich/events.jsonl", "time-limit/events.jsonl", "green/events.jsonl", "repetitions/events.jsonl",
    ])
    fuzz(files) { bytes in
      expectHonest(
        EventStreamInput.read(
          LoadedFile(name: "e", path: "/nowhere/e", bytes: bytes), attachments: ["/nowhere/attachments"]))
    }
  }

  @Test func logs() throws {
    var files: [Data] = []
    for recording in ["verdicts-serial", "recorded-evidence", "recorded-crash-xctest"] {
      let folder = "\(Fixture.recording(recording))/runs/recorded/logs"
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        files.append(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
      }
    }
    fuzz(files) { bytes in
      let log = LogTests(LogReader.read(bytes, LogTests.kinds), name: "l", runFolder: "/nowhere")
      for test in log.observations where test.issues.contains(where: \.isFailure) {
        #expect(test.outcome.isFailure)
      }
    }
  }

  @Test func listingsOutputsAndBaselines() throws {
    let files = try bytes(["serial/output.txt", "crash-xctest/output.txt"])
    let reports = [
      try Data(contentsOf: URL(fileURLWithPath: "\(Fixture.folder)/Outputs/hostile/report.json"))
    ]
    fuzz(files) { bytes in
      let file = LoadedFile(name: "o", path: "/nowhere/o", bytes: bytes)
      _ = TestListing(file)
      expectHonest(ConsoleInput.read(file).tests)
    }
    fuzz(reports) { bytes in
      // That it is refused is an answer too.
      _ = try? Baseline(bytes)
    }
  }

  /// Databases and archives that tests left, looked into as the report does.
  @Test func evidence() throws {
    let folder = try TemporaryFolder()
    let root = "\(Fixture.folder)/Inputs"
    let names = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
    func files(_ suffix: String) throws -> [Data] {
      try names.filter { $0.hasSuffix(suffix) }.sorted().prefix(12).map {
        try Data(contentsOf: URL(fileURLWithPath: "\(root)/\($0)"))
      }
    }
    try fuzz(files(".sqlite")) { bytes in
      try FileManager.default.removeItemIfThere(folder.path + "/a.sqlite")
      let path = try folder.write(bytes, to: "a.sqlite")
      _ = examineDatabase(at: path, inspectDatabase(at: path, rows: true), rows: true)
    }
    try fuzz(files(".zip")) { bytes in
      try FileManager.default.removeItemIfThere(folder.path + "/a.zip")
      _ = inspectArchive(at: try folder.write(bytes, to: "a.zip"))
    }
  }
}

extension FileManager {
  fileprivate func removeItemIfThere(_ path: String) throws {
    if fileExists(atPath: path) { try removeItem(atPath: path) }
  }
}
