import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

@Suite struct EventStreamInputTests {
  @Test(arguments: ["serial-rich", "serial-version-0", "parallel-messages"])
  func everyOutcomeIsRead(recording: String) throws {
    let input = try Fixture.eventStream(recording)
    let outcomes = input.outcomes
    #expect(input.endedProperly)
    #expect(input.remarks == Remarks())
    #expect(outcomes["SwiftTestingCases.freePass()"] == .passed)
    #expect(outcomes["SwiftTestingCases.freeFail()"] == .failed)
    #expect(outcomes["SwiftTestingCases.disabled()"] == .skipped)
    #expect(outcomes["SwiftTestingCases.Orders/known()"] == .knownIssue)
    #expect(outcomes["SwiftTestingCases.Orders/knownAndFailing()"] == .failed)
    #expect(outcomes["SwiftTestingCases.Orders/warning()"] == .passed)
    #expect(outcomes["SwiftTestingCases.Orders/cancelled()"] == .skipped)
    #expect(outcomes["SwiftTestingCases.DisabledSuite/one()"] == .skipped)
    #expect(outcomes["SwiftTestingCases.Parameters/noArguments(_:)"] == .skipped)
    #expect(outcomes["SwiftTestingCases.Orders/`raw suite. with/slash`/plainFail()"] == .failed)
    #expect(outcomes["SwiftTestingCases.Orders"] == nil)
  }

  @Test func tagsOfTestsAndTheirSuitesAreRead() throws {
    let input = try Fixture.eventStream("tagged")
    let test = try #require(input["TaggedTests.OrdersTests/stored()"])
    #expect(test.tags == ["network", "Storage.slow"])
    #expect(test.displayName == "An order is stored")
    #expect(test.span?.process == "Swift Testing")
    #expect(input["TaggedTests.OrdersTests/known()"]?.tags == ["network"])
    #expect(input["TaggedTests.OrdersTests/disabled()"]?.skipReason == "the server is down")
  }

  @Test(arguments: ["serial-rich", "serial-version-0"]) func everyCaseIsATest(recording: String) throws {
    let outcomes = try Fixture.eventStream(recording).outcomes
    let even = "SwiftTestingCases.Parameters/even(_:)"
    #expect(outcomes["\(even) (1)"] == .failed)
    #expect(outcomes["\(even) (2)"] == .passed)
    #expect(outcomes[even] == nil)
    let equal = "SwiftTestingCases.Parameters/equalDescriptions(text:)"
    #expect(outcomes["\(equal) (\"same\")"] == .failed)
    #expect(outcomes["\(equal) (\"same\") #2"] == .failed)
    #expect(outcomes["\(equal) (\"other\")"] == .passed)
    #expect(outcomes["SwiftTestingCases.Parameters/pairs(number:letter:) (2, \"b\")"] == .failed)
    #expect(outcomes["SwiftTestingCases.Parameters/cancelledCase(_:) (2)"] == .skipped)
    #expect(outcomes["SwiftTestingCases.Parameters/knownCase(_:) (2)"] == .knownIssue)
  }

  @Test func withoutTheExperimentalFieldsAParameterisedTestIsOne() throws {
    let outcomes = try Fixture.eventStream("serial").outcomes
    #expect(outcomes["SwiftTestingCases.Parameters/even(_:)"] == .failed)
    #expect(outcomes["SwiftTestingCases.Parameters/allPass(_:)"] == .passed)
    #expect(outcomes["SwiftTestingCases.Parameters/cancelledCase(_:)"] == .failed)
    #expect(outcomes.keys.filter { $0.contains("Parameters") }.count == 7)
  }

  @Test(arguments: ["serial", "serial-rich", "serial-version-0"])
  func reasonsNamesAndPlacesAreRead(recording: String) throws {
    let input = try Fixture.eventStream(recording)
    #expect(input["SwiftTestingCases.disabled()"]?.skipReason == "not today")
    #expect(input["SwiftTestingCases.displayName()"]?.displayName == "A name for readers")
    let failed = try #require(input["SwiftTestingCases.freeFail()"])
    #expect(
      failed.location == SourceReference(file: "/package/Tests/SwiftTestingCases/Cases.swift", line: 10))
    let issue = try #require(failed.issues.first)
    #expect(issue.message == "Expectation failed: (sum → 2) == 3\nsums < \"quoted\" & more")
    #expect(issue.location?.line == 12)
    #expect(try #require(failed.duration) > 0)
  }

  @Test func aWarningIsNoFailure() throws {
    let issue = try #require(
      try Fixture.eventStream("serial")["SwiftTestingCases.Orders/warning()"]?.issues.first)
    #expect(issue.severity == .warning)
    #expect(!issue.isFailure)
  }

  @Test func aRepetitionThatPassesMakesATestFlaky() throws {
    let stream = try Fixture.eventStream("repetitions")
    let flaky = try #require(stream["RTests.S/flaky()"])
    #expect(flaky.isFlaky && flaky.issues.isEmpty)
    #expect(flaky.attempts.map { $0.issues.map(\.message) } == [["Expectation failed: (n → 1) > 1\nrun 1"]])
    #expect(stream["RTests.S/good()"]?.hasFailedOnce == false)
    // Logs and XML have the failure of any repetition.
    var xunit = InputTests(kind: .xunit, name: "x")
    xunit.observations = [
      Observation(
        id: flaky.id, framework: .swiftTesting, outcome: .failed,
        issues: [TestIssue(message: "run 1", severity: .error, isKnown: false)])
    ]
    let join = InputJoin([stream, xunit])
    #expect(join.remarks == Remarks())
    #expect(join["RTests.S/flaky()"]?.isFlaky == true)
    #expect(join["RTests.S/flaky()"]?.issues == [])
  }

  @Test func aRepetitionThatPassesSaysNothingOfAnotherJob() throws {
    let (first, second) = (try Fixture.eventStream("repetitions"), try Fixture.eventStream("repetitions"))
    var other = second
    for index in other.observations.indices where other.observations[index].isFlaky {
      other.observations[index].outcome = .failed
      other.observations[index].attempts = []
    }
    #expect(InputJoin([first, other])["RTests.S/flaky()"]?.outcome == .failed)
    other.kind = .xunit
    other.invocation = "/another/job"
    #expect(InputJoin([first, other])["RTests.S/flaky()"]?.outcome == .failed)
  }

  @Test func aStreamWithAByteOrderMarkIsRead() throws {
    let bytes = Data([0xEF, 0xBB, 0xBF]) + (try Fixture.file("repetitions", "events.jsonl").bytes)
    #expect(EventStreamInput.recognises(bytes))
    let marked = EventStreamInput.read(LoadedFile(name: "m", path: "/m", bytes: bytes), attachments: [])
    #expect(marked.observations.count == 2)
    #expect(marked.remarks == Remarks())
  }

  @Test func aTimeLimitIsAFailure() throws {
    let input = try Fixture.eventStream("time-limit")
    #expect(input["SwiftTestingCases.slow()"]?.outcome == .failed)
    #expect(
      input["SwiftTestingCases.slow()"]?.issues.map(\.message) == ["Time limit was exceeded: 60.000 seconds"])
  }

  @Test func attachmentsAreFoundWhereTheyWereUnpacked() throws {
    let input = try Fixture.eventStream("serial-rich")
    let evidence = try #require(input["SwiftTestingCases.Orders/attachingAndFailing()"]?.observed.first)
    #expect(evidence.name == "note.txt")
    guard case .file(let path) = evidence.content else { return #expect(Bool(false), "no file") }
    #expect(path.folder == Fixture.recording("serial-rich") + "/attachments")
    #expect(FileManager.default.fileExists(atPath: "\(path.folder)/\(path.path)"))
  }

  @Test func aCrashLeavesRunningTestsUnfinished() throws {
    let input = try Fixture.eventStream("crash-swift-testing")
    #expect(!input.endedProperly)
    #expect(input.remarks.faultKinds == ["eventStreamEndedEarly"])
    #expect(input["SwiftTestingCases.Orders/crashWhenAsked()"]?.outcome == .unfinished)
    #expect(input.remarks.faults.first?.message.contains("Not started") == true)
  }

  @Test func theOnlyRunningTestCrashed() throws {
    let lines = try Fixture.file("time-limit", "events.jsonl").bytes.split(separator: UInt8(ascii: "\n"))
    // Up to the end of `freePass()`: only `slow()` still runs.
    let cut = Data(lines.prefix(6).joined(separator: [UInt8(ascii: "\n")]))
    let input = EventStreamInput.read(LoadedFile(name: "cut", path: "/cut", bytes: cut), attachments: [])
    #expect(
      input.outcomes == ["SwiftTestingCases.freePass()": .passed, "SwiftTestingCases.slow()": .crashed])
  }

  /// `failing()` has recorded an issue, `running()` none, and then the process dies.
  @Test func whatAnOpenTestHadRecordedCounts() throws {
    func event(_ kind: String, _ test: String, _ more: String = "") -> String {
      #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"M.\#(test)/A.swift:1:1"\#(more)},"version":"6.3.0"}"#
    }
    let issue = #","issue":{"isKnown":false,"isFailure":true,"severity":"error"},"messages":[]"#
    let started = ["failing()", "running()", "other()"].map { event("testStarted", $0) }
    let lines = started + [event("issueRecorded", "failing()", issue)]
    var input = EventStreamInput.read(Fixture.text(lines.joined(separator: "\n") + "\n"), attachments: [])
    #expect(input.observations.map(\.outcome) == [.failed, .unfinished, .unfinished])
    let trace = "Thread 0 crashed:\n\n0 0x00007f0 failing() + 65 in Tests.xctest at /package/A.swift:9:1\n"
    input.applyBacktrace(SwiftTestOutput(Fixture.text(trace)).backtraces[0])
    #expect(input.observations.map(\.outcome) == [.crashed, .unfinished, .unfinished])
    var log = try WrittenLog(frameworks: [.swiftTesting])
    for name in ["failing()", "running()"] { try log.start(.store(name), .swiftTesting) }
    try log.fail(.store("failing()"), "no")
    #expect(log.tests.observations.map(\.outcome) == [.failed, .unfinished])
  }

  @Test func aPartialLastLineIsLeftOut() throws {
    let bytes = try Fixture.file("serial-rich", "events.jsonl").bytes
    let cut = EventStreamInput.read(
      LoadedFile(name: "cut", path: "/cut", bytes: bytes.dropLast(40)), attachments: [])
    #expect(cut.remarks.faultKinds == ["eventStreamEndedEarly"])
    let whole = try Fixture.eventStream("serial-rich")
    #expect(cut.observations.count == whole.observations.count)
  }

  @Test func aDamagedLineIsAFaultAndTheRestIsRead() throws {
    var text = String(decoding: try Fixture.file("time-limit", "events.jsonl").bytes, as: UTF8.self)
    text = "not json\n" + text
    let input = EventStreamInput.read(Fixture.text(text), attachments: [])
    #expect(input.remarks.faultKinds == ["eventStreamDamaged"])
    #expect(input.observations.count == 2)
  }

  @Test func anIssueThatNoTestOwnsIsAFault() {
    let line = """
      {"kind":"event","payload":{"issue":{"isKnown":false,"isFailure":true,"severity":"error"},\
      "kind":"issueRecorded","messages":[{"symbol":"fail","text":"detached"}]},"version":"6.3.0"}
      {"kind":"event","payload":{"kind":"runEnded","messages":[]},"version":"6.3.0"}

      """
    let input = EventStreamInput.read(Fixture.text(line), attachments: [])
    #expect(input.issuesOutside.map(\.issue.message) == ["detached"])
    var remarks = Remarks()
    RunChecks.checkIssuesOutside([input], &remarks)
    #expect(remarks.faultKinds == ["issueOutsideTest"])
    #expect(remarks.faults.first?.message == "An issue belongs to no test: detached")
  }

  @Test func anIssueThatIsDeliveredTwiceIsOne() {
    func line(_ instant: Double) -> String {
      """
      {"kind":"event","payload":{"instant":{"absolute":\(instant)},"issue":{"isKnown":false,"severity":"error"},\
      "kind":"issueRecorded","messages":[{"symbol":"fail","text":"detached"}]},"version":"6.3.0"}
      """
    }
    let text = [line(1.5), line(1.5), line(2)].joined(separator: "\n")
    #expect(EventStreamInput.read(Fixture.text(text), attachments: []).issuesOutside.count == 2)
  }
}
