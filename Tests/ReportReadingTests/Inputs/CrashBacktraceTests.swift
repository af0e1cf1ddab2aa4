import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading

@Suite struct CrashBacktraceTests {
  private let backtrace = SwiftTestOutput(
    LoadedFile(
      name: "o", path: "/o",
      bytes: Data(
        """
        *** Program crashed: Illegal instruction at 0x00007f8631f6df7f ***

        Thread 0 "main":

          0      0x00007f8630892301 Orders.other() + 65 in Tests.xctest at /package/Cases.swift:9:1

        Thread 4 "oot.default-qos" crashed:

          0                  0x00007f8631f6df7f _assertionFailure(_:_:file:line:flags:) + 623 in libswiftCore.so
          3 [ra]             0x0000559fe0e5e5cd Orders.Inner.crash(in:) + 556 in Tests.xctest at /package/in a/Cases.swift:74:13
          4 [ra]             0x0000559fe0e5e5cd OrderTests.testCrash() + 556 in Tests.xctest at /package/Cases.swift:74:13
          5 [async]          0x0000559fe0e4eb50 (1) suspend resume partial function for waits() in Tests.xctest

        Registers:

        rax 0x0000000000000000 Orders.afterwards() + 1 in Tests.xctest
        """.utf8))
  ).backtraces[0]

  @Test(arguments: [
    TestCaseID(module: "M", suite: ["Orders", "Inner"], name: "crash(in:)"),
    TestCaseID(module: "M", suite: ["OrderTests"], name: "testCrash"),
    TestCaseID(module: "M", suite: [], name: "waits()"),
  ])
  func aFunctionOfTheCrashedThreadIsNamed(test: TestCaseID) {
    #expect(backtrace.names(test))
  }

  @Test(arguments: [
    TestCaseID(module: "M", suite: ["Orders"], name: "other()"),
    TestCaseID(module: "M", suite: ["Inner"], name: "crash(in:)"),
    TestCaseID(module: "M", suite: ["Orders"], name: "afterwards()"),
    TestCaseID(module: "M", suite: [], name: "crash(in:)"),
  ])
  func anotherFunctionIsNot(test: TestCaseID) {
    #expect(!backtrace.names(test))
  }

  @Test func theNamedTestCrashedAndTheOthersAreUnfinished() {
    var input = InputTests(kind: .eventStream, name: "events", endedProperly: false)
    input.observations = ["crash(in:)", "other()"].map {
      Observation(id: TestCaseID(module: "M", suite: ["Orders", "Inner"], name: $0), outcome: .unfinished)
    }
    input.applyBacktrace(backtrace)
    #expect(input.observations.map(\.outcome) == [.crashed, .unfinished])
  }
}
