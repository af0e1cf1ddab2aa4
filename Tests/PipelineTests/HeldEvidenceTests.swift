import Collector
import Foundation
import Testing

/// Databases that were closed, or deleted, before anybody knew that their test fails.
@Suite struct HeldEvidenceTests {
  private func run() async throws -> FixtureRun { try await RecordedRun.serial.run() }
  private static let players = "SELECT group_concat(name) FROM player"

  @Test(arguments: [
    ("ClosedXCTests/testThrowsWithALocalDatabaseInMemory", "in-memory", "thrown in memory"),
    ("ClosedXCTests/testThrowsAndRemovesItsFolder", "removed.sqlite", "removed"),
    ("ClosedXCTests/testClosesBeforeItFails", "in-memory", "closed early"),
    ("ClosedXCTests/testReopensItsDatabase", "reopened.sqlite", "first,second"),
    ("ClosedTraitTests/throwsAtItsEnd()", "suite.sqlite", "suite"),
    ("ClosedTraitTests/throwsAtItsEnd()", "in-memory", "suite memory"),
    ("ClosedTraitTests/throwsInParallel(number:) (0)", "suite.sqlite", "number 0"),
    ("ClosedTraitTests/throwsInParallel(number:) (8)", "suite.sqlite", "number 8"),
  ])
  func itIsCapturedAsItWasWhenItWasClosed(test: String, name: String, players: String) async throws {
    let run = try await run()
    let evidence = try #require(run.evidence(of: "ClosedTests.\(test)").first { $0.name == name })
    #expect(try run.value(Self.players, in: evidence) == players)
    #expect(evidence.database?.method == .held)
    #expect(run.failures(of: "ClosedTests.\(test)").isEmpty)
  }

  @Test func testsThatPassLeaveNothing() async throws {
    let run = try await run()
    for test in [
      "ClosedXCTests/testPassesAndRemovesItsFolder", "ClosedTraitTests/throwsInParallel(number:) (1)",
    ] {
      #expect(run.end(of: "ClosedTests.\(test)")?.outcome == .passed)
      #expect(run.evidence(of: "ClosedTests.\(test)").isEmpty)
    }
  }
}
