import Collector
import Foundation
import Testing

/// Tests that fail on threads with little stack: they are captured on a thread of our own.
@Suite struct SmallStackTests {
  private static let run = Task {
    try await FixturePackage.recorded.test(["--filter", "SmallStackXCTests", "--disable-swift-testing"])
  }

  @Test(arguments: ["test16KiB", "test64KiB", "test200KiB", "testInAFunctionWithEnoughStack"])
  func theDatabaseIsCaptured(test: String) async throws {
    let run = try await Self.run.value
    let id = "ClosingTests.SmallStackXCTests/\(test)"
    #expect(run.end(of: id)?.outcome == .failed, "\(run.output)")
    #expect(run.failures(of: id) == [])
    let evidence = try #require(run.evidence(of: id).first)
    #expect(try run.value("SELECT group_concat(a) FROM t", in: evidence) == "one,two")
  }

  @Test func attachedEvidenceIsCaptured() async throws {
    let run = try await Self.run.value
    let evidence = run.evidence(of: "ClosingTests.SmallStackXCTests/testAttaching")
    #expect(try evidence.map { try run.text(of: $0) } == ["kept"], "\(run.output)")
  }

  /// Another thread would wait for the connection, which this one keeps, until the deadline.
  @Test func insideAFunctionOfSQLiteItIsLeftWithAReason() async throws {
    let run = try await Self.run.value
    let id = "ClosingTests.SmallStackXCTests/testInAFunctionWithLittleStack"
    let end = try #require(run.end(of: id), "\(run.output)")
    #expect(end.outcome == .failed)
    #expect(try #require(end.duration) < 1)
    #expect(run.issues(of: id).count == 1 && run.evidence(of: id).isEmpty)
    let failure = try #require(run.failures(of: id).first)
    #expect(failure.reason == .busy && failure.message.contains("inside a function that SQLite called"))
  }
}
