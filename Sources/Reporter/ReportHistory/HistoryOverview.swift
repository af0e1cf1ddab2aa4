package struct HistoryOverview: Sendable, Equatable {
  /// Newest first.
  package var runs: [TrendRun]
  /// Tests that failed in the last run of a label that ran them.
  package var failing: [NamedPast]
  /// Tests that passed and failed on one commit and label, and do not fail now.
  package var flaky: [NamedPast]
}

package struct NamedPast: Sendable, Equatable {
  package var identity: String
  package var label: String
  package var past: TestPast
}
