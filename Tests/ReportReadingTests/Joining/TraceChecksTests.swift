import Collector
import Testing

@testable import ReportModel
@testable import ReportReading

/// Steps that test processes could keep in memory only are told of once for a run.
@Suite struct TraceChecksTests {
  private func notices(_ traces: [LoggedTrace]) -> [String] {
    var run = RunInputs(RunID(name: "run"))
    run.inputs = [InputTests(kind: .log, name: "logs", tracesInMemory: traces)]
    var remarks = Remarks()
    RunChecks.checkTraces([run], &remarks)
    #expect(remarks.faults.isEmpty && remarks.notices.allSatisfy { $0.kind == "traceInMemory" })
    return remarks.notices.map(\.message)
  }

  private func trace(
    _ reason: TraceInMemory.Reason, isLost: Bool = false, _ message: String = "Why."
  ) -> LoggedTrace {
    LoggedTrace(trace: TraceInMemory(reason: reason, message: message), isLost: isLost)
  }

  @Test func eachReasonIsToldOnce() {
    #expect(notices([]) == [])
    #expect(
      notices([trace(.io)]) == [
        "A test process could keep its steps in memory only, so that a crash would have left none. Why."
      ])
    let many = Array(repeating: trace(.copiesOnWrite), count: 200) + [trace(.tooLittleFree)]
    #expect(notices(many).count == 2)
    #expect(notices(many)[0].hasPrefix("200 test processes could keep their steps in memory only"))
  }

  @Test func passesThatWereLeftOutAreCounted() {
    func notices(_ leftOut: [PassesLeftOut]) -> [String] {
      var run = RunInputs(RunID(name: "run"))
      run.inputs = [InputTests(kind: .log, name: "logs", passesLeftOut: leftOut)]
      var remarks = Remarks()
      RunChecks.checkPasses([run], &remarks)
      #expect(remarks.faults.isEmpty && remarks.notices.allSatisfy { $0.kind == "passesLeftOut" })
      return remarks.notices.map(\.message)
    }
    #expect(notices([]) == [])
    let one = PassesLeftOut(tests: 1, reason: .io, message: "Why.")
    #expect(notices([one]) == ["The pass of 1 test was not recorded: Why."])
    let many = PassesLeftOut(tests: 1999, reason: .io, message: "Other.")
    let full = PassesLeftOut(tests: .max, reason: .overBudget, message: "Full.")
    #expect(notices([one, full, many, full]).count == 2)
    #expect(notices([one, many]) == ["The passes of 2,000 tests were not recorded: Why."])
  }

  @Test func whatDiedComesFirst() {
    let traces = [trace(.io), trace(.io, isLost: true, "Of the dead one."), trace(.io)]
    #expect(
      notices(traces) == [
        "3 test processes could keep their steps in memory only, so that the one that died left none. "
          + "Of the dead one."
      ])
    #expect(notices(Array(repeating: trace(.io, isLost: true), count: 2))[0].contains("the 2 that died"))
  }
}
