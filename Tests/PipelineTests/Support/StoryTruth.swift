import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportStory

/// What the suite of random statements kept of one of its databases.
struct StoryTruth {
  /// What it kept of one statement.
  struct Line: Decodable {
    var sql: String
    var code: Int32
    var removed: [String]
    var added: [String]

    var net: NetChange {
      var net = NetChange()
      for row in removed { net.add(row, -1) }
      for row in added { net.add(row) }
      return net
    }
  }

  private struct File: Decodable {
    var first: [String]
    var lines: [Line]
  }

  /// The name of the test, with its argument.
  var test: String
  /// What stands in a comment at the end of each of its statements.
  var database: String
  /// The rows before the first statement.
  var first: [String]
  var lines: [Line]

  /// The steps of a story that are the lines', by what each says.
  static func steps<Step>(
    _ steps: [Step], of database: String, sql: (Step) -> String?, connection: (Step) -> Int?
  ) -> [Step] {
    let mark = "/*\(database)*/"
    let connections = Set(steps.filter { sql($0)?.hasSuffix(mark) == true }.map(connection))
    return steps.filter { step in
      guard connections.contains(connection(step)), let sql = sql(step) else { return false }
      return sql.hasSuffix(mark) || sql.hasPrefix("-- sqlite3_blob")
    }
  }

  /// Without blobs that there were none to write to: those make no step.
  var toldLines: [Line] { lines.filter { !($0.sql.hasPrefix("--") && $0.code != 0) } }

  /// What builds the story of the test, with the databases that were captured of it.
  func builder(of run: FixtureRun) throws -> (builder: StoryBuilder, schemas: [CapturedSchema]) {
    let path = try #require(try run.story(of: test))
    let recorded = try #require(StoryFile(Data(contentsOf: URL(fileURLWithPath: path))).story)
    let schemas = try run.evidence(of: test).filter { $0.kind == .database }.map { evidence in
      let file = try run.path(of: evidence)
      return CapturedSchema(
        inspectDatabase(at: file, rows: false).schema, evidence: file, source: evidence.source,
        isUncommitted: evidence.database?.uncommitted ?? false)
    }
    let issue = TestIssue(message: "after everything", location: nil, severity: .error, isKnown: false)
    let builder = StoryBuilder(
      recorded, issues: [issue], schemas: schemas, inspections: [:], path: { $0 })
    return (builder, schemas)
  }

  // MARK: - The run

  private static let variables = ProcessInfo.processInfo.environment
  static let seeds: [UInt64] =
    variables["STORY_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? (LongTests.areAsked ? Array(1...10) : [1])

  private static let runs = Dictionary(
    uniqueKeysWithValues: seeds.map { seed in (seed, RunOnce { try await make(seed) }) })

  /// The run of a seed, with the truth in the folder `truth` of its artifacts.
  private static func make(_ seed: UInt64) async throws -> FixtureRun {
    let truth = FileManager.default.temporaryDirectory.path + "/truth-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: truth, withIntermediateDirectories: true)
    let run = try await FixturePackage.recorded.testDirectly(
      ["--filter", "StoryTests\\.StoryTests"],
      environment: [
        "STORY_TRUTH": truth, "STORY_SEED": "\(seed)", "STORY_STATEMENTS": LongTests.areAsked ? "400" : "40",
        "EXHIBIT_TRACE_SIZE": "268435456",
      ])
    try FileManager.default.moveItem(atPath: truth, toPath: run.artifacts.path + "/truth")
    return run
  }

  static func run(_ seed: UInt64) async throws -> FixtureRun {
    try await #require(runs[seed]).run()
  }

  static func all(of run: FixtureRun) throws -> [StoryTruth] {
    let folder = run.artifacts.path + "/truth"
    return try FileSystem.entries(of: folder).sorted().map { name in
      let kind = try #require(name.split(separator: "-").first)
      let database = try #require(name.split(separator: "-").last?.split(separator: ".").first)
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      let file = try JSONDecoder().decode(File.self, from: data)
      return StoryTruth(
        test: "StoryTests.StoryTests/tellsEveryRow(kind:) (\"\(kind)\")", database: String(database),
        first: file.first, lines: file.lines)
    }
  }
}
