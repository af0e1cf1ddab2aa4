import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What a process said of its end, and at which line of the package.
@Suite struct CrashReadingTests {
  private static let backtrace = """
    *** Signal 4: Backtracing from 0x7f0... done ***

    *** Program crashed: Illegal instruction at 0x00007f0 ***

    Thread 0 "a" :

      0      0x0000111 Other.thread() + 2 in Tests.xctest at /package/Sources/Tabs/Other.swift:1:1

    Thread 3 "T" crashed:

      0 [inlined] [system] 0x00007f0 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
      1 [ra]               0x0000551 Row.subscript.getter + 84 in Tests.xctest at /package/.build/checkouts/GRDB.swift/GRDB/Row.swift:9:5
      2 [ra]               0x0000552 TabStore.address(of:) + 616 in Tests.xctest at /package/Sources/Tabs/TabStore.swift:54:17
      3 [ra] [inlined]     0x0000553 macro expansion in Tests.xctest at /tmp/swift-generated-sources/@__swiftmacro.swift:1:32
      4 [ra] [thunk]       0x0000554 thunk + 1 in Tests.xctest at //<compiler-generated>
      5 [ra]               0x0000555 closure #1 in TabTests.reminds() + 718 in Tests.xctest at /package/Tests/TabsTests/Tab: Tests.swift:19:5

    """

  private static func crash(_ said: String, backtrace: String = backtrace) throws -> CrashOutput {
    let text = "◇ Test run started.\n◇ Test reminds() started.\n\(said)\n\(backtrace)\n"
    let output = try #require(ProcessOutput.stopped(in: Data(text.utf8)).first)
    return try #require(CrashOutput(output))
  }

  private static let store = SourceReference(file: "/package/Sources/Tabs/TabStore.swift", line: 54)

  @Test func aFatalErrorIsToldAtItsLine() throws {
    let crash = try Self.crash("Tabs/TabStore.swift:54: Fatal error: Unexpectedly found nil")
    #expect(crash.message == "Fatal error: Unexpectedly found nil")
    #expect(crash.place == Self.store)
    #expect(
      crash.frames == [
        .init(function: "TabStore.address(of:)", place: Self.store),
        .init(
          function: "closure #1 in TabTests.reminds()",
          place: SourceReference(file: "/package/Tests/TabsTests/Tab: Tests.swift", line: 19)),
      ])
  }

  @Test(arguments: [
    "Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range",
    "GRDB/Row.swift:9: Fatal error: no such column",
  ])
  func ofALibrarysFatalErrorTheCallIsTold(line: String) throws {
    let crash = try Self.crash(line)
    #expect(crash.message?.hasPrefix("Fatal error: ") == true)
    #expect(crash.place == Self.store)
  }

  @Test func aMessageOfSeveralLinesEndsBeforeWhatOtherTestsPrint() throws {
    let crash = try Self.crash(
      "Tabs/A.swift:3: Precondition failed: first\nsecond\n✔ Test other() passed.\nthird")
    #expect(crash.message == "Precondition failed: first\nsecond")
  }

  @Test func withoutABacktraceTheMessageIsOneLineWithThePlace() throws {
    let crash = try Self.crash("Tabs/TabStore.swift:54: Fatal error\nof another test", backtrace: "")
    #expect(crash.message == "Tabs/TabStore.swift:54: Fatal error")
    #expect(crash.place == nil && crash.frames.isEmpty)
  }

  @Test func anAssertionOfCAndASignalAreToldToo() throws {
    let assertion = "tests: tabs.c:12: settle: Assertion `tab > 0' failed."
    #expect(try Self.crash(assertion).message == assertion)
    let signal = try Self.crash("some output")
    #expect(signal.message == "Program crashed: Illegal instruction at 0x00007f0")
    #expect(signal.place == Self.store)
  }

  @Test func aPrintedFatalErrorIsNotThatOfACrashOfAnotherKind() throws {
    let pointer = Self.backtrace.replacing("Illegal instruction", with: "Bad pointer dereference")
    let crash = try Self.crash("Tabs/TabStore.swift:12: Fatal error: fake", backtrace: pointer)
    #expect(crash.message == "Program crashed: Bad pointer dereference at 0x00007f0")
    #expect(crash.place == Self.store)
  }

  @Test func theLastBacktraceCountsAndOnlyThatOfItsSignal() throws {
    let helper = Self.backtrace.replacing("TabStore", with: "Helper")
    let text =
      "◇ Test run started.\nTabs/Helper.swift:1: Fatal error: helper\n\(helper)\nRegisters:\n\nBacktrace took 1s\n\nTabs/TabStore.swift:54: Fatal error: own\n\(Self.backtrace)\n"
    let output = try #require(ProcessOutput.stopped(in: Data(text.utf8)).first)
    let crash = try #require(CrashOutput(output, signals: [4]))
    #expect(crash.message == "Fatal error: own" && crash.place == Self.store)
    let killed = try #require(CrashOutput(output, signals: [9]))
    #expect(killed.message == nil && killed.place == nil && killed.frames.isEmpty)
  }

  @Test func ofManyThreadsTheCrashedOneIsKept() throws {
    let thread =
      "Thread 9 \"b\":\n\n" + String(repeating: "  0  0x0000111 wait() + 2 in libc.so.6\n", count: 6) + "\n"
    let many = Self.backtrace.replacing("Thread 3", with: String(repeating: thread, count: 100) + "Thread 3")
    let crash = try Self.crash("Tabs/TabStore.swift:54: Fatal error: nil", backtrace: many)
    #expect(crash.place == Self.store && crash.frames.count == 2)
    #expect(
      crash.backtrace.count <= 401
        && crash.backtrace.contains { $0.contains("lines of other threads left out") })
    #expect(crash.backtrace.contains { $0.contains("TabStore.address(of:)") })
  }

  @Test func whatAnEarlierTestPrintedIsNoCrashOfALaterOne() throws {
    let text = """
      Test Suite 'All tests' started at 2026
      Test Case 'M.testOne' started at 2026
      Tabs/Helper.swift:1: Fatal error: helper
      \(Self.backtrace)
      Test Case 'M.testOne' passed (0.1 seconds)
      Test Case 'M.testTwo' started at 2026
      its last words
      """
    let output = try #require(ProcessOutput.stopped(in: Data(text.utf8)).first)
    #expect(output.runningXCTest?.name == "testTwo")
    let crash = try #require(CrashOutput(output))
    #expect(crash.message == nil && crash.lastLines.last == "its last words")
  }

  @Test func aPlaceOutsideOfThePackageIsNotPointedAt() throws {
    func place(_ path: String) throws -> SourceReference? {
      var test = TestRecord(
        id: TestCaseID(module: "TabsTests", suite: ["TabTests"], name: "reminds()"), outcome: .crashed)
      let trace = Self.backtrace.replacing("/package/Sources/Tabs/TabStore.swift", with: path)
      test.crash = try Self.crash("Tabs/Gone.swift:1: Fatal error: nil", backtrace: trace)
      test.addIssueOfCrash()
      test.finish(with: [], root: SourceRoot(path: "/package"))
      return test.issues.last?.location
    }
    #expect(try place("/package/Sources/A.swift") == SourceReference(file: "Sources/A.swift", line: 54))
    let own = SourceReference(file: "Tests/TabsTests/Tab: Tests.swift", line: 19)
    for outside in ["/etc/passwd", "/package/Sources/../../secret.swift", "/packages/A.swift"] {
      #expect(try place(outside) == own, "\(outside)")
    }
  }

  @Test func outputWithoutAnEndGivesNoMessage() throws {
    let crash = try Self.crash("Tabs/TabStore.swift:54: warning: nothing", backtrace: "")
    #expect(crash.message == nil && crash.place == nil)
  }

  @Test func aHugeMessageIsCut() throws {
    let crash = try Self.crash(
      "Tabs/TabStore.swift:54: Fatal error: " + String(repeating: "x", count: 100_000))
    #expect(try #require(crash.message).utf8.count < 5000)
  }

  @Test func aCrashIsTheLastIssueAndLeadsToTheTestsLine() throws {
    var test = TestRecord(
      id: TestCaseID(module: "TabsTests", suite: ["TabTests"], name: "reminds()"), outcome: .crashed,
      issues: [TestIssue(message: "before", severity: .error, isKnown: false)])
    test.crash = try Self.crash("Tabs/TabStore.swift:54: Fatal error: nil")
    test.addIssueOfCrash()
    test.addIssueOfCrash()
    #expect(test.issues.map(\.message) == ["before", "Fatal error: nil"])
    #expect(test.issues.last?.isCrash == true && test.issues.last?.location == Self.store)
    #expect(test.issues.last?.caller?.line == 19)
    // Which of the running tests died is not known of these.
    test.issues = []
    test.outcome = .unfinished
    test.addIssueOfCrash()
    #expect(test.issues.isEmpty)
  }
}
