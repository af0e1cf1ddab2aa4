import Collector
import Testing

#if compiler(>=6.3)
  /// Hears issues of Swift Testing where they are recorded; one listener around a suite serves all its tests.
  enum IssueListener {
    @TaskLocal private static var isListening = false

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

    /// Called synchronously, before teardown.
    private static func hear(_ issue: Issue, for recorder: Recorder) -> Issue? {
      // Every listener would record a detached task's issue.
      guard Test.current != nil else { return nil }
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
        file: issue.sourceLocation?.path, line: issue.sourceLocation?.line)
    }
  }
#else
  /// Hears no issues, as nobody says how severe one is: events tell them, and errors that tests throw.
  enum IssueListener {
    static func listen(
      around test: Test, _ testCase: Test.Case?, for recorder: Recorder,
      _ body: @Sendable () async throws -> Void
    ) async throws {
      try await body()
    }
  }
#endif
