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

  @Test func withoutABacktraceThePlaceIsWhatTheMessageSays() throws {
    let crash = try Self.crash("Tabs/TabStore.swift:54: Fatal error", backtrace: "")
    #expect(crash.message == "Fatal error")
    #expect(crash.place == SourceReference(file: "Tabs/TabStore.swift", line: 54))
    #expect(crash.frames.isEmpty)
  }

  @Test func anAssertionOfCAndASignalAreToldToo() throws {
    let assertion = "tests: tabs.c:12: settle: Assertion `tab > 0' failed."
    #expect(try Self.crash(assertion).message == assertion)
    let signal = try Self.crash("some output")
    #expect(signal.message == "Program crashed: Illegal instruction at 0x00007f0")
    #expect(signal.place == Self.store)
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
