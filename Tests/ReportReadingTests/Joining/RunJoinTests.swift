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

  // MARK: - Tests that ran again

  private func again(_ round: Int, of run: RunInputs, _ outcomes: [String: Outcome]) -> RunInputs {
    var again = self.run(run.id.folder, start: 1, outcomes)
    again.run = nil
    again.round = round
    return again
  }

  @Test func aTestThatPassesAgainIsFlaky() throws {
    let whole = run("/r", start: 1, ["test": .failed, "other": .passed])
    let join = RunJoin([
      whole, again(1, of: whole, ["test": .passed]), again(2, of: whole, ["test": .failed]),
    ])
    let test = try #require(join.tests.last)
    #expect(join.tests.map(\.id.name) == ["other", "test"] && join.remarks == Remarks())
    #expect(test.outcome == .passed && test.isFlaky)
    #expect(test.attempts.map(\.run?.name) == ["nightly", "nightly, again 2"])
    #expect(test.observed.map(\.run?.name) == ["nightly, again 1", "nightly", "nightly, again 2"])
    #expect(test.span?.start == 1)
    #expect(join.tests.first?.attempts.isEmpty == true)
  }

  @Test func whereNonePassesTheRunItselfCounts() throws {
    let whole = run("/r", start: 1, ["test": .crashed])
    let join = RunJoin([
      whole, again(1, of: whole, ["test": .failed]), again(2, of: whole, ["test": .skipped]),
    ])
    let test = try #require(join.tests.first)
    #expect(test.outcome == .crashed && !test.isFlaky)
    #expect(test.attempts.map(\.outcome) == [.failed, .skipped])
  }

  @Test func theStoryOfTheRunItselfIsTheLast() throws {
    func told(_ run: RunInputs) -> RunInputs {
      var run = run
      run.inputs[0].observations[0].observed.insert(
        ObservedEvidence(kind: .story, name: "story", content: .failure("none")), at: 0)
      return run
    }
    let whole = told(run("/r", start: 1, ["test": .failed]))
    let join = RunJoin([
      whole, told(again(1, of: whole, ["test": .failed])), told(again(2, of: whole, ["test": .failed])),
    ])
    let stories = try #require(join.tests.first).observed.filter { $0.kind == .story }
    #expect(stories.map(\.run?.name) == ["nightly, again 1", "nightly, again 2", "nightly"])
  }

  @Test func attemptsOfSeveralRunsKeepTheirRounds() throws {
    let first = run("/1", start: 1, ["test": .failed])
    let join = RunJoin([
      first, again(1, of: first, ["test": .failed]), run("/2", start: 2, ["test": .passed]),
    ])
    let test = try #require(join.tests.first)
    #expect(test.outcome == .passed && test.attempts.map(\.run?.folder) == ["/1/1", "/1"])
  }

  // MARK: - Labels

  private func labelled(_ label: String, _ start: Double, _ outcome: Outcome, host: String = "h") -> RunInputs
  {
    var run = run("/\(label)\(start)", start: start, ["test": outcome])
    run.run?.label = label
    run.run?.host = host
    return run
  }

  @Test func aTestThatFailsUnderOneLabelFails() throws {
    for (first, second) in [(1.0, 2.0), (2.0, 1.0)] {
      let join = RunJoin([labelled("noble", first, .failed), labelled("bookworm", second, .passed)])
      let test = try #require(join.tests.first)
      #expect(test.outcome == .failed && !test.isFlaky)
      #expect(test.attempts.map(\.label) == ["bookworm"] && test.decidingLabel == "noble")
      #expect(
        Set(test.labels.map { "\($0.label) \($0.outcome.rawValue)" }) == ["noble failed", "bookworm passed"])
    }
  }

  @Test func underOneLabelTheNewestRunDecides() throws {
    let join = RunJoin([
      labelled("noble", 1, .failed, host: "a"), labelled("noble", 2, .passed, host: "b"),
    ])
    let test = try #require(join.tests.first)
    #expect(test.outcome == .passed && test.isFlaky && test.labels.isEmpty)
    #expect(test.attempts.map(\.label) == [nil])
    let both = RunJoin([
      labelled("noble", 1, .failed), labelled("noble", 3, .passed), labelled("bookworm", 2, .passed),
    ])
    let flaky = try #require(both.tests.first)
    #expect(flaky.isFlaky && flaky.labels.map(\.outcome) == [.passed, .passed] && flaky.attempts.count == 2)
  }

  @Test func theStoryOfTheLabelThatFailsIsTold() throws {
    func told(_ run: RunInputs) -> RunInputs {
      var run = run
      run.inputs[0].observations[0].observed = [
        ObservedEvidence(kind: .story, name: "story", content: .failure("none"))
      ]
      return run
    }
    let join = RunJoin([told(labelled("noble", 1, .crashed)), told(labelled("bookworm", 2, .failed))])
    let test = try #require(join.tests.first)
    #expect(test.outcome == .crashed && test.observed.map(\.run?.folder) == ["/bookworm2.0", "/noble1.0"])
  }
}
