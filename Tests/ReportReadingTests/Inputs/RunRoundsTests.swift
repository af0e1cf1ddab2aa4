import Testing

@testable import ReportReading

/// Which invocations and logs of a run belong to the run itself, and which to tests that ran again.
@Suite struct RunRoundsTests {
  private func rounds(_ told: [String: InvocationRound]) -> RunRounds {
    RunRounds(["inputs", "inputs-2", "inputs-3", "inputs-4"]) { told[$0] }
  }

  @Test func logsBelongToTheInvocationThatMadeThem() {
    let rounds = rounds([
      "inputs-2": InvocationRound(round: 1, earlierLogs: ["a", "b"]),
      "inputs-3": InvocationRound(round: 2, earlierLogs: ["a", "b", "c"]),
      "inputs-4": InvocationRound(round: 0, earlierLogs: ["a", "b", "c", "d"]),
    ])
    #expect(["a", "b", "c", "d", "e"].map(rounds.round(ofLog:)) == [0, 0, 1, 2, 0])
    #expect(rounds.numbers == [0, 1, 2])
    #expect(rounds.folders(of: 0) == ["inputs", "inputs-4"])
    #expect(rounds.folders(of: 2) == ["inputs-3"])
  }

  @Test func invocationsThatTellNothingAreTheRunItself() {
    let rounds = rounds([:])
    #expect(rounds.numbers == [0] && rounds.folders(of: 0).count == 4)
    #expect(rounds.round(ofLog: "a") == 0)
  }

  @Test func aNegativeRoundIsTheRunItself() {
    let rounds = rounds(["inputs-2": InvocationRound(round: -7, earlierLogs: [])])
    #expect(rounds.numbers == [0])
  }
}
