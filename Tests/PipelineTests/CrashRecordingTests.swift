import Collector
import Testing

/// What a log holds of a process that died: everything up to then.
@Suite struct CrashRecordingTests {
  @Test(arguments: ["testFatalError", "testKilled"]) func aCrashLosesNothingRecordedBefore(test: String)
    async throws
  {
    let id = "CrashTests.CrashXCTests/\(test)"
    let run = try await FixturePackage.recorded.testXCTestsDirectly([id])
    #expect(run.issues(of: id).map(\.message).first?.contains("(\"1\") is not equal to (\"2\")") == true)
    let evidence = try #require(run.evidence(of: id).first)
    #expect(try run.value("SELECT group_concat(a) FROM t", in: evidence) == "committed")
    #expect(run.end(of: id) == nil)
    #expect(run.logs.map(\.isEnded) == [false])
  }

  @Test func inParallelOnlyTheCrashedTestIsLost() async throws {
    let run = try await FixturePackage.recorded.report(["--parallel", "--filter", "CrashXCTests"])
    #expect(run.outcomes["CrashTests.CrashXCTests/testZPassesAfterwards"] == .passed)
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: "CrashTests.CrashXCTests/testFatalError") == "crashed")
    #expect(report.outcome(of: "CrashTests.CrashXCTests/testKilled") == "crashed")
    // Each death is explained by its test.
    #expect(!report.degraded)
  }

  @Test func theReportNamesTheCrashedTestAndKeepsItsDatabase() async throws {
    let run = try await FixturePackage.recorded.report([
      "--filter", "CrashXCTests/testFatalError|CrashTraitTests",
    ])
    #expect(run.status == 1)
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: "CrashTests.CrashXCTests/testFatalError") == "crashed")
    #expect(report.outcome(of: "CrashTests.CrashTraitTests/crashes()") == "crashed")
    let place = "Tests/CrashTests/CrashTests.swift:21"
    #expect(!report.degraded, "\(report.document.faults)")
    let comment = try run.artifacts.read("report/comment.md").split(separator: "\n")
    let head = comment.firstIndex { $0.hasPrefix("- ! ") && $0.contains("`testFatalError`") }
    #expect(comment[try #require(head)].contains("at `CrashTests.swift:21`"), "\(comment)")
    #expect(comment[try #require(head) + 1] == "  - `Fatal error: on purpose`")
    let shown = try await FixturePackage.recorded.show(["CrashXCTests/testFatalError"], of: run)
    #expect(
      shown.output.contains("\(place) (by the backtrace)\nFatal error: on purpose\n"), "\(shown.output)")
    #expect(shown.output.contains(">   21    func testFatalError()"))
    let again = try await FixturePackage.recorded.reportAgain(on: run, ["--annotations", "github"])
    #expect(
      again.output.contains(
        "::error file=\(place.replacing(":21", with: "")),line=21,title=CrashTests.CrashXCTests/testFatalError crashed::Fatal error: on purpose"
      ), "\(again.output)")
    let page = try #require(report.document.tests.first { $0.name == "testFatalError" }?.page)
    // An earlier failure stands behind it.
    let issues = try run.artifacts.read("report/\(page)").split(separator: "<article class=\"issue")
      .dropFirst()
    #expect(issues.count == 2 && issues.first?.contains("Fatal error: on purpose") == true)
    // As it was at the failure before the crash, and as the crash left it.
    #expect(report.evidence(of: "CrashTests.CrashXCTests/testFatalError").count == 2)
  }
}
