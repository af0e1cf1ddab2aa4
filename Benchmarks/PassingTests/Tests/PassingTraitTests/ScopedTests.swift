import GRDB
import Meter
import Testing

/// A trait that does nothing but what every recording trait must: stand around the test and listen to its issues.
private struct ListeningTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let listener = IssueHandlingTrait.compactMapIssues { $0 }
    try await listener.provideScope(for: test, testCase: testCase) { try await function() }
  }
}

@Suite(ListeningTrait(), .serialized) private struct ListenedTests {
  @Test(arguments: 0..<500) func listened(number: Int) throws { try insertTenRows() }
}
