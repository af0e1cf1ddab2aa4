import Collector

/// What the renderers take: the report and what was looked up for it, all values.
struct ReportContents: Sendable {
  var report: Report
  /// By the evidence's path in the report folder.
  var databases: [String: DatabaseInspection]
  /// By the evidence's path: what changed since the state that the test started from.
  var changes: [String: DatabaseChanges] = [:]
  /// By the evidence's path: what tells it from another database of its test that is like it.
  var differences: [String: DatabaseDifference] = [:]
  /// By the evidence's path: what is suspicious in it, what the test brought first.
  var findings: [String: DatabaseFindings] = [:]
  /// What failed tests did to their databases.
  var stories: [TestCaseID: Story] = [:]
  /// What pages need for the states of failed tests' databases; without values where those are left out.
  var states: [TestCaseID: StatesData] = [:]
  /// What was asked for of a story's states.
  var answer: StateAnswer?
  /// By the evidence's path in the report folder.
  var archives: [String: ArchiveInspection]
  /// By a database's path in the report folder: whether it can be asked in SQL; empty without rows.
  var databasePages: [String: DatabasePages.Room] = [:]
  /// By the evidence's path: what a text evidence says, cut to a limit.
  var texts: [String: String]
  /// By a database's path in the report folder: what its rows in `data/rows` are called; empty without rows.
  var rowIDs: [String: String] = [:]
  /// Source lines around the places that issues name.
  var sources: [SourceReference: SourceExcerpt]
  /// The nonce of the content security policy; random unless fixed for a comparison.
  var nonce: String
  /// What the summary is told beside the report.
  var summary = SummaryOptions()
}

/// A file of the report: what every renderer returns and one place writes.
struct ReportFile: Sendable, Equatable {
  /// Relative to the report folder.
  var path: String
  var contents: [UInt8]
}
