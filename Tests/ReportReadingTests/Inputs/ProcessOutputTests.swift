import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What a process printed before it died, and which test it belongs to.
@Suite struct ProcessOutputTests {
  private static let trace = """
    *** Signal 4: Backtracing from 0x7f0... done ***

    *** Program crashed: Illegal instruction at 0x7f0 ***

    Thread 0 "T" crashed:

      0               0x00007f0 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
      1 [ra]          0x0000551 OrderTests.testCrash() + 84 in Tests.xctest at /package/Tests/Orders.swift:9:5

    Registers:

    rax 0x0
    """

  private static func stopped(_ text: String) -> [ProcessOutput] {
    ProcessOutput.stopped(in: Data(text.utf8))
  }

  @Test func inParallelEachOutputIsThatOfItsTest() {
    let one = """
      [1/2] Testing M.OrderTests/testCrash
      Test Suite 'Selected tests' started at 2026
      Test Case 'OrderTests.testCrash' started at 2026
      before the crash
      \(Self.trace)
      Test Suite 'Selected tests' started at 2026
      Test Case 'OrderTests.testFails' started at 2026
      Test Case 'OrderTests.testFails' failed (0.1 seconds)
      Test Suite 'Selected tests' failed at 2026
      Test Suite 'Selected tests' started at 2026
      Test Case 'OrderTests.testKilled' started at 2026
      its last words
      ◇ Test run started.
      ✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.
      """
    let stopped = Self.stopped(one)
    let running = ["testCrash", "testKilled"].map {
      TestCaseID(module: "", suite: ["OrderTests"], name: $0)
    }
    #expect(stopped.map(\.runningXCTest) == running)
    let crash = stopped.first.flatMap { CrashOutput($0) }
    #expect(crash?.lastLines.last == "before the crash")
    #expect(crash?.backtrace.first?.hasPrefix("*** Signal 4") == true)
    #expect(crash?.backtrace.contains { $0.contains("rax") } == false)
    let line = SourceReference(file: "/package/Tests/Orders.swift", line: 9)
    #expect(crash?.frames == [CrashOutput.Frame(function: "OrderTests.testCrash()", place: line)])
    // Nothing was printed of its end but the signal's kind.
    #expect(crash?.message == "Program crashed: Illegal instruction at 0x7f0")
    #expect(crash?.place == line)
    #expect(stopped.last.flatMap { CrashOutput($0) }?.lastLines.last == "its last words")
  }

  @Test func aTestGetsItAndTheOthersDoNot() {
    let text = "Test Suite 'All tests' started at 2026\nTest Case 'OrderTests.testB' started at 2026\nwords\n"
    var input = InputTests(kind: .log, name: "logs", endedProperly: false)
    input.observations = ["testA", "testB"].map {
      Observation(
        id: TestCaseID(module: "M", suite: ["OrderTests"], name: $0), framework: .xctest, outcome: .crashed)
    }
    input.applyOutputs(Self.stopped(text))
    #expect(input.observations.map { $0.crash?.lastLines.last } == [nil, "words"])
  }

  @Test func inSwiftTestingItIsThatOfTheCrashedOne() {
    let text = "◇ Test run started.\n◇ Test a() started.\n◇ Test b() started.\nwords\n"
    var input = InputTests(kind: .eventStream, name: "events", endedProperly: false)
    input.observations = [Outcome.passed, .unfinished, .unfinished].enumerated().map {
      Observation(
        id: TestCaseID(module: "M", suite: [], name: "t\($0)()"), framework: .swiftTesting, outcome: $1)
    }
    input.applyOutputs(Self.stopped(text))
    #expect(input.observations.map { $0.crash != nil } == [false, true, true])
    input.observations[1].outcome = .crashed
    input.observations[2].crash = nil
    input.applyOutputs(Self.stopped(text))
    #expect(input.observations.map { $0.crash != nil } == [false, true, false])
  }

  @Test func longOutputIsBounded() throws {
    let lines = (0..<100_000).map { "line \($0)" }.joined(separator: "\n")
    let text = "◇ Test run started.\n" + lines + "\n" + String(repeating: "x", count: 1 << 20)
    let crash = try #require(Self.stopped(text).first.flatMap { CrashOutput($0) })
    #expect(crash.lastLines.count == 60)
    #expect(crash.lastLines.reduce(0) { $0 + $1.utf8.count } < 10_000)
  }

  /// Of hostile lines too: a search through each by a regular expression took two seconds for each megabyte.
  @Test func tenTimesAsMuchTakesTenTimesAsLong() {
    let lines = [
      "row 17 of 4000: order was written and read again, as it should be\n", "a/b\n", "Thread 1 crashed:\n",
      "M/S.swift:12: Fatal error: on purpose\n", "Test Suite 'All tests' started at 2026\n",
      "Test Case 'A.testB' started at 2026\n", "M/\(String(repeating: "x", count: 4000)): error: Process '\n",
    ]
    func time(_ kilobytes: Int, _ line: String) -> Duration {
      let text = String(repeating: line, count: kilobytes * 1024 / line.utf8.count)
      let file = LoadedFile(name: "o", path: "/o", bytes: Data(text.utf8))
      return ProcessorTime.of { _ = SwiftTestOutput(file) }
    }
    for line in lines {
      let small = (0..<3).map { _ in time(100, line) }.min() ?? .zero
      let large = time(1000, line)
      #expect(large < .seconds(5) && large / small < 35, "\(line): \(small), \(large)")
    }
  }

  @Test func withoutABacktraceTheLastOutputNamesTheTest() {
    var input = InputTests(kind: .log, name: "logs", endedProperly: false)
    input.observations = [("early()", 3), ("crashes()", 10), ("late()", 30)].map { name, line in
      Observation(
        id: TestCaseID(module: "M", suite: ["S"], name: name), framework: .swiftTesting, outcome: .unfinished,
        location: SourceReference(file: "/package/Tests/M/S.swift", line: line))
    }
    let other = FatalErrorPlace("M/Other.swift:12: Fatal error: no")
    input.applyFatalErrors([other].compactMap { $0 })
    #expect(input.observations.allSatisfy { $0.outcome == .unfinished })
    #expect(FatalErrorPlace("Swift/Array.swift:692: something else") == nil)
    let place = FatalErrorPlace("M/S.swift:12: Fatal error: on purpose")
    input.applyFatalErrors([place].compactMap { $0 })
    #expect(input.observations.map(\.outcome) == [.unfinished, .crashed, .unfinished])
  }
}
