#if compiler(>=6.1)
  import Collector
  import ExhibitSystem
  public import Testing

  /// The trait that records a Swift Testing suite or test and captures its databases when it fails.
  public struct AttachOnFailureTrait: SuiteTrait, TestTrait, TestScoping {
    let evidence: [Evidence]
    let exclusions: Exclusions

    /// A suite's trait covers every test in it.
    public var isRecursive: Bool { true }

    /// Provides a scope for suites and test cases; called by Swift Testing.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      test.isSuite || testCase != nil ? self : nil
    }

    /// Hears a suite's issues or records a test case; called by Swift Testing.
    ///
    /// - Throws: The errors of `function` only.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard let recorder = Recorder.process else { return try await function() }
      guard let testCase else {
        if recorder.functions.isHeard { return try await function() }
        return try await IssueListener.listen(around: test, testCase, for: recorder, function)
      }
      if let scope = TestScope.task, scope.id.function == TestCaseID(test, case: nil) {
        // An outer suite's trait began it.
        configure(scope, recorder)
        return try await function()
      }
      if let scope = recorder.functions.scope(of: test, testCase, for: recorder) {
        configure(scope, recorder)
        return try await HeardScope(scope: scope, recorder: recorder).run(function)
      }
      let location = test.sourceLocation
      let start = TestStart(
        framework: .swiftTesting, displayName: test.displayName, file: location.path, line: location.line)
      let scope = recorder.begin(TestCaseID(numbering: testCase, of: test), start: start)
      configure(scope, recorder)
      try await SwiftTestingScope(scope: scope, recorder: recorder).run(test, testCase, function)
    }

    private func configure(_ scope: TestScope, _ recorder: Recorder) {
      guard !evidence.isEmpty || exclusions != Exclusions() else { return }
      scope.state.withLock { state in
        state.registered.append(contentsOf: evidence)
        state.exclusions.formUnion(exclusions)
      }
      recorder.logExclusions(exclusions, of: scope)
      recorder.trace.exclude(exclusions.tables)
    }
  }

  extension Trait where Self == AttachOnFailureTrait {
    /// Records the tests and captures every database that a failing one opened or used.
    ///
    /// A suite's trait covers all tests in it, also of nested suites.
    ///
    /// ```swift
    /// @Suite(.attachOnFailure) struct StoreTests { … }
    /// ```
    public static var attachOnFailure: Self { Self(evidence: [], exclusions: Exclusions()) }

    /// Records the tests and captures databases and further evidence of a failing one.
    ///
    /// ```swift
    /// @Suite(.attachOnFailure(.directory(at: storeFolder), excludingTables: ["person"])) struct StoreTests { … }
    /// ```
    ///
    /// - Parameters:
    ///   - evidence: Captured in addition to the databases.
    ///   - tables: Tables whose rows are removed from captured databases.
    ///   - files: Names of files that are left out of captured directories; `*` stands for any characters.
    public static func attachOnFailure(
      _ evidence: Evidence..., excludingTables tables: [String] = [], excludingFiles files: [String] = []
    ) -> Self {
      Self(evidence: evidence, exclusions: Exclusions(tables: Set(tables), files: files))
    }
  }
#endif
