import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

@Suite struct LogInputTests {
  @Test func aTestIsReadWithItsIssuesAndItsPlace() throws {
    var log = try WrittenLog()
    try log.start(.store("testFail"))
    try log.fail(.store("testFail"), "XCTAssertTrue failed")
    try log.finish(.store("testFail"), .failed)
    try log.end()
    let observation = try #require(log.tests.observations.first)
    #expect(observation.outcome == .failed)
    #expect(observation.framework == .xctest)
    #expect(observation.duration == 0.25)
    #expect(observation.location == SourceReference(file: "/package/Tests/A.swift", line: 3))
    #expect(observation.issues.map(\.message) == ["XCTAssertTrue failed"])
    #expect(log.tests.remarks == Remarks())
  }

  @Test(arguments: [
    (TestEnd.Outcome.passed, Outcome.passed), (.failed, .failed), (.skipped, .skipped),
  ])
  func aFinishedTestHasTheOutcomeOfItsEnd(end: TestEnd.Outcome, outcome: Outcome) throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    try log.finish(.store("test"), end)
    try log.end()
    #expect(log.tests.observations.map(\.outcome) == [outcome])
  }

  @Test func theOnlyOpenTestOfADeadProcessCrashed() throws {
    var log = try WrittenLog()
    try log.start(.store("testPass"))
    try log.finish(.store("testPass"), .passed)
    try log.start(.store("testCrash"))
    #expect(log.tests.observations.map(\.outcome) == [.passed, .crashed])
    #expect(log.tests.remarks.faultKinds == ["logEndedEarly"])
    #expect(log.tests.remarks.faults.first?.message.contains("M.Store/testCrash was running") == true)
  }

  @Test func ofSeveralOpenTestsNoneIsKnownToHaveCrashed() throws {
    var log = try WrittenLog()
    try log.start(.store("one()"), .swiftTesting)
    try log.start(.store("two()"), .swiftTesting)
    #expect(log.tests.observations.map(\.outcome) == [.unfinished, .unfinished])
  }

  @Test func anOpenTestOfAProcessThatExitedCrashed() throws {
    var log = try WrittenLog()
    try log.start(.store("testPass"))
    try log.finish(.store("testPass"), .passed)
    try log.start(.store("testExit"))
    try log.end()
    #expect(log.tests.observations.map(\.outcome) == [.passed, .crashed])
    #expect(log.tests.remarks.faultKinds == ["logEndedEarly"])
    let message = log.tests.remarks.faults.first?.message
    #expect(message == "The process ended by exit in the middle of a test: M.Store/testExit was running.")
  }

  @Test func whatADeadProcessDidAndNobodyKeptIsSaidToBeMissing() throws {
    func notices(_ change: (inout WrittenLog) throws -> Void) throws -> [String] {
      var log = try WrittenLog()
      try log.add(.store("test"), TestStart(framework: .xctest, number: 1))
      try change(&log)
      return log.tests.remarks.notices.map(\.kind)
    }
    let opening = DatabaseOpening(
      connection: 1, path: "/shop.sqlite", file: FileIdentity(device: 1, inode: 2))
    #expect(try notices { try $0.add(.store("test"), opening) } == ["traceMissing"])
    #expect(try notices { try $0.add(.store("test"), DatabaseUse(connection: 1)) } == ["traceMissing"])
    #expect(try notices { _ in } == [], "it used no database")
    let story = CapturedEvidence(kind: .story, name: "story.jsonl", path: "evidence/a/story.jsonl", bytes: 1)
    #expect(
      try notices {
        try $0.add(.store("test"), opening)
        try $0.add(.store("test"), story)
      } == [])
    let inMemory = TraceInMemory(reason: .io, message: "Full.")
    #expect(
      try notices {
        try $0.add(.store("test"), opening)
        try $0.add(.store("test"), inMemory)
      } == [], "that is told once for the run")
  }

  @Test func aFailureBeforeACrashIsKept() throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    try log.fail(.store("test"), "before the crash")
    #expect(log.tests.observations.map(\.outcome) == [.crashed])
    #expect(log.tests.observations.first?.issues.map(\.message) == ["before the crash"])
  }

  @Test func aKnownIssueIsNoFailure() throws {
    var log = try WrittenLog()
    try log.start(.store("known()"), .swiftTesting)
    try log.add(.store("known()"), RecordedIssue(known: true, message: "to be fixed"))
    try log.finish(.store("known()"), .passed)
    try log.end()
    #expect(log.tests.observations.map(\.outcome) == [.knownIssue])
  }

  @Test func aThrownErrorHasNoPlace() throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    try log.add(
      .store("test"), RecordedIssue(message: "threw error", file: "<EXPR>", line: 0))
    try log.finish(.store("test"), .failed)
    #expect(log.tests.observations.first?.issues.first?.location == nil)
  }

  @Test func whatCouldNotBeCapturedIsAFault() throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    try log.add(
      .store("test"),
      CaptureFailure(
        kind: .database, name: "store.sqlite", reason: .busy, message: "It was locked for 2 s."))
    try log.finish(.store("test"), .failed)
    try log.end()
    #expect(log.tests.remarks.faultKinds == ["captureFailed"])
    #expect(
      log.tests.remarks.faults.first?.message
        == "M.Store/test: store.sqlite was not captured: It was locked for 2 s.")
    #expect(log.tests.observations.first?.observed.map(\.content) == [.failure("It was locked for 2 s.")])
  }

  @Test func aPartialLastLineIsAFaultAndTheRestIsRead() throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    try log.finish(.store("test"), .passed)
    log.bytes.removeLast(9)
    let contents = LogReader.read(log.bytes, LogTests.kinds)
    #expect(contents.records.count == 1)
    #expect(contents.problems == [.partialLastLine])
  }

  @Test func aDamagedLineIsNamedAndTheRestIsRead() throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    log.bytes.append(contentsOf: Data("{\"kind\":\"issue\"}\n\u{0}\u{0}\n".utf8))
    try log.finish(.store("test"), .passed)
    let contents = LogReader.read(log.bytes, LogTests.kinds)
    #expect(contents.records.count == 2)
    #expect(contents.problems == [.unreadableLine(3), .unreadableLine(4)])
  }

  @Test func aKindOfALaterVersionIsSkipped() throws {
    var log = try WrittenLog(format: "1.9")
    log.bytes.append(contentsOf: Data("{\"kind\":\"weather\",\"time\":1,\"payload\":{}}\n".utf8))
    try log.start(.store("test"))
    let contents = LogReader.read(log.bytes, LogTests.kinds)
    #expect(contents.records.count == 1)
    #expect(contents.problems.isEmpty)
  }

  @Test func aLineOfALaterVersionThatCannotBeReadIsSaidToBeOne() throws {
    var log = try WrittenLog(format: "1.9")
    log.bytes.append(contentsOf: Data("{\"kind\":\"issue\",\"time\":1,\"payload\":{}}\n".utf8))
    try log.pass(.store("test"))
    let contents = LogReader.read(log.bytes, LogTests.kinds)
    #expect(contents.records.count == 2)
    #expect(contents.problems == [.unreadableLine(2), .format(FormatRefusal(.later, "1.9"))])
  }

  @Test(arguments: [
    ("2.0", "Format 2.0 is newer than 1.4"), ("1.3", "Format 1.3 is older than 1.4"),
    ("nonsense", "Its format is no version, as 1.4 is."),
  ])
  func anotherVersionIsRefusedByName(format: String, sentence: String) throws {
    var log = try WrittenLog(format: format)
    try log.start(.store("test"))
    #expect(LogReader.read(log.bytes, LogTests.kinds).records.isEmpty)
    #expect(log.tests.remarks.faults.first?.message.hasPrefix(sentence) == true)
    // Whether its process died is not known.
    #expect(log.tests.remarks.faults.count == 1 && log.tests.observations.isEmpty)
  }

  /// The first line of an earlier version may have other keys too.
  @Test func theVersionIsLookedAtBeforeAllElse() {
    let line = #"{"kind":"process","time":1,"payload":{"format":"1.0","pid":"old"}}"#
    let contents = LogReader.read(Data((line + "\n").utf8), LogTests.kinds)
    #expect(contents.problems == [.format(FormatRefusal(.older, "1.0"))])
  }

  @Test func aHeaderThatLacksWhatIsAlwaysThereIsNone() {
    let line =
      #"{"kind":"process","time":1,"payload":{"format":"1.4","pid":1,"startTicks":2,"executable":"a"}}"#
    let contents = LogReader.read(Data((line + "\n").utf8), LogTests.kinds)
    #expect(contents.problems == [.headerMissing, .unreadableLine(1)])
  }

  @Test func aLogWithoutItsHeaderIsAFault() throws {
    let contents = LogReader.read(Data("{}\n".utf8), LogTests.kinds)
    #expect(contents.problems == [.headerMissing, .unreadableLine(1)])
    #expect(LogReader.read(Data(), LogTests.kinds).problems == [.headerMissing])
  }

  @Test func aProcessThatEndedInOrderIsKnownWithoutDecoding() throws {
    var log = try WrittenLog()
    try log.start(.store("test"))
    try log.fail(.store("test"), "{\"kind\":\"testStarted\",")
    #expect(!LogReader.isWhole(log.bytes))
    try log.finish(.store("test"), .failed)
    #expect(!LogReader.isWhole(log.bytes))
    try log.end()
    #expect(LogReader.isWhole(log.bytes) && LogReader.read(log.bytes, LogTests.kinds).isEnded)
  }

  @Test func aLogThatIsNotWholeIsNeverTakenForOneThatIs() throws {
    var exited = try WrittenLog()
    try exited.start(.store("test"))
    try exited.end()
    #expect(!LogReader.isWhole(exited.bytes))
    var whole = try WrittenLog()
    try whole.start(.store("test"))
    try whole.finish(.store("test"), .passed)
    try whole.end()
    // Wherever it is cut off, and whichever line is damaged.
    for count in 0..<whole.bytes.count { #expect(!LogReader.isWhole(whole.bytes.prefix(count))) }
    let lines = whole.bytes.split(separator: UInt8(ascii: "\n"))
    for damaged in lines.indices {
      var bytes = Data()
      for (index, line) in lines.enumerated() {
        bytes += (index == damaged ? line.dropLast(4) : line) + [UInt8(ascii: "\n")]
      }
      #expect(!LogReader.isWhole(bytes))
    }
    #expect(!LogReader.isWhole(Data()))
  }
}
