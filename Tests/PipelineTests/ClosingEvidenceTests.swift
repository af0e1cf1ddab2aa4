import Collector
import Foundation
import Testing

/// Databases that another thread closes, and removes, while the failing test's are captured.
@Suite struct ClosingEvidenceTests {
  private static let run = Task {
    try await FixturePackage.recorded.testXCTestsDirectly(["ClosingTests.ClosingXCTests"])
  }

  /// The range of copies of each: what is closed right after it was listed may not be listed twice.
  @Test(arguments: [
    "testTheLastFile", "testTheLastFileInWALMode", "testTheLastInMemory", "testTheLastIsRemovedToo",
    "testAllFiles", "testAllInMemory", "testAllAreRemovedToo",
  ])
  func eachIsCapturedOnce(test: String) async throws {
    let run = try await Self.run.value
    let id = "ClosingTests.ClosingXCTests/\(test)"
    #expect(run.failures(of: id) == [])
    let numbers = try run.evidence(of: id).map { try run.value("SELECT a FROM t", in: $0) ?? "" }
    #expect(numbers.compactMap(Int.init).sorted() == Array(0..<20))
  }

  @Test func aDeletedDatabaseThatIsOpenKeepsItsName() async throws {
    let run = try await Self.run.value
    let id = "ClosingTests.ClosingXCTests/testOneIsDeletedAndStaysOpen"
    #expect(run.failures(of: id) == [])
    let evidence = try #require(run.evidence(of: id).first { $0.name == "7.db" })
    #expect(evidence.source?.hasSuffix("/7.db") == true)
    #expect(try run.value("SELECT a FROM t", in: evidence) == "7")
    #expect(run.evidence(of: id).count == 20)
  }

  /// Captures of a failure may wait for two seconds together; each of 24 for itself would take 48, and a busy machine a
  /// few more.
  @Test func aFolderOfLockedDatabasesIsWaitedForOnce() async throws {
    let run = try await FixturePackage.recorded.testXCTestsDirectly(["ClosingTests.LockedFolderXCTests"])
    let id = "ClosingTests.LockedFolderXCTests/testAllAreLocked"
    let duration = try #require(run.end(of: id)?.duration, "\(run.output)")
    #expect(duration > 1.5 && duration < 24, "\(run.output)")
    let archive = try #require(run.evidence(of: id).first?.archive)
    #expect(archive.skipped.count == 24, "\(archive)")
  }

  @Test func registeredConnectionsAreCapturedUnderTheirNames() async throws {
    let run = try await Self.run.value
    let id = "ClosingTests.ClosingXCTests/testARegisteredConnection"
    #expect(run.failures(of: id) == [])
    let evidence = run.evidence(of: id)
    let registered = try evidence.filter { $0.name == "registered" }.map {
      try run.value("SELECT a FROM t", in: $0)
    }
    #expect(registered == ["19"])
    let numbers = try Set(evidence.map { try run.value("SELECT a FROM t", in: $0) ?? "" })
    #expect(numbers.count == 20)
  }
}
