import Collector
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// Runs are told apart by what they are, not by their names: shards and machines may share those.
@Suite struct RunJoinTests {
  private func run(_ folder: String, start: Double, _ outcomes: [String: Outcome]) -> RunInputs {
    var run = RunInputs(
      RunID(name: "nightly", folder: folder), run: Report.Run(name: "nightly", start: start))
    let observations = outcomes.sorted { $0.key < $1.key }.map { name, outcome in
      Observation(
        id: .store(name), framework: .xctest, outcome: outcome,
        observed: [ObservedEvidence(kind: .text, name: "note", content: .failure("none"))],
        span: TestSpan(process: "Process 1", start: start))
    }
    run.inputs = [InputTests(kind: .log, name: "logs", observations: observations)]
    return run
  }

  @Test func runsOfOneNameAreAttemptsOfTheirOwn() throws {
    let join = RunJoin([
      run("/shard-2", start: 2, ["test": .passed]), run("/shard-1", start: 1, ["test": .failed]),
    ])
    let test = try #require(join.tests.first)
    #expect(join.tests.count == 1 && join.remarks == Remarks())
    #expect(test.outcome == .passed && test.isFlaky)
    #expect(test.attempts.map(\.run) == [RunID(name: "nightly", folder: "/shard-1")])
    #expect(test.observed.map(\.run?.folder) == ["/shard-2", "/shard-1"])
  }

  @Test func testsOfEveryShardAreThere() {
    let join = RunJoin([
      run("/shard-1", start: 1, ["one": .passed]), run("/shard-2", start: 1, ["two": .failed]),
    ])
    #expect(join.tests.map(\.id.name) == ["one", "two"])
    #expect(join.tests.allSatisfy { $0.attempts.isEmpty })
    // The time line is that of the newest run, though an older one has its name.
    #expect(join.tests.map { $0.span != nil } == [false, true])
  }
}
