import Collector
import ReportHistory
import ReportModel

/// Where the page of trends leads to: the tests' pages of a report, and commits in the repository.
package struct TrendLinks: Sendable {
  private var repository: Repository?
  private var pages: [TrendTestName: String] = [:]

  package init(repository: Repository? = nil) { self.repository = repository }

  /// - Parameter context: Of a page beside the report's first one.
  init(_ context: PageContext) {
    self.init(repository: context.contents.summary.repository)
    let tests = context.contents.report.tests
    let linked = tests.telling.lazy.compactMap { place in
      context.link(toPageOf: tests[place]).map { (name: TrendTestName(tests[place].id), link: $0) }
    }
    // Of names that were cut to the same nobody knows which test is meant.
    pages = Dictionary(grouping: linked, by: \.name).compactMapValues { $0.count == 1 ? $0[0].link : nil }
  }

  /// A link to the test's page, if the report has one.
  func page(of test: TrendTestName) -> String? { pages[test] }

  /// Values for template `commit`: a run's commit, or else when it began, with a link to the commit or the CI job.
  func values(_ run: HistoryRun, text: String) -> TemplateValues {
    let commit = run.commit.flatMap { repository?.link(toCommit: $0) }
    return [
      "text": visibleOnOneLine(shortened(text, to: 80)), "isHash": run.commit != nil,
      "link": commit ?? run.address.flatMap(webLink),
    ]
  }
}

extension Repository {
  /// A commit's address.
  ///
  /// GitLab redirects GitHub's form, so unknown hosts get that.
  func link(toCommit hash: String) -> String? {
    guard hash.isCommitHash, let address = webLink(url) else { return nil }
    return address + (isOnGitLab ? "/-/commit/" : "/commit/") + hash
  }
}
