import Collector
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportReading
@testable import ReportTestSupport

@Suite struct InputJoinTests {
  @Test(arguments: [
    "serial", "serial-rich", "serial-version-0", "parallel", "parallel-messages", "green", "green-serial",
  ])
  func anOrdinaryRunGivesNoFault(recording: String) throws {
    let runs = try readRuns([Fixture.recording(recording)], choice: .newest)
    let inputs = runs.flatMap(\.inputs)
    let join = InputJoin(inputs)
    #expect(join.remarks == Remarks())
    #expect(runs.allSatisfy { $0.remarks == Remarks() })
    #expect(inputs.flatMap(\.remarks.faults) == [])
    #expect(join.tests.map(\.id) == join.tests.map(\.id).sorted())
  }

  @Test func theEventStreamsMessageIsPreferred() throws {
    let join = InputJoin(
      try readRuns([Fixture.recording("parallel")], choice: .newest).flatMap(\.inputs))
    let messages = join["SwiftTestingCases.freeFail()"]?.issues.map(\.message)
    #expect(messages == ["Expectation failed: (sum → 2) == 3\nsums < \"quoted\" & more"])
  }

  @Test func theLogsMessageIsPreferredToXunits() throws {
    let join = InputJoin([
      input(.xunit, [.store("test"): .failed], message: "failure"),
      input(.log, [.store("test"): .failed], message: "XCTAssertTrue failed"),
    ])
    #expect(join["M.Store/test"]?.issues.map(\.message) == ["XCTAssertTrue failed"])
  }

  @Test func aTestThatACoveringInputLacksIsAFault() {
    var log = input(.log, [.store("one"): .passed, .store("two"): .passed])
    log.coverage = [.xctest]
    var xunit = input(.xunit, [.store("one"): .passed])
    xunit.coverage = [.xctest]
    let join = InputJoin([log, xunit])
    #expect(join.remarks.faultKinds == ["missingTest"])
    #expect(join.remarks.faults.first?.message.contains("M.Store/two") == true)
    #expect(join.tests.count == 2)
  }

  @Test func anInputThatDidNotEndProperlyMayLackTests() {
    var xunit = input(.xunit, [.store("one"): .passed])
    xunit.coverage = [.xctest]
    xunit.endedProperly = false
    #expect(InputJoin([input(.log, [.store("two"): .passed]), xunit]).remarks == Remarks())
  }

  @Test func inputsOfDifferentInvocationsAreNotCompared() {
    var (first, second) = (input(.xunit, [.store("one"): .passed]), input(.xunit, [.store("two"): .passed]))
    (first.coverage, second.coverage) = ([.xctest], [.xctest])
    (first.invocation, second.invocation) = ("shard 1", "shard 2")
    let join = InputJoin([first, second])
    #expect(join.remarks == Remarks())
    #expect(join.tests.count == 2)
  }

  @Test func aDisagreementIsAFaultThatNamesBoth() {
    let join = InputJoin([
      input(.log, [.store("test"): .passed]),
      input(.xunit, [.store("test"): .failed], message: "from xunit"),
    ])
    #expect(join.remarks.faultKinds == ["disagreement"])
    #expect(join.remarks.faults.first?.message == "M.Store/test: log says passed, xunit says failed.")
    #expect(join["M.Store/test"]?.outcome == .failed)
    #expect(join["M.Store/test"]?.issues.map(\.message) == ["from xunit"])
  }

  @Test func anXunitFailureOfAParameterisedTestIsThatOfItsCases() throws {
    let join = InputJoin([
      input(.eventStream, [.case("1"): .failed, .case("2"): .passed]),
      input(.xunit, [.case(nil): .failed]),
    ])
    #expect(join.remarks == Remarks())
    #expect(join.tests.map(\.outcome) == [.failed, .passed])
  }

  @Test func anXunitFailureThatNoCaseHasIsShownAndAFault() throws {
    let join = InputJoin([
      input(.eventStream, [.case("1"): .passed]), input(.xunit, [.case(nil): .failed], message: "where from"),
    ])
    #expect(join.remarks.faultKinds == ["disagreement"])
    #expect(join.tests.map(\.outcome) == [.failed, .passed])
  }

  @Test func aTimeLimitOfAParameterisedTestIsShownBesideItsLoggedCases() throws {
    let join = InputJoin([
      input(.log, [.case("1"): .passed]), input(.eventStream, [.case(nil): .failed], message: "Time limit"),
    ])
    #expect(join.remarks == Remarks())
    #expect(join.tests.map(\.outcome) == [.failed, .passed])
    #expect(join.tests.first?.issues.map(\.message) == ["Time limit"])
  }

  @Test func aTestThatRanTwiceShowsItsWorstOutcome() throws {
    var twice = input(.log, [.store("test"): .passed])
    twice.observations += input(.log, [.store("test"): .failed], message: "again").observations
    let join = InputJoin([twice])
    #expect(join.remarks.noticeKinds == ["repeatedTest"])
    #expect(join.tests.map(\.outcome) == [.failed])
  }

  @Test func theSameTestInFilesOfTwoJobsIsToldByFile() throws {
    var (ios, mac) = (
      input(.xunit, [.store("test"): .failed, .store("good"): .passed], message: "ios only"),
      input(.xunit, [.store("test"): .passed, .store("good"): .passed])
    )
    (ios.name, mac.name) = ("ios.xml", "mac.xml")
    let join = InputJoin([mac, ios])
    let test = try #require(join["M.Store/test"])
    #expect(test.outcome == .failed && !test.isFlaky)
    #expect(test.issues.map(\.message) == ["ios only"])
    #expect(test.labels.map(\.label) == ["ios.xml", "mac.xml"])
    #expect(test.labels.map(\.outcome) == [.failed, .passed])
    #expect(test.attempts.map(\.label) == ["mac.xml"])
    #expect(test.attempts.map(\.outcome) == [.passed])
    #expect(join["M.Store/good"]?.isPlain == true)
    #expect(join.remarks == Remarks())
  }

  private func input(
    _ kind: InputKind, _ outcomes: [TestCaseID: Outcome], message: String = "message"
  ) -> InputTests {
    let observations = outcomes.map { id, outcome in
      let issue = TestIssue(message: message, severity: .error, isKnown: false)
      return Observation(
        id: id, framework: .xctest, outcome: outcome, issues: outcome == .failed ? [issue] : [])
    }
    return InputTests(
      kind: kind, name: "\(kind)", observations: observations.sorted { $0.id < $1.id })
  }
}

extension TestCaseID {
  /// A case of `cases(_:)`, or the whole.
  fileprivate static func `case`(_ argument: String?) -> TestCaseID {
    TestCaseID(
      module: "M", suite: [], name: "cases(_:)", argument: argument.map { Argument(description: $0) })
  }
}
