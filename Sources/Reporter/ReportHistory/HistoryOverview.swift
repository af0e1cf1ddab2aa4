package struct HistoryOverview: Sendable, Equatable {
  /// Newest first.
  package var runs: [TrendRun]
  /// Tests that failed in the last run of a label that ran them, and are not flaky.
  package var failing: [NamedPast]
  /// Tests that passed and failed on one commit and label lately, and do not go on failing.
  package var flaky: [NamedPast]
}

package struct NamedPast: Sendable, Equatable {
  package var identity: String
  package var label: String
  package var past: TestPast
}
