import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Foundation
import Testing

/// What one run of a fixture package left behind.
struct FixtureRun: Sendable {
  let artifacts: TemporaryFolder
  let package: URL
  let status: Int32
  let output: String
  /// Every log of every run in the artifacts folder.
  let logs: [LogContents]

  init(artifacts: TemporaryFolder, package: URL, shell: CommandResult) throws {
    self.artifacts = artifacts
    self.package = package
    status = shell.status
    output = shell.output
    logs = try Self.runs(in: artifacts).flatMap(Self.logs)
  }

  private static func runs(in artifacts: TemporaryFolder) throws -> [String] {
    let folder = artifacts.path + "/runs"
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileSystem.entries(of: folder).sorted().map { folder + "/" + $0 }
  }

  private static func logs(of run: String) throws -> [LogContents] {
    guard FileManager.default.fileExists(atPath: run + "/logs") else { return [] }
    return try FileSystem.entries(of: run + "/logs").sorted().map { name in
      LogReader.read(try Data(contentsOf: URL(fileURLWithPath: run + "/logs/" + name)), .all)
    }
  }

  var runs: [String] { get throws { try Self.runs(in: artifacts) } }

  var reportFolder: String { artifacts.path + "/report" }

  /// The page of the test whose name contains `name`, in the run's report.
  func page(_ name: String) throws -> String {
    let folder = reportFolder + "/tests/"
    let file = try #require(FileSystem.entries(of: folder).first { $0.contains(name) })
    return try String(contentsOfFile: folder + file, encoding: .utf8)
  }

  var records: [LogRecord] { logs.flatMap(\.records) }

  /// The records of a test, named as `swift test --filter` names it, with its argument.
  func records(of test: String) -> [LogRecord] { records.filter { $0.test?.description == test } }

  func issues(of test: String) -> [RecordedIssue] {
    records(of: test).compactMap { $0.payload as? RecordedIssue }
  }

  /// What was captured for a test, without its story.
  func evidence(of test: String) -> [CapturedEvidence] {
    allEvidence(of: test).filter { $0.kind != .story }
  }

  /// What the log says of a test's story, at its failure and at its end.
  func stories(of test: String) -> [CapturedEvidence] {
    allEvidence(of: test).filter { $0.kind == .story }
  }

  /// The path of a test's story; `nil` when it has none.
  func story(of test: String) throws -> String? {
    try stories(of: test).last.map { try path(of: $0) }
  }

  private func allEvidence(of test: String) -> [CapturedEvidence] {
    records(of: test).compactMap { $0.payload as? CapturedEvidence }
  }

  /// What could not be captured for a test, beside its story.
  func failures(of test: String) -> [CaptureFailure] {
    records(of: test).compactMap { $0.payload as? CaptureFailure }.filter { $0.kind != .story }
  }

  /// What is missing in its story.
  func storyFailures(of test: String) -> [CaptureFailure] {
    records(of: test).compactMap { $0.payload as? CaptureFailure }.filter { $0.kind == .story }
  }

  func end(of test: String) -> TestEnd? {
    records(of: test).compactMap { $0.payload as? TestEnd }.last
  }

  /// The outcome of every test that ended.
  var outcomes: [String: TestEnd.Outcome] {
    var outcomes: [String: TestEnd.Outcome] = [:]
    for record in records {
      if let end = record.payload as? TestEnd, let test = record.test {
        outcomes[test.description] = end.outcome
      }
    }
    return outcomes
  }

  /// The absolute path of evidence; there is one run.
  func path(of evidence: CapturedEvidence) throws -> String {
    try (runs.first ?? "") + "/" + evidence.path
  }

  /// The first value of a query in a captured database, which is opened read-only.
  func value(_ sql: String, in evidence: CapturedEvidence) throws -> String? {
    let connection = try SQLiteConnection(
      path: try path(of: evidence), flags: SQLITE_OPEN_READONLY, image: .linked)
    return try connection.handle.text(sql)
  }

  func text(of evidence: CapturedEvidence) throws -> String {
    try String(contentsOfFile: try path(of: evidence), encoding: .utf8)
  }
}

extension ReportJSON {
  /// The report that a run wrote.
  init(of run: FixtureRun) throws {
    try self.init(in: run.artifacts("report"))
  }
}
