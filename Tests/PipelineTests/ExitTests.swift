import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// Tests that end their process as if all were well: `swift test` returns 0.
@Suite struct ExitTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func report(_ arguments: [String]) async throws -> FixtureRun {
    try await FixturePackage.recorded.report(arguments, environment: ["DYING_FOLDER": temporary.path])
  }

  private func check(_ test: String, in run: FixtureRun, isContradicted: Bool = false) throws {
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: test) == "crashed", "\(run.output)")
    // The report says in which test the process ended, so that nothing is unexplained.
    #expect(report.degraded == isContradicted)
    #expect(report.document.notices.contains { $0.kind == "logEndedEarly" && $0.message.contains(test) })
    let evidence = report.evidence(of: test)
    #expect(evidence.count == 1)
    let connection = try SQLiteConnection(
      path: try #require(evidence.first), flags: SQLITE_OPEN_READONLY, image: .linked)
    #expect(try connection.handle.text("SELECT group_concat(a) FROM t") == "one,two")
  }

  @Test(arguments: ["testExits", "testExitsAtOnce"])
  func anXCTestThatExitsHasDied(test: String) async throws {
    let run = try await report([
      "--filter", "ExitingXCTests/(\(test)$|testZPassesAfterwards)", "--disable-swift-testing",
    ])
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("swift test returned 0 although a test ended its process"))
    try check("CrashTests.ExitingXCTests/\(test)", in: run)
  }

  @Test func inParallelTheOthersPass() async throws {
    let run = try await report(["--parallel", "--filter", "ExitingXCTests", "--disable-swift-testing"])
    #expect(run.status == 1, "\(run.output)")
    // SwiftPM's xunit file takes the exit for a pass.
    for test in ["testExits", "testExitsAtOnce"] {
      try check("CrashTests.ExitingXCTests/\(test)", in: run, isContradicted: true)
    }
    let report = try ReportJSON(of: run)
    #expect(report.outcome(of: "CrashTests.ExitingXCTests/testZPassesAfterwards") == "passed")
  }

  @Test func aSwiftTestingTestThatExitsHasDied() async throws {
    let run = try await report(["--filter", "ExitingTraitTests", "--disable-xctest"])
    #expect(run.status == 1, "\(run.output)")
    try check("CrashTests.ExitingTraitTests/exits()", in: run)
  }

  /// A death of an earlier invocation is in the report of the whole run, and not this one's.
  @Test func aLaterInvocationOfTheRunReturnsItsOwn() async throws {
    let artifacts = try TemporaryFolder()
    let environment = [
      "DYING_FOLDER": temporary.path, "EXHIBIT_RUN": "joined", "EXHIBIT_ARTIFACTS": artifacts.path,
    ]
    let first = try await FixturePackage.recorded.report(
      ["--filter", "ExitingXCTests/testExits$", "--disable-swift-testing"], environment: environment)
    #expect(first.status == 1, "\(first.output)")
    let second = try await FixturePackage.recorded.report(
      ["--filter", "ExitingXCTests/testZPassesAfterwards", "--disable-swift-testing"],
      environment: environment)
    #expect(second.status == 0, "\(second.output)")
  }
}
