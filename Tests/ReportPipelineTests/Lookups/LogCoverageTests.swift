import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportPipeline
@testable import ReportReading
@testable import ReportTestSupport

/// Which tests the logs of a run have all of, and what of the other inputs is expected in their light.
@Suite struct LogCoverageTests {
  private let folder: TemporaryFolder
  private static let run = "artifacts/runs/r"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeManifest(to: Self.run)
  }

  private func write(_ log: WrittenLog, _ pid: Int = 7) throws {
    var log = log
    try log.end()
    try folder.write(log.bytes, to: "\(Self.run)/logs/\(pid)-70.jsonl")
  }

  private func report() throws -> (runs: [RunInputs], tests: [TestRecord], remarks: Remarks) {
    let runs = try readRuns([folder.path + "/artifacts"], choice: .newest)
    let join = RunJoin(runs)
    var remarks = join.remarks
    for run in runs { remarks.append(run.remarks) }
    for input in runs.flatMap(\.inputs) { remarks.append(input.remarks) }
    remarks.append(RunChecks.check(runs, join.tests))
    return (runs, join.tests, remarks)
  }

  private var coverage: InputCoverage {
    get throws { try #require(try report().runs.first?.inputs.first { $0.kind == .log }).coverage }
  }

  private static let both: [TestFramework] = [.xctest, .swiftTesting]

  /// A test of Swift Testing in a module.
  private func test(_ module: String, _ name: String = "t()", case argument: String? = nil) -> TestCaseID {
    TestCaseID(module: module, suite: [], name: name, argument: argument.map { .init(description: $0) })
  }

  private func stream(
    _ tests: [(module: String, fails: Bool)], issues: [String] = [], to file: String = "events.jsonl"
  ) throws {
    func event(_ kind: String, _ rest: String) -> String {
      "{\"kind\":\"event\",\"payload\":{\"kind\":\"\(kind)\",\"instant\":{\"absolute\":1}\(rest)},\"version\":\"6.3\"}"
    }
    let place = "{\"filePath\":\"/package/Tests/A.swift\",\"fileID\":\"M/A.swift\",\"line\":5,\"column\":1}"
    func issue(_ text: String, _ test: String) -> String {
      event(
        "issueRecorded",
        "\(test),\"messages\":[{\"symbol\":\"fail\",\"text\":\"\(text)\"}],"
          + "\"issue\":{\"isKnown\":false,\"severity\":\"error\",\"sourceLocation\":\(place)}")
    }
    var lines = [event("runStarted", "")]
    for (module, fails) in tests {
      let name = ",\"testID\":\"\(module).t()/A.swift:3:1\""
      lines.append(event("testStarted", name))
      if fails { lines.append(issue("m", name)) }
      lines.append(event("testEnded", name))
    }
    lines += issues.map { issue($0, "") } + [event("runEnded", "")]
    try folder.write(lines.joined(separator: "\n") + "\n", to: "\(Self.run)/inputs/\(file)")
  }

  // MARK: - Coverage

  @Test func aLogThatSaysSoHasAllTestsOfSwiftTesting() throws {
    var log = try WrittenLog(frameworks: Self.both)
    try log.pass(test("M"))
    try write(log)
    #expect(try coverage == [.xctest, .swiftTesting])
    try stream([("M", false), ("N", false)])
    let report = try report()
    #expect(report.remarks.faultKinds == ["missingTest"])
    #expect(report.remarks.faults.first?.message.contains("N.t()") == true)
  }

  @Test func aLogThatDoesNotSaySoHasXCTestsAlone() throws {
    var log = try WrittenLog(frameworks: [.xctest])
    try log.pass(test("M"))
    try write(log)
    #expect(try coverage == [.xctest])
    try stream([("M", false), ("N", false)])
    #expect(try report().remarks.faults.isEmpty)
  }

  @Test func oneProcessThatKnewOnlyTheTraitIsEnoughNotToExpectThemAll() throws {
    var heard = try WrittenLog(frameworks: Self.both)
    try heard.pass(test("M"))
    try write(heard)
    var trait = try WrittenLog(pid: 8, frameworks: [.xctest])
    try trait.pass(.store("testA"), .xctest)
    try write(trait, 8)
    #expect(
      try coverage == [.xctest, .swiftTesting],
      "a process without tests of Swift Testing says nothing of them")
    try trait.pass(test("N"))
    try write(trait, 8)
    #expect(try coverage == [.xctest])
  }

  // MARK: - The trait alone

  @Test func suitesThatNothingRecordedAreANotice() throws {
    func notices(_ frameworks: [TestFramework], _ framework: TestFramework) throws -> [String] {
      for pid in [7, 8] {
        var log = try WrittenLog(pid: Int32(pid), frameworks: frameworks)
        try log.pass(framework == .xctest ? .store("testA\(pid)") : test("M", "t\(pid)()"), framework)
        try write(log, pid)
      }
      let remarks = try report().remarks
      #expect(remarks.faults.isEmpty)
      #expect(remarks.notices.allSatisfy { $0.message.contains("EXHIBIT_ENTRY=off") })
      return remarks.notices.map(\.kind)
    }
    #expect(try notices([.xctest], .swiftTesting) == ["traitAlone"], "once, whatever number of processes")
    #expect(try notices([.xctest], .xctest) == [])
    #expect(try notices(Self.both, .swiftTesting) == [])
  }

  // MARK: - Issues of no test

  @Test func anIssueOfNoTestThatLogAndStreamTellIsToldOnce() throws {
    var log = try WrittenLog(frameworks: Self.both)
    try log.pass(test("M"))
    func issue(_ message: String) -> RecordedIssue {
      RecordedIssue(message: message, file: "/package/Tests/A.swift", line: 5)
    }
    // Swift Testing delivers those of detached tasks twice.
    for message in ["both", "both", "in two processes"] { try log.add(nil, issue(message)) }
    try log.add(nil, RecordedIssue(severity: .warning, message: "a warning"))
    try write(log)
    var other = try WrittenLog(pid: 8, frameworks: [.xctest])
    try other.pass(.store("testA"), .xctest)
    for message in ["in two processes", "of XCTest", "of XCTest"] { try other.add(nil, issue(message)) }
    try write(other, 8)
    try stream([("M", false)], issues: ["both", "the stream's own", "in two processes"])
    let faults = try report().remarks.faults
    #expect(faults.allSatisfy { $0.kind == "issueOutsideTest" })
    let place = "(/package/Tests/A.swift:5)"
    #expect(
      faults.map(\.message) == [
        "An issue belongs to no test: both \(place)",
        "An issue belongs to no test: the stream's own \(place)",
        "An issue belongs to no test: in two processes \(place)",
        "An issue belongs to no test: in two processes \(place)",
        "An issue belongs to no test: of XCTest \(place)",
        "An issue belongs to no test: of XCTest \(place)",
      ])
    #expect(faults.last?.input?.hasSuffix("logs/8-70.jsonl") == true)
  }

  // MARK: - Parameterised functions

  @Test func aFunctionWithoutKnownCasesIsNotShownBesideThem() throws {
    var log = try WrittenLog(frameworks: Self.both)
    try log.pass(test("M", "c(_:)"))
    let whole = InputTests(kind: .log, name: "log", observations: log.tests.observations)
    let streamed = [("1", Outcome.passed), ("2", .passed)].map {
      Observation(id: test("M", "c(_:)", case: $0), framework: .swiftTesting, outcome: $1)
    }
    let join = InputJoin([whole, InputTests(kind: .eventStream, name: "stream", observations: streamed)])
    #expect(join.remarks == Remarks())
    #expect(join.tests.map(\.id.argument?.description) == ["1", "2"])
  }

  @Test func someCasesOfTheLogAndTheFunctionOfTheStreamAreOneFunction() throws {
    var log = try WrittenLog(frameworks: Self.both)
    try log.start(test("M", "c(_:)", case: "2"), .swiftTesting)
    try log.fail(test("M", "c(_:)", case: "2"), "m")
    try log.add(test("M", "c(_:)", case: "2"), TestEnd(outcome: .failed, duration: nil))
    let cases = InputTests(kind: .log, name: "log", observations: log.tests.observations)
    let whole = [InputKind.eventStream, .xunit].map { kind in
      InputTests(
        kind: kind, name: "\(kind)",
        observations: [
          Observation(
            id: test("M", "c(_:)"), framework: .swiftTesting, outcome: .failed, duration: 1,
            issues: [TestIssue(message: "m", severity: .error, isKnown: false)])
        ])
    }
    let join = InputJoin([cases] + whole)
    #expect(join.remarks == Remarks())
    #expect(join.tests.map(\.id.argument?.description) == ["2"])
    #expect(join.tests.first?.duration == nil, "that of the function is not the case's")
  }

  @Test func evidenceOfAFunctionAsAWholeIsShown() throws {
    var log = try WrittenLog(frameworks: Self.both)
    try log.start(test("M", "c(_:)"), .swiftTesting)
    try log.fail(test("M", "c(_:)"), "of its arguments")
    try log.add(
      test("M", "c(_:)"), CapturedEvidence(kind: .text, name: "a.txt", path: "evidence/c/a.txt", bytes: 1))
    try log.finish(test("M", "c(_:)"), .failed)
    let whole = InputTests(kind: .log, name: "log", observations: log.tests.observations)
    let streamed = Observation(
      id: test("M", "c(_:)", case: "1"), framework: .swiftTesting, outcome: .failed,
      issues: [TestIssue(message: "of the case", severity: .error, isKnown: false)])
    let join = InputJoin([whole, InputTests(kind: .eventStream, name: "stream", observations: [streamed])])
    #expect(join.remarks == Remarks())
    #expect(join.tests.map(\.observed.count) == [1, 0])
  }

  // MARK: - Runners of single targets

  private func writeRunners(_ modules: [String]) throws {
    for (index, module) in modules.enumerated() {
      var log = try WrittenLog(
        pid: Int32(index + 7), executable: "\(module)-test-runner", frameworks: Self.both)
      try log.pass(test(module))
      try write(log, index + 7)
    }
  }

  @Test func whatRunnersOverwroteIsNotMissed() throws {
    try writeRunners(["A", "B", "C"])
    try stream([("C", false)])
    try folder.write(
      "<testsuites><testsuite name=\"TestResults\" errors=\"0\" tests=\"1\" failures=\"0\" skipped=\"0\" time=\"1\">"
        + "<testcase classname=\"C\" name=\"t()\" time=\"1\"/></testsuite></testsuites>\n",
      to: "\(Self.run)/inputs/xunit-swift-testing.xml")
    let report = try report()
    #expect(report.remarks.faults == [])
    #expect(report.tests.map(\.id.module) == ["A", "B", "C"])
  }

  @Test func theStreamsOfRunnersStandInThePlaceOfTheOneThatTheyShare() throws {
    try writeRunners(["A", "B"])
    try stream([("A", true)], to: "streams/7-70.jsonl")
    try stream([("B", false)], issues: ["of B"], to: "streams/8-70.jsonl")
    try stream([("B", false)], issues: ["of B"])
    var report = try report()
    #expect(report.remarks.faults.map(\.message).filter { $0.contains("of B") }.count == 1)
    #expect(report.tests.map(\.id.module) == ["A", "B"])
    #expect(
      report.runs[0].inputs.map(\.name)
        == ["logs", "inputs/streams/7-70.jsonl", "inputs/streams/8-70.jsonl"]
        .map { "runs/r/" + $0 })
    // The last runner is not linked with Attach: nothing else has its tests.
    try stream([("C", false)])
    report = try self.report()
    #expect(report.tests.map(\.id.module) == ["A", "B", "C"])
    #expect(!report.remarks.faultKinds.contains("missingTest"))
  }

  @Test func aStreamOfARunnerThatLeadsOutOfTheRunIsNotRead() throws {
    try writeRunners(["A"])
    try stream([("A", false)])
    try stream([("Elsewhere", false)], to: "../../elsewhere.jsonl")
    let streams = "\(folder.path)/\(Self.run)/inputs/streams"
    try FileManager.default.createDirectory(atPath: streams, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: streams + "/7-70.jsonl", withDestinationPath: "\(folder.path)/artifacts/runs/elsewhere.jsonl")
    let report = try report()
    #expect(report.remarks.faultKinds == ["unreadableInput"])
    #expect(report.tests.map(\.id.module) == ["A"])
  }

  @Test func aTestThatARunnersOwnLogLacksIsAFault() throws {
    try writeRunners(["A", "B"])
    var stream = InputTests(kind: .eventStream, name: "stream")
    stream.observations = ["A", "C"].map {
      Observation(id: test($0, "u()"), framework: .swiftTesting, outcome: .passed)
    }
    var logs = try #require(try report().runs.first?.inputs.first)
    logs.invocation = stream.invocation
    let faults = InputJoin([stream, logs]).remarks.faults
    #expect(faults.map(\.kind) == ["missingTest"])
    #expect(faults.first?.message.contains("1 tests that other inputs have are missing: A.u().") == true)
  }

  @Test func testsOfARunnerThatNothingRecordedAreCounted() throws {
    try writeRunners(["A", "B"])
    let summary =
      "Test Suite 'All tests' failed at 2026\n\t Executed 3 tests, with 1 failure (0 unexpected)\n"
    let printed = ["InventoryTests.testFail", "InventoryTests.testPass"].map { name in
      let end = name.hasSuffix("Fail") ? "failed" : "passed"
      let issue = end == "failed" ? "/package/I.swift:7: error: \(name) : XCTAssertTrue failed - no\n" : ""
      return "Test Case '\(name)' started at 2026\n\(issue)Test Case '\(name)' \(end) (0.1 seconds)\n"
    }
    try folder.write(
      "Test Suite 'InventoryTests' failed at 2026\n\t Executed 3 tests, with 1 failure (0 unexpected)\n"
        + printed.joined() + summary
        + "✔ Test run with 1 test in 1 suite passed after 0.1 seconds.\n"
        + "✔ Test run with 3 tests in 0 suites passed after 0.1 seconds.\n"
        + "/b/S-test-runner: error while loading shared libraries: /lib.so: cannot open shared object file\n",
      to: "\(Self.run)/inputs/output.txt")
    let report = try report()
    let faults = report.remarks.faults
    #expect(Set(faults.map(\.kind)) == ["processDied", "unrecordedTests"])
    let failed = report.tests.filter { $0.outcome == .failed }
    #expect(failed.map(\.id.description) == ["InventoryTests/testFail"], "its product left nothing but this")
    #expect(failed.first?.issues.first?.location == SourceReference(file: "/package/I.swift", line: 7))
    #expect(report.tests.count == 3)
    let messages = faults.map(\.message)
    #expect(
      messages.contains { $0.hasPrefix("3 XCTests ran and nothing recorded them: with this build system") })
    #expect(messages.contains { $0.hasPrefix("2 tests of Swift Testing ran and nothing recorded them") })
    #expect(
      messages.contains { $0.contains("could not be started") && $0.contains("/b/S-test-runner: error") })
  }
}
