import Collector
import Testing

@testable import Attach

/// How a test case of Swift Testing is recorded.
@Suite struct SwiftTestingScopeTests {
  private struct Refused: Error {}

  private let process: RecordedProcess
  private let scope: TestScope

  init() throws {
    process = try RecordedProcess()
    scope = process.begin("a()")
  }

  private func run(_ body: @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current)
    try await SwiftTestingScope(scope: scope, recorder: process.recorder).run(test, Test.Case.current, body)
  }

  private func outcomes() throws -> [TestEnd.Outcome] {
    try process.events(of: scope.id).compactMap {
      if let end = $0 as? TestEnd { end.outcome } else { nil }
    }
  }

  private func issues() throws -> [RecordedIssue] {
    try process.events(of: scope.id).compactMap { $0 as? RecordedIssue }
  }

  @Test func theBodyRunsInItsScope() async throws {
    let scope = scope
    try await run { #expect(TestScope.running === scope) }
    #expect(TestScope.task == nil)
    #expect(try outcomes() == [.passed])
    #expect(try issues() == [])
  }

  @Test func anErrorFailsItAndIsHandedOn() async throws {
    await #expect(throws: Refused.self) { try await run { throw Refused() } }
    #expect(try outcomes() == [.failed])
    #expect(try issues().map(\.message) == ["Caught error: Refused()"])
  }

  @Test func aKnownIssueFailsNothing() async throws {
    try await run { withKnownIssue { Issue.record("known") } }
    #expect(try outcomes() == [.passed])
    #expect(try issues().map(\.known) == [true])
  }

  @Test func aCancelledBodyIsSkipped() async throws {
    let (scope, recorder) = (scope, process.recorder)
    let test = try #require(Test.current)
    let testCase = Test.Case.current
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await SwiftTestingScope(scope: scope, recorder: recorder).run(test, testCase) {
        throw CancellationError()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try outcomes() == [.skipped])
  }
}
