package import Collector
package import ReportHistory
package import ReportInspection
package import ReportModel
package import ReportStory

/// The input of the renderers: the report and what was looked up for it, all values.
package struct ReportContents: Sendable {
  package var report: Report
  /// By the evidence's path in the report folder.
  package var databases: [String: DatabaseInspection] = [:]
  /// By the evidence's path: what changed since the state that the test started from.
  package var changes: [String: DatabaseChanges] = [:]
  /// By the evidence's path: what tells it from another database of its test that is like it.
  package var differences: [String: DatabaseDifference] = [:]
  /// By the evidence's path: what is suspicious in it, what the test brought first.
  package var findings: [String: DatabaseFindings] = [:]
  /// The stories of what failed tests did to their databases.
  package var stories: [TestCaseID: Story] = [:]
  /// The data about states of failed tests' databases for pages; without values where those are left out.
  package var states: [TestCaseID: StatesData] = [:]
  /// The answer to a question about a story's states.
  package var answer: StateAnswer?
  /// By the evidence's path in the report folder.
  package var archives: [String: ArchiveListing] = [:]
  /// By a database's path in the report folder: whether it can be asked in SQL; empty without rows.
  package var databasePages: [String: DatabasePages.Room] = [:]
  /// By the evidence's path: what a text evidence says, cut to a limit.
  package var texts: [String: String] = [:]
  /// By a database's path in the report folder: what its rows in `data/rows` are called; empty without rows.
  package var rowIDs: [String: String] = [:]
  /// Source lines around the places that issues name.
  package var sources: [SourceReference: SourceExcerpt] = [:]
  /// The text of the source lines that stories name.
  package var sourceLines: [SourceReference: String] = [:]
  /// The outcomes in earlier runs, for tests that failed now or lately.
  package var pasts: [TestCaseID: TestPast] = [:]
  /// What `--compare-with` may take for failed tests without a pass; `nil` where that is not known.
  package var comparisonOffer: String?
  /// The trends of the history, for a page of its own; `nil` without a history.
  package var trends: Trends?
  /// Paths of the baselines that go into the report packed; until it is rendered they lie there as they are, too.
  package var packedBaselines: Set<String> = []
  /// The nonce of the content security policy; random unless fixed for a comparison.
  package var nonce: String
  /// The options of the summary.
  package var summary = SummaryOptions()
  /// The editor that places in the sources open; `nil` unless one was asked for.
  package var editor: Editor?

  /// With nothing looked up yet.
  package init(report: Report, nonce: String) {
    (self.report, self.nonce) = (report, nonce)
  }

  /// True for a failed test with a story that is compared with no pass of it.
  package func lacksPass(_ test: TestResult) -> Bool {
    guard test.outcome.isFailure, let story = stories[test.id] else { return false }
    return story.comparison?.isOfSibling ?? true
  }

  /// The path that a file has in the finished report.
  func finishedPath(_ path: String) -> String { packedBaselines.contains(path) ? path + ".gz" : path }
}

/// A file of the report: what every renderer returns and one place writes.
package struct ReportFile: Sendable, Equatable {
  /// Relative to the report folder.
  package var path: String
  package var contents: [UInt8]
}
