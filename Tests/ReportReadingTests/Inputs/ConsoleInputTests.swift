import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What the console of a plain `swift test` says of its tests, recorded and as a CI keeps it.
@Suite struct ConsoleInputTests {
  private func text(_ recording: String) throws -> String {
    String(decoding: try Fixture.file(recording, "output.txt").bytes, as: UTF8.self)
  }

  private func read(_ text: String) -> InputTests { ConsoleInput.read(Fixture.text(text)).tests }

  /// The lines of the console tell all readers of it the same, also where a test printed without a line feed before them.
  @Test func theEndOfAProcessIsOneForAllThatReadIt() {
    let text = """
      Test Suite 'All tests' started at 2026
      working…Test Case 'A.testOne' started at 2026
      working…Test Case 'A.testOne' passed (0.1 seconds)
      working…Test Suite 'All tests' passed at 2026
      \t Executed 1 test, with 0 failures (0 unexpected) in 0.1 (0.1) seconds
      … ◇ Test run started.
      ✅ ✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.
      """
    let (_, output) = ConsoleInput.read(Fixture.text(text))
    #expect(output.stopped.isEmpty)
    #expect(output.summarised == [.xctest: 1, .swiftTesting: 2] && output.executedXCTests == 1)
  }

  @Test func whatACrashedTestPrintedLeavesItsOutputWithIt() {
    let text = """
      Test Suite 'All tests' started at 2026
      Test Case 'A.testCrash' started at 2026
      log: Test Case 'B.testOther' passed (0.1 seconds)
      log: Test Suite 'All tests' passed at 9
      ✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.
      last words
      """
    let stopped = ConsoleInput.read(Fixture.text(text)).output.stopped
    #expect(stopped.map(\.runningXCTest?.name) == ["testCrash"])
    #expect(stopped.first?.lines.last == "last words")
  }

  private func outcome(_ name: String, in input: InputTests) -> Outcome? {
    input.observations.first { $0.id.name == name }?.outcome
  }

  @Test(arguments: ["serial", "green-serial", "verdicts-serial/runs/recorded/inputs"])
  func itSaysOfSwiftTestingWhatTheEventStreamSays(recording: String) throws {
    let (stream, console) = (try Fixture.eventStream(recording), read(try text(recording)))
    #expect(console.remarks.faults.isEmpty && console.endedProperly)
    let join = InputJoin([stream, console])
    #expect(join.remarks.faults == [])
    let (alone, both) = (InputJoin([stream]).tests, join.tests.filter { $0.framework == .swiftTesting })
    #expect(both.map { "\($0.id) \($0.outcome)" } == alone.map { "\($0.id) \($0.outcome)" })
  }

  /// What a test prints is no XML, ends no process, and takes no longer than its length.
  @Test func whatATestPrintsIsNotTakenForMore() throws {
    let xml = "<testsuites><testsuite name='x' tests='1'><testcase name='a'/></testsuite></testsuites>"
    #expect(!XUnitInput.recognises(Data("◇ Test run started.\n\(xml)\n".utf8)))
    #expect(XUnitInput.recognises(Data("\u{FEFF}\n \(xml)".utf8)))
    let sum = "-9223372036854775808 -9223372036854775808"
    let count =
      "Test Suite 'All tests' passed at x\n\t Executed -9223372036854775808 tests, with 0 failures\n"
    let lies = read("✔ Test run with 1 test passed after 1 seconds with \(sum) issues\n\(count)\(count)")
    #expect(lies.observations.isEmpty)
    let named = read("✘ Test \"it passed after retry\" failed after 0.1 seconds with 1 issue.\n")
    #expect(named.observations.map(\.outcome) == [.failed])
    let returned = #"/T.swift:3: error: A.t : XCTAssertEqual failed: ("a\#rb") is not equal to ("c") - "#
    #expect(
      read(returned).observations.first?.issues.first?.message.contains("is not equal to (\"c\")") == true)
  }

  /// Documents and sources quote consoles.
  @Test func inAFolderOnlyLogsAreConsoles() throws {
    let folder = try TemporaryFolder()
    let quote = "Run it:\n◇ Test run started.\n✔ Test a() passed after 0.1 seconds.\n"
    for name in ["README.md", "Notes.swift", "docs/page.html", "console.txt", "ci/job.LOG", "ci/console"] {
      try folder.write(quote, to: name)
    }
    let names = { (places: [FoundPlace]) in
      places.compactMap { if case .input(let found) = $0 { found.name } else { nil } }
        .map { $0.replacing(folder.path, with: "") }
    }
    #expect(
      names(try InputDiscovery().find([folder.path])) == ["/ci/console", "/ci/job.LOG", "/console.txt"])
    #expect(names(try InputDiscovery().find([folder("README.md")])) == ["/README.md"])
  }

  @Test func anXCTestHasItsOutcomeMessagePlaceAndReason() throws {
    let input = read(try text("serial"))
    let tests = input.observations.filter { $0.framework == .xctest }
    #expect(tests.count == 10 && tests.count { $0.outcome == .failed } == 6)
    let issues = tests.first { $0.id.name == "testFailTwice" }?.issues
    #expect(issues?.map(\.message) == ["XCTAssertTrue failed - the first", "failed - the second"])
    #expect(
      issues?.first?.location
        == SourceReference(file: "/package/Tests/XCTestCases/OrderTests.swift", line: 14))
    #expect(tests.first { $0.id.name == "testSkip" }?.skipReason == "not today")
    #expect(tests.first { $0.id.name == "testThrow" }?.issues.first?.location == nil)
  }

  @Test func aTestOfSwiftTestingHasItsIssuesWithTheirDetails() throws {
    let input = read(try text("serial"))
    let test = input.observations.first { $0.id.name == "freeFail()" }
    #expect(test?.issues.map(\.message) == ["Expectation failed: (sum → 2) == 3\nsums < \"quoted\" & more"])
    #expect(test?.issues.first?.location == SourceReference(file: "Cases.swift", line: 12))
    let outcomes = ["known()", "cancelled()", "disabled()", "warning()"].map { outcome($0, in: input) }
    #expect(outcomes == [.knownIssue, .skipped, .skipped, .passed])
  }

  /// SwiftPM prints the output of failed XCTests alone, and names all.
  @Test func inParallelXCTestsHaveTheirModulesAndAreJoinedWithXML() throws {
    let console = read(try text("parallel"))
    #expect(console.remarks.faults.isEmpty)
    let tests = console.observations.filter { $0.framework == .xctest }
    #expect(tests.count == 10 && tests.allSatisfy { $0.id.module == "XCTestCases" })
    let xunit = try ["xunit.xml", "xunit-swift-testing.xml"].map { try Fixture.xunit("parallel", $0) }
    let join = InputJoin(xunit + [console])
    #expect(join.remarks.faults == [])
    #expect(join.tests.map(\.id) == InputJoin(xunit).tests.map(\.id))
    #expect(join.tests.first { $0.id.name == "known()" }?.outcome == .knownIssue)
    // Where the list ends the file, the output of those that failed may be missing.
    let list = try text("parallel").split(separator: "\n").prefix(10).joined(separator: "\n")
    #expect(read(list).remarks.faultKinds == ["consoleIncomplete"])
    #expect(read(list).observations.allSatisfy { $0.outcome == .unfinished })
  }

  @Test func aCrashLeavesItsTestCrashedOrUnfinished() throws {
    let xctest = read(try text("crash-xctest"))
    #expect(outcome("testCrashWhenAsked", in: xctest) == .crashed)
    #expect(!xctest.endedProperly && xctest.remarks.faultKinds.contains("consoleIncomplete"))
    let swiftTesting = read(try text("crash-swift-testing"))
    #expect(outcome("crashWhenAsked()", in: swiftTesting) == .unfinished)
    #expect(swiftTesting.remarks.faultKinds.contains("consoleIncomplete"))
  }

  @Test func whatACIOrATerminalPutsAroundALineDoesNotMatter() throws {
    let plain = try text("serial")
    let expected = read(plain)
    func lines(_ change: (Substring) -> String) -> String {
      plain.split(separator: "\n", omittingEmptySubsequences: false).map(change).joined(separator: "\n")
    }
    let forms = [
      "GitHub": lines { "2026-11-27T22:46:00.1234567Z \($0)" },
      "gh": lines { "test\tRun swift test\t2026-11-27T22:46:00.1234567Z \($0)" },
      "GitLab": lines { "2026-11-27T22:46:00.123456Z 01O \($0)" },
      "Jenkins": lines { "[2026-11-27T22:46:00.123Z] \($0)" },
      "Windows": "\u{FEFF}" + lines { "\($0)\r" },
      "colours": lines { line in
        guard let symbol = line.first, "✘✔◇━➜".contains(symbol) else { return String(line) }
        return "\u{1B}[1;31m\(symbol)\u{1B}[0m\(line.dropFirst())"
      },
    ]
    for (name, text) in forms {
      #expect(ConsoleInput.recognises(Data(text.utf8.prefix(1 << 16))), "\(name)")
      let input = read(text)
      #expect(input.observations.map(\.id) == expected.observations.map(\.id), "\(name)")
      #expect(input.observations.map(\.outcome) == expected.observations.map(\.outcome), "\(name)")
      #expect(input.remarks == expected.remarks, "\(name)")
    }
  }

  @Test(arguments: ["serial", "green-serial", "parallel"])
  func aFileThatIsCutOffIsDegraded(recording: String) throws {
    let lines = try text(recording).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for count in stride(from: 1, to: lines.count, by: 5) {
      for part in [lines.prefix(count), lines.suffix(count)] {
        let text = part.joined(separator: "\n")
        // Between the processes of two frameworks nothing is cut off.
        let cut = part.startIndex == lines.startIndex ? part.endIndex : part.startIndex
        if lines[cut].hasPrefix("◇ Test run started") { continue }
        // A part without a test is no input.
        guard ConsoleInput.recognises(Data(text.utf8)) else { continue }
        let input = read(text)
        let isRed = input.observations.contains { $0.outcome.isFailure }
        #expect(isRed || !input.remarks.faults.isEmpty, "\(count): \(text.prefix(80))")
      }
    }
  }

  /// Tests print what they like, also without a line feed, and the counts of their frameworks tell of it.
  @Test func whatTestsPrintTurnsNothingGreen() {
    let failing = """
      Test Suite 'All tests' started at 2026
      Test Case 'A.testB' started at 2026
      Test Case 'A.testB' passed (0.1 seconds)
      half a line/p/A.swift:3: error: A.testB : XCTAssertEqual failed: ("a
      b") is not equal to ("c") - note
      wordsTest Case 'A.testB' failed (0.1 seconds)
      Test Suite 'All tests' failed at 2026
      \t Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds
      """
    let input = read(failing)
    #expect(input.observations.map(\.outcome) == [.failed])
    #expect(
      input.observations.first?.issues.map(\.message) == [
        "XCTAssertEqual failed: (\"a\nb\") is not equal to (\"c\") - note"
      ])
    let lost = failing.replacing(" failed (", with: " passed (").replacing(": error: ", with: ": ")
    #expect(read(lost).observations.map(\.outcome) == [.passed])
    #expect(read(lost).remarks.faults.map(\.message) == ["XCTest announces 1 issue, and 0 were found."])
    let run = "◇ Test run started.\n✔ Test run with 2 tests in 0 suites passed after 0.1 seconds.\n"
    #expect(read(run).remarks.faultKinds == ["consoleIncomplete"])
    let detached = "✘ Test «unknown» recorded an issue at A.swift:1:2: Expectation failed: no\n"
    #expect(read(run + detached).issuesOutside.map(\.issue.message) == ["Expectation failed: no"])
  }

  /// Two suites have a test of one name: a failure is never lost, whatever the other inputs say.
  @Test func aNameThatSeveralTestsHaveIsNoneOfThem() {
    let text =
      "◇ Test run started.\n◇ Test a() started.\n◇ Test a() started.\n✘ Test a() failed after 0.1 seconds.\n"
    let console = read(
      text + "✔ Test a() passed after 0.1 seconds.\n✘ Test run with 2 tests failed after 0.1 seconds.\n")
    #expect(console.remarks.notices.map(\.kind) == ["repeatedTest"])
    func join(_ outcomes: [Outcome]) -> [String] {
      var xunit = InputTests(kind: .xunit, name: "x", coverage: [.swiftTesting])
      xunit.observations = zip(["S", "T"], outcomes).map {
        Observation(
          id: TestCaseID(module: "M", suite: [$0], name: "a()"), framework: .swiftTesting, outcome: $1)
      }
      return InputJoin([xunit, console]).tests.map { "\($0.id) \($0.outcome)" }
    }
    #expect(join([.passed, .failed]) == ["M.S/a() passed", "M.T/a() failed"])
    #expect(join([.passed, .passed]) == ["a() failed", "M.S/a() passed", "M.T/a() passed"])
  }
}
