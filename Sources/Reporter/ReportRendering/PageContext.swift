import Collector
package import ReportModel

/// What every part of a page needs.
package struct PageContext: Sendable {
  package var contents: ReportContents
  package var names: PageNames
  package var counts: OutcomeCounts
  var groups: [FailureGroup]
  /// New ones first, each in report order.
  var failures: [TestResult]
  /// For similar failures, the number and size of the group.
  var alike: [TestCaseID: (number: Int, total: Int)]
  /// By a comparison, baseline, or history, if any.
  var standings: TestStandings?
  /// Seconds from the first start to the last end, if known.
  var wallTime: Double?
  /// The path from the page to the report folder: empty or `../`.
  var base: String
  /// For a report in a single file.
  var single: SingleFileParts?
  /// A test whose page is embedded in this one, with its anchor.
  var part: (test: TestCaseID, anchor: String)?

  package init(_ contents: ReportContents) {
    self.contents = contents
    names = PageNames(of: contents.report.tests)
    counts = OutcomeCounts(contents.report.tests)
    let tests = contents.report.tests
    let standings = TestStandings(contents)
    let failed = tests.telling.map { tests[$0] }.filter(\.outcome.isFailure)
    func isNew(_ test: TestResult) -> Bool { standings?[test.id] == .new }
    failures = failed.filter(isNew) + failed.filter { !isNew($0) }
    let all = failureGroups(failures, contents.stories)
    groups =
      all.filter { $0.failures.contains(where: isNew) } + all.filter { !$0.failures.contains(where: isNew) }
    alike = alikeFailures(groups)
    self.standings = standings
    wallTime = ReportRendering.wallTime(of: tests)
    base = ""
  }

  var others: [TestResult] {
    let tests = contents.report.tests
    return tests.detailed.map { tests[$0] }.filter { !$0.outcome.isFailure && names.path(of: $0) != nil }
  }

  var project: String { visibleOnOneLine(shortened(contents.report.title, to: 80)) }

  func from(_ base: String) -> PageContext {
    var context = self
    context.base = base
    return context
  }

  /// A link to a report file; `nil` outside of the folder or the single file.
  func link(to path: String) -> String? {
    guard let relative = relativeLink(to: contents.finishedPath(path), from: base) else { return nil }
    guard let single else { return relative }
    return single.evidence[path]
  }

  /// A link to a test's page, if it has one.
  func link(toPageOf test: TestResult) -> String? {
    guard let path = names.path(of: test) else { return nil }
    if let part, part.test == test.id { return "#" + part.anchor }
    if let single { return single.anchors[test.id].map { "#" + $0 } }
    guard let link = relativeLink(to: path, from: base) else { return nil }
    return names.anchor(of: test.id).map { "\(link)#\($0)" } ?? link
  }

  /// The anchor of a test within another page, if so.
  func anchor(of test: TestResult) -> String? {
    if let part, part.test == test.id { return part.anchor }
    if let single { return single.anchors[test.id] }
    return names.anchor(of: test.id)
  }

  /// Values for `page.mustache`.
  func pageValues(title: String) -> TemplateValues {
    [
      "pageTitle": title, "base": base, "nonce": contents.nonce, "indexLink": indexLink, "anchor": nil,
      "isPart": false, "isSingle": single != nil, "bar": barValues(in: self), "tests": testsValues(in: self),
      "hasSQL": false, "images": nil, "hasFrames": false,
    ]
  }

  var indexLink: String { single == nil ? base + "index.html" : "#main" }
}

struct SingleFileParts: Sendable {
  /// Evidence as `data:` URLs by path.
  var evidence: [String: String]
  var anchors: [TestCaseID: String]
  /// Ids of databases' row data by path; others have only first rows.
  var rowIDs: [String: String] = [:]
  var marked: Set<TestCaseID> = []
}
