import ArgumentParser
import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportPipeline
@testable import ReportTestSupport
@testable import Reporter

/// When `reporter test` records what passes, and what it offers to compare with.
@Suite struct PassOptionsTests {
  private let package: PackageWithHistory
  private var folder: TemporaryFolder { package.folder }

  init() throws {
    package = try PackageWithHistory()
  }

  /// What `EXHIBIT_RECORD_PASSES` was for the tests.
  private func recording(_ options: [String] = [], _ given: String? = nil) throws -> String? {
    let environment = given.map { ["EXHIBIT_RECORD_PASSES": $0] } ?? [:]
    try package.package.makeSwift(package.package.leave("green"))
    let result = try ReporterProcess.run(
      ["test"] + options, in: folder.path + "/package", environment: environment, path: folder.path + "/bin")
    #expect(result.status == 0, "\(result.errors)")
    let variables = try folder.read("environment").split(separator: "\n")
    return variables.first { $0.hasPrefix("EXHIBIT_RECORD_PASSES=") }.map { String($0.dropFirst(22)) }
  }

  @Test(arguments: [
    ([], nil, "on"), ([], "", "on"), ([], "off", "off"), ([], "on", "on"),
    (["--no-record-passes"], "on", "off"), (["--record-passes"], "off", "on"), (["--no-rows"], nil, "off"),
    (["--no-rows"], "on", "off"), (["--history-access", "none"], nil, "on"),
  ])
  func passesAreRecordedUnlessSomebodySaysOtherwise(
    options: [String], given: String?, expected: String
  ) throws {
    #expect(try recording(options, given) == expected)
  }

  @Test func aHistoryThatKeepsNoneHasNoneRecorded() throws {
    _ = try recording()
    let off = try package.reporter("history", "passes", "off")
    #expect(off.status == 0 && off.output.contains("keeps no passes"), "\(off.errors)")
    #expect(try recording() == "off")
    #expect(try recording(["--record-passes"]) == "on")
    #expect(try recording(["--history-access", "none"]) == "on")
    #expect(try package.reporter("history", "passes", "on").status == 0)
    #expect(try recording() == "on")
    #expect(try package.reporter("history", "passes", "perhaps").status == 64)
    try folder.write("no history", to: "package/h.sqlite")
    #expect(try package.reporter("history", "passes", "off", "--history", "h.sqlite").status == 66)
    #expect(try folder.read("package/h.sqlite") == "no history")
  }

  @Test func aFileThatIsThereBeforeAnyRunCanBeToldToKeepNone() throws {
    #expect(try package.reporter("history", "passes", "off").status == 0)
    #expect(try recording() == "off")
    #expect(try package.value("SELECT count(*) FROM runs") == "1")
  }

  @Test func onlyWithoutPassIsForAComparison() throws {
    let result = try package.reporter("test", "--only-without-pass")
    #expect(result.status == 64 && result.errors.contains("--only-without-pass is for --compare-with."))
  }

  /// Wherever it stands, and whatever option comes behind it.
  @Test(arguments: [
    ([], nil), (["--explain"], 60), (["--explain="], 60), (["--explain=5"], 5), (["--explain", "5"], 5),
    (["--explain", "--explain-anywhere"], 60), (["--explain=5", "--explain-anywhere"], 5),
    (["--explain-anywhere", "--explain=5"], 5), (["--explain", "5", "--compare-with", "main"], 5),
  ])
  func experimentsHaveTheSecondsThatAreGiven(options: [String], expected: Int?) throws {
    #expect(try PassOptions.parse(options).explain == expected)
  }

  @Test(arguments: ["five", "0", "-1", "5.5", "86401"]) func secondsAreANumber(text: String) throws {
    let result = try package.reporter("test", "--explain=\(text)", "--explain-anywhere")
    #expect(result.status == 64 && result.errors.contains("--explain takes seconds from 1 to 86400."))
  }

  // MARK: - What is offered

  private func offer(isDirty: Bool?, at commit: String? = nil) throws -> String? {
    var run = Report.Run(name: "run")
    run.commit = try commit ?? package.git("rev-parse", "HEAD")
    run.isDirty = isDirty
    return ComparisonOffer.name(for: run, in: folder("package"), environment: Command.isolatedEnvironment)
  }

  @Test func changesAreComparedWithTheirCommitAndABranchWithMain() throws {
    #expect(try offer(isDirty: true) == "HEAD")
    #expect(try offer(isDirty: false) == nil, "there is no commit before, and no main branch")
    try package.commit("second")
    #expect(try offer(isDirty: false) == "HEAD~1")
    try package.git("branch", "main", "HEAD~1")
    #expect(try offer(isDirty: false) == "main")
    try package.git("branch", "--force", "main", "HEAD")
    #expect(try offer(isDirty: false) == "HEAD~1")
    // What the remote calls its own comes first.
    try package.git("update-ref", "refs/remotes/origin/stem", "HEAD~1")
    try package.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/stem")
    #expect(try offer(isDirty: false) == "stem")
  }

  @Test func ofCodeThatIsNotCheckedOutNothingIsOffered() throws {
    #expect(try offer(isDirty: nil) == nil)
    #expect(try offer(isDirty: true, at: String(repeating: "a", count: 40)) == nil)
    try FileManager.default.removeItem(atPath: folder("package/.git"))
    var run = Report.Run(name: "run")
    (run.commit, run.isDirty) = (String(repeating: "a", count: 40), true)
    #expect(ComparisonOffer.name(for: run, in: folder("package"), environment: [:]) == nil)
  }
}
