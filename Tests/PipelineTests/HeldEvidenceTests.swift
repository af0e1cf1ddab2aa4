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

  /// The app finds as many descriptors as it would without us, save those in reserve; the test asks.
  @Test(arguments: [
    ("testFewDescriptors", 60, "few file descriptors left"), ("testMany", 135, "128 are held"),
  ])
  func whatCannotBeHeldAnyMoreIsNamed(test: String, count: Int, reason: String) async throws {
    let run = try await run()
    let id = "ConnectionTests.ManyDatabasesTests/\(test)"
    #expect(run.issues(of: id).map(\.message) == ["failed - after all of them were removed"])
    let evidence = run.evidence(of: id)
    #expect(!evidence.isEmpty && evidence.count < count)
    for each in evidence {
      #expect(each.database?.method == .held)
      #expect(try run.value("SELECT text FROM note", in: each) == each.name)
    }
    let failures = run.failures(of: id)
    #expect(failures.map(\.reason) == [.closed])
    let message = try #require(failures.first?.message)
    #expect(message.hasPrefix("\(count - evidence.count) databases were closed"))
    #expect(message.contains(reason))
  }

  @Test func theAppsLastDescriptorsStayItsOwn() async throws {
    let run = try await run()
    let test = "ConnectionTests.ConnectionTests/testNoDescriptorsLeft"
    #expect(run.issues(of: test).map(\.message) == ["failed - without descriptors"])
    #expect(run.evidence(of: test).isEmpty)
    let failures = run.failures(of: test)
    #expect(failures.map(\.reason) == [.io])
    #expect(failures.first?.message.contains("almost no file descriptors left") == true)
    #expect(failures.first?.bytes == 8192)
  }
}
