import Collector
import Testing

/// Runs one test case of Swift Testing and listens to the issues it records.
struct SwiftTestingScope: Sendable {
  let scope: TestScope
  let recorder: Recorder

  func run(
    _ test: Test, _ testCase: Test.Case?, _ body: @Sendable () async throws -> Void
  ) async throws {
    let listener = IssueHandlingTrait.compactMapIssues { issue in hear(issue) }
    do {
      try await listener.provideScope(for: test, testCase: testCase) {
        try await TestScope.$task.withValue(scope) { try await body() }
      }
      finish(test, thrown: nil)
    } catch {
      finish(test, thrown: error)
      throw error
    }
  }

  /// Called synchronously where the issue is recorded, before anything of the test is torn down.
  private func hear(_ issue: Issue) -> Issue? {
    // An issue from a detached task reaches every listener; returned by all it would be recorded by all.
    guard Test.current != nil else { return nil }
    let record = RecordedIssue(issue)
    if issue.isFailure {
      recorder.fail(scope, with: record, afterBody: false)
    } else {
      recorder.note(record, for: scope)
    }
    return issue
  }

  private func finish(_ test: Test, thrown error: (any Error)?) {
    switch ScopeEnding(error, isCancelled: Task.isCancelled, hasTimeLimit: { test.timeLimit != nil }) {
    case .returned:
      break
    case .cancelled:
      return recorder.finish(scope, outcome: .skipped, duration: nil)
    case .timeLimit:
      let issue = RecordedIssue(message: "The test was stopped, probably by its time limit.")
      recorder.fail(scope, with: issue, afterBody: true)
    case .failed(is ExpectationFailedError):
      // #require has recorded its issue where it stood.
      break
    case .failed(let error):
      let issue = RecordedIssue(message: "Caught error: \(String(describingForTest: error))")
      recorder.fail(scope, with: issue, afterBody: true)
    }
    let hasFailed = scope.state.withLock { $0.hasFailed }
    recorder.finish(scope, outcome: hasFailed ? .failed : .passed, duration: nil)
  }
}

extension RecordedIssue {
  init(_ issue: Issue) {
    let comments = issue.comments.map(\.rawValue)
    self.init(
      severity: issue.severity == .warning ? .warning : .error,
      known: issue.severity != .warning && !issue.isFailure,
      message: ([issue.kind.description] + comments).joined(separator: "\n"),
      file: issue.sourceLocation?.filePath, line: issue.sourceLocation?.line)
  }
}
