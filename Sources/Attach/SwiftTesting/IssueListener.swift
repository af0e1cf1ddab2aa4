import Collector
import Testing

/// Hears the issues of Swift Testing where they are recorded.
///
/// Each listener gives its test a configuration of its own, which costs time, so one around a suite serves all its
/// tests.
enum IssueListener {
  @TaskLocal private static var isListening = false

  /// Runs `body` in the scope of a test or suite and hears its issues once.
  static func listen(
    around test: Test, _ testCase: Test.Case?, for recorder: Recorder,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    if isListening { return try await body() }
    let listener = IssueHandlingTrait.compactMapIssues { issue in hear(issue, for: recorder) }
    try await listener.provideScope(for: test, testCase: testCase) {
      try await $isListening.withValue(true) { try await body() }
    }
  }

  /// Called synchronously where the issue is recorded, before any of the test is torn down.
  private static func hear(_ issue: Issue, for recorder: Recorder) -> Issue? {
    // An issue from a detached task reaches every listener; if all returned it, all would record it.
    guard Test.current != nil else { return nil }
    // An issue of a suite's own trait belongs to no test case.
    guard let scope = TestScope.task else { return issue }
    let record = RecordedIssue(issue)
    if issue.isFailure {
      EvidenceRequests(to: recorder).fail(scope, with: record, afterBody: false)
    } else {
      recorder.record(record, of: scope)
    }
    return issue
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
