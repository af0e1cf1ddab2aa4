package import Collector
package import ReportHistory
package import ReportInspection
package import ReportModel
package import ReportStory

/// The renderers' input: the report and everything looked up for it.
///
/// Keys of databases and evidence are paths in the report folder.
package struct ReportContents: Sendable {
  package var report: Report
  package var databases: [String: DatabaseInspection] = [:]
  /// Changes since the baseline.
  package var changes: [String: DatabaseChanges] = [:]
  /// Differences from a similar database of the test.
  package var differences: [String: DatabaseDifference] = [:]
  /// Findings, those caused by the test first.
  package var findings: [String: DatabaseFindings] = [:]
  /// What failed tests did to their databases.
  package var stories: [TestCaseID: Story] = [:]
  /// Data about intermediate states of databases.
  package var states: [TestCaseID: StatesData] = [:]
  package var answer: StateAnswer?
  package var archives: [String: ArchiveListing] = [:]
  /// Whether each database can be queried in the page.
  package var databasePages: [String: DatabasePages.Room] = [:]
  package var texts: [String: String] = [:]
  /// Ids of row data in `data/rows`.
  package var rowIDs: [String: String] = [:]
  /// Source lines around issues.
  package var sources: [SourceReference: SourceExcerpt] = [:]
  /// Source lines that stories name.
  package var sourceLines: [SourceReference: String] = [:]
  /// Earlier outcomes of tests that failed now or recently.
  package var pasts: [TestCaseID: TestPast] = [:]
  /// The name of the commit with whose code failed tests ran too, if so.
  package var comparedWith: String? {
    pasts.values.lazy.compactMap(\.compared).map(\.name).first
  }
  /// Suggests a `--compare-with` for failures without a pass.
  package var comparisonOffer: String?
  /// For the history page, if any.
  package var trends: Trends?
  /// Baselines that the report stores compressed.
  package var packedBaselines: Set<String> = []
  /// Of the content security policy; random unless fixed for comparing reports.
  package var nonce: String
  package var summary = SummaryOptions()
  package var editor: Editor?

  package init(report: Report, nonce: String) {
    (self.report, self.nonce) = (report, nonce)
  }

  package mutating func add(_ look: EvidenceLook, at path: String) {
    switch look {
    case .database(let inspection, let sinceBaseline):
      (databases[path], changes[path]) = (inspection, sinceBaseline)
    case .archive(let listing): archives[path] = listing
    case .text(let text): texts[path] = text
    }
  }

  /// True for a failed test without a comparable pass of it.
  package func lacksPass(_ test: TestResult) -> Bool {
    guard test.outcome.isFailure, let story = stories[test.id] else { return false }
    return story.comparison?.isOfSibling ?? true
  }

  /// A file's path in the finished report.
  func finishedPath(_ path: String) -> String { packedBaselines.contains(path) ? path + ".gz" : path }
}

package struct ReportFile: Sendable, Equatable {
  package var path: String
  package var contents: [UInt8]
}
