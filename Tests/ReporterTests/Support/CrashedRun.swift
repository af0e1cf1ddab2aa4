import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportTestSupport

/// A run whose process died while a test had a database open: its log stops, and a WAL with committed rows is left.
struct CrashedRun {
  let folder: TemporaryFolder
  let database: String
  var run: RunFolder { RunFolder(path: folder.path + "/test-artifacts/runs/r") }

  init() throws {
    folder = try TemporaryFolder()
    database = folder.path + "/app.db"
    try FileSystem.createFolder(folder.path + "/test-artifacts/runs/r/logs")
    let manifest = RunManifest(run: "r", start: 1, package: folder.path)
    try manifest.write(to: run)
    try crash()
  }

  /// Leaves a WAL with two committed rows.
  private func crash() throws {
    try TestSupport.crash(
      database,
      """
      PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES('one'),('two');
      BEGIN; INSERT INTO t VALUES('uncommitted')
      """)
  }

  /// Writes the log of a process that died, or of this one, with a test that had the database open.
  func writeLog(
    alive: Bool = false, boot: String? = currentBoot, opened: Double? = nil, path: String? = nil
  ) throws {
    let this = try #require(ProcessIdentity.current)
    let header = ProcessHeader(
      pid: this.pid, startTicks: alive ? this.startTicks : this.startTicks + 1, executable: "T.xctest",
      boot: boot)
    let path = path ?? database
    let opening = DatabaseOpening(connection: 1, path: path, file: FileIdentity(path: path))
    let records = [
      LogRecord(time: 1, header),
      LogRecord(time: 1, test: .store("testDies"), TestStart(framework: .xctest, number: 1)),
      LogRecord(time: opened ?? currentTime(), test: .store("testDies"), opening),
    ]
    try folder.write(records.flatMap(LogLine.encode), to: "test-artifacts/runs/r/logs/9-9.jsonl")
  }

  func report(_ environment: [String: String] = [:]) throws -> CommandResult {
    let result = try ReporterProcess.run(
      ["report", "--nonce", "n"], in: folder.path, environment: environment)
    // Degraded where something could not be captured; the crash itself is known.
    #expect(result.status == (result.errors.isEmpty ? 0 : 3), "\(result.errors)")
    return result
  }

  var page: String {
    get throws {
      let name = try #require(folder.files.first { $0.contains("report/tests/") })
      return try folder.read(name)
    }
  }

  /// The files of its evidence.
  var captured: [String] {
    // The artifacts folder can be a disk of its own.
    let names = FileManager.default.enumerator(atPath: run.evidenceFolder)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      FileSystem.status("\(run.evidenceFolder)/\(name)").map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }.sorted().map { "test-artifacts/runs/r/evidence/" + $0 }
  }

  /// What reports recorded of it.
  var record: String {
    get throws { try folder.read("test-artifacts/runs/r/postmortem/9-9.jsonl") }
  }
}
