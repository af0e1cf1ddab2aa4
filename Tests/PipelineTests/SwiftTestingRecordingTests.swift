import Collector
import Testing

/// What the trait records of Swift Testing's tests, which run at once in one process.
@Suite struct SwiftTestingRecordingTests {
  private func run() async throws -> FixtureRun { try await RecordedRun.serial.run() }
  private static let players = "SELECT group_concat(name) FROM player"

  @Test(arguments: [
    ("expectation()", "initial,expectation"), ("requirement()", "initial,requirement"),
    ("recorded()", "initial,recorded"), ("confirmed()", "initial,confirmed"), ("exits()", "initial,exits"),
    ("parameterised(number:) (1)", "initial,argument 1"),
    ("parameterised(number:) (3)", "initial,argument 3"),
    ("repeated(word:) (\"same\")", "initial,same"), ("repeated(word:) (\"same\") #2", "initial,same"),
    ("Nested/nestedFails()", "nested"),
  ])
  func theDatabaseIsCapturedAsTheTestSawIt(test: String, players: String) async throws {
    let run = try await run()
    let id = "TraitTests.TraitTests/\(test)"
    let evidence = run.evidence(of: id)
    #expect(evidence.map(\.kind) == [.database])
    #expect(try run.value(Self.players, in: try #require(evidence.first)) == players)
    #expect(run.end(of: id)?.outcome == .failed)
    #expect(run.issues(of: id).count == 1)
  }

  @Test(arguments: [
    "passes()", "known()", "warned()", "cancelled()", "cancelledWithTimeLimit()", "detached()",
    "parameterised(number:) (2)",
  ])
  func testsThatDoNotFailLeaveNothing(test: String) async throws {
    let run = try await run()
    #expect(run.evidence(of: "TraitTests.TraitTests/\(test)").isEmpty)
    #expect(run.failures(of: "TraitTests.TraitTests/\(test)").isEmpty)
  }

  @Test func severitiesAndKnownIssues() async throws {
    let run = try await run()
    #expect(run.issues(of: "TraitTests.TraitTests/known()").map(\.known) == [true])
    #expect(run.issues(of: "TraitTests.TraitTests/warned()").map(\.severity) == [.warning])
    #expect(run.end(of: "TraitTests.TraitTests/known()")?.outcome == .passed)
    #expect(run.end(of: "TraitTests.TraitTests/cancelled()")?.outcome == .skipped)
  }

  @Test func aThrownErrorIsRecordedWithTheDatabaseThatWentWithTheSuite() async throws {
    let run = try await run()
    let test = "TraitTests.TraitTests/thrown()"
    #expect(run.issues(of: test).map(\.message) == ["Caught error: Refused()"])
    let evidence = try #require(run.evidence(of: test).first)
    #expect(try run.value(Self.players, in: evidence) == "initial,thrown")
  }

  @Test func namesMayHoldAnything() async throws {
    let run = try await run()
    let test = "TraitTests.TraitTests/Nested/`raw name / with: marks`()"
    #expect(run.end(of: test)?.outcome == .failed)
    #expect(run.evidence(of: test).map(\.name) == ["response.json"])
  }

  @Test(arguments: 0..<40) func testsAtOnceDoNotMixTheirDatabases(number: Int) async throws {
    let run = try await run()
    let evidence = run.evidence(of: "ConcurrencyTests.ConcurrencyTests/ownRowsOnly(number:) (\(number))")
    #expect(evidence.count == 1)
    #expect(
      try run.value("SELECT group_concat(number) FROM owner", in: try #require(evidence.first)) == "\(number)"
    )
  }

  @Test func aStoreThatAnOuterTraitOpenedIsTheTestsOwn() async throws {
    let run = try await run()
    let test = "ConcurrencyTests.OuterStoreTests/Inner/usesTheOuterStore()"
    let evidence = try #require(run.evidence(of: test).first)
    #expect(try run.value("SELECT name FROM seed", in: evidence) == "outer")
  }

  @Test(arguments: ["neverTouchesItsStore()", "neverTouchesItsStore(word:) (\"b\")"])
  func aStoreThatATraitOpenedForTheCaseIsCapturedUntouched(test: String) async throws {
    let run = try await run()
    let evidence = run.evidence(of: "ConcurrencyTests.CaseStoreTests/\(test)")
    #expect(evidence.count == 1)
    #expect(try run.value("SELECT name FROM seed", in: try #require(evidence.first)) == "each")
  }

  /// The shortest time limit there is has a minute.
  @Test func atATimeLimitTheDatabaseIsStillThere() async throws {
    let run = try await FixturePackage.recorded.testDirectly(["--filter", "TimeLimitTests"])
    let test = "ConcurrencyTests.TimeLimitTests/runsOutOfTime()"
    #expect(run.end(of: test)?.outcome == .failed)
    let evidence = try #require(run.evidence(of: test).first)
    #expect(try run.value("SELECT name FROM slow", in: evidence) == "slow")
  }
}
