import Collector
import Foundation
import Testing

/// Databases that another thread closes, and removes, while the failing test's are captured.
@Suite struct ClosingEvidenceTests {
  private static let run = Task { try await FixturePackage.recorded.test(["--filter", "ClosingXCTests"]) }

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
