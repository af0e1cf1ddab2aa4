import Collector
import Foundation
import Testing

/// What is recorded of Swift Testing's tests without the trait, which are heard at its entry point.
@Suite struct EntryPointTests {
  private static let notes = "SELECT group_concat(text) FROM note"

  private func run() async throws -> FixtureRun { try await PlainRun.serial.run() }

  @Test(arguments: [
    ("OutcomeTests/expectation()", "initial,expectation"), ("OutcomeTests/twice()", "initial,first"),
    ("OutcomeTests/requirement()", "initial,requirement"), ("OutcomeTests/recorded()", "initial,recorded"),
    ("OutcomeTests/recordedError()", "initial,error"), ("OutcomeTests/confirmed()", "initial,confirmed"),
    ("OutcomeTests/exits()", "initial,exits"),
    ("OutcomeTests/exitsWithAnIssue()", "initial,exits with an issue"),
    ("OutcomeTests/knownAndUnknown()", "initial,unknown"),
    ("OutcomeTests/knownButAbsent()", "initial,absent"),
    ("OutcomeTests/thrown()", "initial,thrown"),
    ("OutcomeTests/expectationThenThrown()", "initial,expectation"),
    ("OutcomeTests/failedThenCancelled()", "initial,failed"),
    ("OutcomeTests/NestedTests/DeeperTests/fails()", "deep"),
    ("OutcomeTests/NestedTests/DeeperTests/`raw name / with: marks`()", "raw"),
    ("TeardownTests/expectation()", "initial"), ("TeardownTests/requirement()", "initial"),
    ("free()", "free"), ("displayed()", "displayed"), ("ThrowingSuiteTests/neverRuns()", "in init"),
    ("CaseTests/numbers(number:) (3)", "3"), ("CaseTests/numbers(number:) (27)", "27"),
    ("CaseTests/pairs(number:letter:) (2, \"b\")", "2b"),
    ("CaseTests/equal(word:) (\"same\")", "same"), ("CaseTests/equal(word:) (\"same\") #2", "same"),
    ("CaseTests/described(argument:) (named)", "1"), ("CaseTests/described(argument:) (named) #3", "3"),
    ("CaseTests/throwsAtItsEnd(number:) (1)", "closed 1"),
    ("CaseTests/throwsAtItsEnd(number:) (3)", "closed 3"), ("CaseTests/cancels(number:) (3)", "3"),
    ("TaskTests/inAChild()", "in a child"), ("TaskTests/onAQueue()", "on a queue,by the test"),
    ("OutlivingTests/runsMeanwhile()", "its own"),
    ("AttachingTests/marksABaseline()", "before,after"), ("AttachingTests/excludes()", "open"),
    ("AttachingTests/hasTheTrait()", "traited"),
    ("AttachingTests/hasTheTraitInEachCase(number:) (2)", "case 2"),
    ("AttachingTests/hasTheTraitInEachCase(number:) (3)", "case 3"),
  ])
  func aFailingTestsDatabaseIsCapturedAsItSawIt(test: String, notes: String) async throws {
    let run = try await run()
    let id = "PlainTests." + test
    let databases = run.evidence(of: id).filter { $0.kind == .database }
    #expect(try databases.map { try run.value(Self.notes, in: $0) } == [notes])
    #expect(run.end(of: id)?.outcome == .failed)
    #expect(try run.story(of: id) != nil)
    #expect(run.failures(of: id).isEmpty)
  }

  @Test(arguments: [
    ("OutcomeTests/thrownByAFunctionWithItsOwnDatabase()", ["initial", "own"]),
    ("OutcomeTests/closedBefore()", ["closed", "initial"]),
    ("TaskTests/inAGroup()", ["in a group 0", "in a group 1", "in a group 2"]),
    ("TaskTests/failsInAChild()", ["of the child", "of the test"]),
  ])
  func eachOfItsDatabasesIsCaptured(test: String, notes: [String]) async throws {
    let run = try await run()
    let databases = run.evidence(of: "PlainTests." + test)
    #expect(try databases.map { try run.value(Self.notes, in: $0) ?? "" }.sorted() == notes)
  }

  @Test(arguments: [
    ("OutcomeTests/passes()", TestEnd.Outcome.passed), ("OutcomeTests/known()", .passed),
    ("OutcomeTests/confirms()", .passed), ("OutcomeTests/exitsWell()", .passed),
    ("OutcomeTests/intermittent()", .passed), ("OutcomeTests/warned()", .passed),
    ("OutcomeTests/inTime()", .passed), ("OutcomeTests/cancelled()", .skipped),
    ("OutcomeTests/cancelledWithTimeLimit()", .skipped), ("OutcomeTests/disabled()", .skipped),
    ("OutcomeTests/notEnabled()", .skipped), ("OutcomeTests/DisabledTests/never()", .skipped),
    ("OutsideTests/detached()", .passed), ("OutsideTests/fromAQueue()", .passed),
    ("CaseTests/numbers(number:) (1)", .passed), ("CaseTests/pairs(number:letter:) (2, \"a\")", .passed),
    ("CaseTests/described(argument:) (named) #2", .passed), ("CaseTests/cancels(number:) (1)", .passed),
    ("CaseTests/cancels(number:) (2)", .skipped), ("CaseTests/throwsAtItsEnd(number:) (2)", .passed),
    ("CaseTests/passesAndTouchesNothing(number:)", .passed), ("CaseTests/hasNoCases(number:)", .skipped),
    ("OutlivingTests/leavesATaskBehind()", .passed), ("SharedNotesTests/usedAtOnce(number:) (2)", .passed),
    ("AttachingTests/hasTheTraitInEachCase(number:) (1)", .passed),
  ])
  func testsThatDoNotFailLeaveNothing(test: String, outcome: TestEnd.Outcome) async throws {
    let run = try await run()
    let id = "PlainTests." + test
    #expect(run.end(of: id)?.outcome == outcome)
    #expect(run.evidence(of: id).isEmpty)
    #expect(run.failures(of: id).isEmpty)
  }

  @Test func casesThatTouchNothingAreKnownFromTheirIssues() async throws {
    let run = try await run()
    #expect(run.end(of: "PlainTests.CaseTests/touchesNothing(number:) (2)")?.outcome == .failed)
    #expect(run.end(of: "PlainTests.CaseTests/touchesNothing(number:) (1)") == nil)
    let thrown = run.issues(of: "PlainTests.CaseTests/argumentsThrow(number:)")
    #expect(thrown.count == 1 && thrown.first?.message.contains("Refused()") == true)
    #expect(run.end(of: "PlainTests.CaseTests/argumentsThrow(number:)")?.outcome == .failed)
  }

  @Test(arguments: [
    ("OutcomeTests/known()", ["known"]), ("OutcomeTests/warned()", ["warning"]),
    ("OutcomeTests/knownAndUnknown()", ["known", "error"]), ("OutcomeTests/twice()", ["error", "error"]),
    ("OutcomeTests/expectationThenThrown()", ["error", "error"]), ("OutcomeTests/exits()", ["error"]),
    ("OutcomeTests/exitsWithAnIssue()", ["error"]), ("OutcomeTests/recordedError()", ["error"]),
    ("OutcomeTests/thrown()", ["error"]), ("OutcomeTests/requirement()", ["error"]),
    ("OutcomeTests/confirmed()", ["error"]), ("OutcomeTests/knownButAbsent()", ["error"]),
    ("OutcomeTests/cancelled()", []), ("AttachingTests/hasTheTrait()", ["error"]),
    ("AttachingTests/hasTheTraitInEachCase(number:) (2)", ["error"]),
  ])
  func issuesAreRecordedOnceAndInTheirOrder(test: String, issues: [String]) async throws {
    let recorded = try await run().issues(of: "PlainTests." + test)
    #expect(recorded.map { $0.known ? "known" : $0.severity.rawValue } == issues)
    #expect(recorded.allSatisfy { $0.file?.hasSuffix(".swift") == true && $0.line ?? 0 > 0 })
  }

  @Test func issuesOfNoTestAreRecordedOnceWithoutOne() async throws {
    let issues = try await run().records.filter { $0.test == nil }.compactMap { $0.payload as? RecordedIssue }
    #expect(issues.map { $0.message.contains("detached") ? "detached" : "queue" } == ["detached", "queue"])
  }

  @Test(arguments: [PlainRun.serial, PlainRun.parallel])
  func everyTestBeginsAndEndsOnce(run: RunOnce) async throws {
    let run = try await run.run()
    let begun = run.records.filter { $0.isOf(TestStart.self) }.compactMap { $0.test?.description }
    let ended = run.records.filter { $0.isOf(TestEnd.self) }.compactMap { $0.test?.description }
    #expect(begun.count > 100)
    #expect(begun.sorted() == ended.sorted())
    #expect(Set(begun).count == begun.count)
    #expect(run.records.filter { $0.isOf(ProcessEnd.self) }.count == 1, "no child of an exit test records")
    #expect(run.logs.count == 1)
  }

  /// The shortest time limit there is has a minute.
  @Test func atATimeLimitTheDatabaseIsStillThere() async throws {
    let run = try await FixturePackage.verdicts.testDirectly(
      ["--filter", "PlainTests.*runsOutOfTime"], environment: ["TIME_LIMIT": "1"])
    let test = "PlainTests.OutcomeTests/runsOutOfTime()"
    #expect(run.end(of: test)?.outcome == .failed)
    #expect(run.issues(of: test).map(\.message) == ["Time limit was exceeded: 60.000 seconds"])
    #expect(try run.evidence(of: test).map { try run.value(Self.notes, in: $0) } == ["initial,slow"])
  }

  /// What is opened on a thread that Swift Testing knows nothing of belongs to nobody while other tests run.
  @Test func testsAtOnceAreRecordedLikeOneByOne() async throws {
    let (serial, parallel) = (try await run(), try await PlainRun.parallel.run())
    #expect(parallel.outcomes == serial.outcomes)
    #expect(parallel.status == serial.status)
    for test in serial.outcomes.keys {
      func databases(_ run: FixtureRun) throws -> [String] {
        try run.evidence(of: test).filter { $0.kind == .database && !test.contains("SharedNotesTests") }
          .map { try run.value(Self.notes, in: $0) ?? "" }.sorted()
      }
      #expect(try databases(parallel) == databases(serial), "\(test)")
      #expect(parallel.issues(of: test).count == serial.issues(of: test).count, "\(test)")
    }
  }

  @Test(arguments: [PlainRun.serial, PlainRun.parallel])
  func aDatabaseOfSeveralTestsIsEachOnes(run: RunOnce) async throws {
    let run = try await run.run()
    for number in [1, 3, 5] {
      let evidence = run.evidence(of: "PlainTests.SharedNotesTests/usedAtOnce(number:) (\(number))")
      #expect(evidence.count == 1)
      let own = "SELECT count(*) FROM note WHERE text = '\(number)'"
      #expect(try run.value(own, in: try #require(evidence.first)) == "20")
    }
  }

  @Test(arguments: [PlainRun.serial, PlainRun.parallel])
  func whatATaskDoesAfterItsTestIsNobodyElses(run: RunOnce) async throws {
    let run = try await run.run()
    let test = "PlainTests.OutlivingTests/runsMeanwhile()"
    #expect(try run.evidence(of: test).map { try run.value(Self.notes, in: $0) } == ["its own"])
    // Where another test has just excluded a table there is none.
    if let story = try run.story(of: test).map({ try String(contentsOfFile: $0, encoding: .utf8) }) {
      #expect(story.contains("its own") && !story.contains("after its test"))
    }
    #expect(run.issues(of: test).count == 1)
    #expect(run.evidence(of: "PlainTests.OutlivingTests/leavesATaskBehind()").isEmpty)
    let late = "PlainTests.OutlivingTests/failsLater()"
    #expect(run.issues(of: late).map(\.message) == ["Issue recorded\nafter its test"])
  }

  @Test func testsWithoutATraitMayAskForEvidence() async throws {
    let run = try await run()
    func names(_ test: String) -> [String] {
      run.evidence(of: "PlainTests.AttachingTests/" + test).map(\.name).sorted()
    }
    #expect(names("attaches()") == ["late.txt", "response.json"])
    #expect(names("attachesAndPasses()").contains("kept.json"))
    #expect(names("attachesInACase(number:) (2)") == ["2.txt"])
    #expect(names("hasTheTrait()").contains("trait.txt"))
    for test in ["excludes()", "hasTheTrait()"] {
      let databases = run.evidence(of: "PlainTests.AttachingTests/" + test).filter { $0.kind == .database }
      #expect(try run.value("SELECT count(*) FROM secret", in: try #require(databases.first)) == "0")
    }
    let misplaced = run.records.filter { $0.test == nil }.compactMap { $0.payload as? CaptureFailure }
    #expect(misplaced.map(\.name) == ["outside.json"])
    #expect(misplaced.allSatisfy { $0.reason == .outsideTest && $0.message.contains("detached task") })
  }

  /// All that was recorded in the process is forgotten then, but not what was written at the failure.
  @Test func whatATestDidStaysToldWhereAnotherExcludesTables() async throws {
    let run = try await PlainRun.parallel.run()
    let story = try #require(try run.story(of: "PlainTests.ExcludingTests/failsBeforeAnotherExcludes()"))
    #expect(try String(contentsOfFile: story, encoding: .utf8).contains("and kept"))
  }
}
