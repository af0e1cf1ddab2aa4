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
    #expect(report.degraded)
  }

  @Test func theReportNamesTheCrashedTestAndKeepsItsDatabase() async throws {
    let run = try await FixturePackage.recorded.report([
      "--filter", "CrashXCTests/testFatalError|CrashTraitTests",
    ])
    #expect(run.status == 1)
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: "CrashTests.CrashXCTests/testFatalError") == "crashed")
    #expect(report.outcome(of: "CrashTests.CrashTraitTests/crashes()") == "crashed")
    // As it was at the failure before the crash, and as the crash left it.
    #expect(report.evidence(of: "CrashTests.CrashXCTests/testFatalError").count == 2)
  }
}
