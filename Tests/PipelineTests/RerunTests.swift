import Collector
import Foundation
import ReportModel
import ReportReading
import Testing

/// `reporter test --rerun-failed`, with tests that fail as often as their names say.
@Suite struct RerunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFolder("counts")
  }

  private func report(_ rounds: Int, _ arguments: [String]) async throws -> FixtureRun {
    try await FixturePackage.recorded.report(
      ["--filter", "AgainTests"] + arguments, options: ["--rerun-failed", "\(rounds)"],
      environment: ["AGAIN": folder("counts")])
  }

  /// How often a test ran.
  private func count(_ name: String) throws -> Int { try folder.read("counts/\(name)").utf8.count }

  @Test(arguments: [[], ["--parallel"]]) func whatPassesAgainIsFlaky(arguments: [String]) async throws {
    let run = try await report(
      2,
      arguments + ["--xunit-output", folder("mine.xml"), "--event-stream-output-path", folder("mine.jsonl")])
    #expect(run.status == 1, "\(run.output)")
    let report = try ReportJSON(of: run)
    let failed = report.document.tests.filter { $0.outcome != "passed" }.map(\.id)
    #expect(
      failed
        == ["AgainTests.AgainXCTests/testFailsAlways", "AgainTests.AgainSuite/failsOnce(case:) (\"c\")"]
        .sorted(), "\(failed)")
    #expect(run.output.contains("15 tests: 2 failed, 13 passed, 9 of them flaky"), "\(run.output)")
    // It runs until it has passed twice, or fails for the third time; what passed at first does not run again.
    for name in ["testFailsOnce", "case-b", "raw", "failsOnceFreely", "second", "testDiesOnce"] {
      #expect(try count(name) == 3, "\(name)")
    }
    #expect(try count("testFailsTwice") == 4)
    #expect(try count("testFailsAlways") == 3)
    for name in ["testPasses", "testFailsOnceMore", "failsOnceNot"] {
      #expect(try count(name) == 1, "\(name)")
    }
    // The files that the user asked for are the first run's.
    #expect(try folder.read("mine.jsonl").contains("failsOnceNot"))
    // Nothing contradicts itself: the report lacks only what the crash took.
    #expect(Set(report.document.faults.map(\.kind)).isSubset(of: ["captureFailed", "logEndedEarly"]))
    // Two passes tell what varies anyway; what passed at first is recorded too.
    let lookup = PassLookup(runs: try run.runs.map { RunFolder(path: $0) })
    func passes(_ suite: [String], _ name: String, _ argument: String? = nil) -> [PassedRun] {
      var remarks = Remarks()
      let id = TestCaseID(
        module: "AgainTests", suite: suite, name: name, argument: argument.map { .init(description: $0) })
      return lookup.passes(of: id, &remarks)
    }
    #expect(lookup.remarks == Remarks())
    #expect(passes(["AgainXCTests"], "testFailsOnce").map(\.origin) == [.rerun, .rerun])
    #expect(passes(["AgainSuite"], "failsOnce(case:)", "\"b\"").count == 2)
    #expect(passes(["AgainSuite"], "passesOnlyInTheSecondRun()").count == 1)
    // In one process for all, the test that ends it takes those along that wait to be written.
    #expect(passes(["AgainXCTests"], "testPasses").count == (arguments.isEmpty ? 0 : 1))
    #expect(passes(["AgainXCTests"], "testFailsAlways").isEmpty)
    let page = try run.page("testFailsOnce-")
    #expect(page.contains("It is flaky") && page.contains(", again 1"))
  }

  @Test func withoutFailuresNothingRunsAgain() async throws {
    let run = try await report(2, ["--skip", ".", "--filter", "testPasses"])
    #expect(!run.output.contains("again"), "\(run.output)")
  }
}
