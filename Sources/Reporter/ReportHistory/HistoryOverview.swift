/// An overview of all tests of a history.
package struct HistoryOverview: Sendable, Equatable {
  /// Newest first.
  package var runs: [TrendRun]
  /// The tests that failed in the last run of a label that had them, by identity and label.
  package var failing: [NamedPast]
  /// The tests that passed and failed on one commit and label, and do not fail now.
  package var flaky: [NamedPast]
}

package struct NamedPast: Sendable, Equatable {
  package var identity: String
  package var label: String
  package var past: TestPast
}
