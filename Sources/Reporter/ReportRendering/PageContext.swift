import Collector
package import ReportModel

/// The data that every part of a page needs.
package struct PageContext: Sendable {
  package var contents: ReportContents
  package var names: PageNames
  package var counts: OutcomeCounts
  /// The failures, alike ones together.
  var groups: [FailureGroup]
  /// The failures in the order of the list: by place, as the report has them.
  var failures: [TestResult]
  /// By failure that is like others: the number of its group, and the group's size.
  var alike: [TestCaseID: (number: Int, total: Int)]
  /// The standings of the tests since the baseline, or by the history; `nil` without either.
  var standings: TestStandings?
  /// Seconds from the first test's start to the last one's end; `nil` where no input tells.
  var wallTime: Double?
  /// The path from the page to the report folder: empty or `../`.
  var base: String
  /// Set where all pages are parts of one file.
  var single: SingleFileParts?
  /// The test whose page is a part of this one, which is not the one file, and where it begins.
  var part: (test: TestCaseID, anchor: String)?

  /// For pages in the report folder itself.
  package init(_ contents: ReportContents) {
    self.contents = contents
    names = PageNames(of: contents.report.tests)
    counts = OutcomeCounts(contents.report.tests)
    let tests = contents.report.tests
    failures = tests.telling.map { tests[$0] }.filter(\.outcome.isFailure)
    groups = failureGroups(failures, contents.stories)
    alike = alikeFailures(groups)
    standings = contents.summary.baseline.map { TestStandings(since: $0, tests) }
    if standings == nil, !contents.pasts.isEmpty { standings = TestStandings(contents.pasts, tests) }
    wallTime = ReportRendering.wallTime(of: tests)
    base = ""
  }

  /// The tests that have pages and did not fail, in the order of the report.
  var others: [TestResult] {
    let tests = contents.report.tests
    return tests.detailed.map { tests[$0] }.filter { !$0.outcome.isFailure && names.path(of: $0) != nil }
  }

  var project: String { visibleOnOneLine(shortened(contents.report.title, to: 80)) }

  /// The same for pages in another folder.
  func from(_ base: String) -> PageContext {
    var context = self
    context.base = base
    return context
  }

  /// The reference of a file of the report; `nil` when its path leaves the report folder, or when it is not in the
  /// one file.
  func link(to path: String) -> String? {
    guard let relative = relativeLink(to: contents.finishedPath(path), from: base) else { return nil }
    guard let single else { return relative }
    return single.evidence[path]
  }

  /// The reference of a test's page; `nil` for a test without one.
  func link(toPageOf test: TestResult) -> String? {
    guard let path = names.path(of: test) else { return nil }
    if let part, part.test == test.id { return "#" + part.anchor }
    if let single { return single.anchors[test.id].map { "#" + $0 } }
    guard let link = relativeLink(to: path, from: base) else { return nil }
    return names.anchor(of: test.id).map { "\(link)#\($0)" } ?? link
  }

  /// The anchor of a test's page that is a part of another page; `nil` for one that is not.
  func anchor(of test: TestResult) -> String? {
    if let part, part.test == test.id { return part.anchor }
    if let single { return single.anchors[test.id] }
    return names.anchor(of: test.id)
  }

  /// The values for `page.mustache`.
  func pageValues(title: String) -> TemplateValues {
    [
      "pageTitle": title, "base": base, "nonce": contents.nonce, "indexLink": indexLink, "anchor": nil,
      "isPart": false, "isSingle": single != nil, "bar": barValues(in: self), "tests": testsValues(in: self),
      "hasSQL": false, "images": nil, "hasFrames": false,
    ]
  }

  /// The reference of the index.
  var indexLink: String { single == nil ? base + "index.html" : "#main" }
}

/// The contents of the one file beside the list of tests.
struct SingleFileParts: Sendable {
  /// By path in the report folder: the evidence as `data:` references.
  var evidence: [String: String]
  var anchors: [TestCaseID: String]
  /// By path in the report folder: what the rows of a database are called; those that are not here have first rows.
  var rowIDs: [String: String] = [:]
  /// The tests whose changed rows are marked.
  var marked: Set<TestCaseID> = []
}
