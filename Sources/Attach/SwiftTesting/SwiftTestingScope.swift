import Collector
import ExhibitSystem
import Testing

struct SwiftTestingScope: Sendable {
  let scope: TestScope
  let recorder: Recorder

  func run(
    _ test: Test, _ testCase: Test.Case?, _ body: @Sendable () async throws -> Void
  ) async throws {
    do {
      try await scope.run {
        try await IssueListener.listen(around: test, testCase, for: recorder, body)
      }
      finish(test, thrown: nil)
    } catch {
      finish(test, thrown: error)
      throw error
    }
  }

  private func finish(_ test: Test, thrown error: (any Error)?) {
    switch ScopeEnding(error, isCancelled: Task.isCancelled, hasTimeLimit: { test.timeLimit != nil }) {
    case .returned:
      break
    case .cancelled:
      return recorder.finish(scope, outcome: .skipped, duration: scope.age)
    case .timeLimit:
      let issue = RecordedIssue(message: "The test was stopped, probably by its time limit.")
      EvidenceRequests(to: recorder).fail(scope, with: issue, afterBody: true)
    case .failed(is ExpectationFailedError):
      // `#require` has recorded its issue.
      break
    case .failed(let error):
      let issue = RecordedIssue(message: "Caught error: \(String(describingForTest: error))")
      EvidenceRequests(to: recorder).fail(scope, with: issue, afterBody: true)
    }
    let hasFailed = scope.state.withLock { $0.hasFailed }
    recorder.finish(scope, outcome: hasFailed ? .failed : .passed, duration: scope.age)
  }
}
