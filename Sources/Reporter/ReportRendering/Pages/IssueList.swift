import Collector
import ReportModel

/// The issues of a test, equal ones as one: the first for its page, the rest for a file of data beside it.
struct IssueList {
  struct Entry {
    var issue: TestIssue
    /// Where the first stands among all issues of the test, from 1.
    var number: Int
    /// How many are equal.
    var count: Int

    /// Such as `7`, or `7, 12 times`.
    var numbering: String { count == 1 ? "\(number)" : "\(number), \(grouped(count)) times" }
  }

  private static let mostOnAPage = 100

  /// Those that the page shows whole.
  var leading: ArraySlice<Entry>
  var further: ArraySlice<Entry>

  init(_ issues: [TestIssue]) {
    struct Key: Hashable {
      var message: String
      var location: SourceReference?
      var isFailure: Bool
      var isKnown: Bool
    }
    let groups = issues.enumerated().groups { _, issue in
      Key(message: issue.message, location: issue.location, isFailure: issue.isFailure, isKnown: issue.isKnown)
    }
    let entries = groups.map { Entry(issue: $0[0].element, number: $0[0].offset + 1, count: $0.count) }
    leading = entries.prefix(Self.mostOnAPage)
    further = entries.dropFirst(Self.mostOnAPage)
  }

  /// How many issues, equal ones each, the page does not show.
  var furtherCount: Int { further.reduce(0) { $0 + $1.count } }
}

/// What the page says of the issues that it does not show; `nil` where it shows all.
func furtherIssuesValues(
  of test: TestResult, _ issues: IssueList, in context: PageContext
) -> TemplateValues? {
  guard !issues.further.isEmpty else { return nil }
  let path = furtherIssuesPath(of: test, in: context)
  let isBeside = path != nil && context.single == nil
  return [
    "count": counted(issues.furtherCount, "more issue"),
    "data": isBeside ? path.flatMap { relativeLink(to: $0, from: context.base) } : nil,
    "place": path.map { "\($0) and report.json" } ?? "report.json",
  ]
}

/// Where the report has them; `nil` for a test without a page.
private func furtherIssuesPath(of test: TestResult, in context: PageContext) -> String? {
  context.names.stem(of: test).map { "data/issues/\($0).js" }
}

/// The issues that a test's page does not show, for `issues.js`; `nil` where it shows all.
///
/// It calls `exhibit.addIssues([…])` with a row for each: its style, its label and number, its place or 0, its
/// message.
func furtherIssuesFile(of test: TestResult, in context: PageContext) -> ReportFile? {
  // Equal issues are one entry, so fewer issues have no further ones.
  guard let path = furtherIssuesPath(of: test, in: context) else { return nil }
  let further = IssueList(test.issues).further
  guard !further.isEmpty else { return nil }
  var rows = JSONText(.script)
  rows.array(nil, Array(further)) { rows, entry in
    rows.array { row in
      row.element(entry.issue.style)
      row.element("\(entry.issue.label) \(entry.numbering)")
      let place = entry.issue.location.map { visibleOnOneLine($0.text) }
      if let place { row.element(place) } else { row.element(0) }
      row.element(visible(shortened(entry.issue.message, to: longestFurtherMessage)))
    }
  }
  return ReportFile(
    path: path, contents: Array("exhibit.addIssues(".utf8) + rows.take() + Array(");\n".utf8))
}

/// Scalars of a message; the whole is in `report.json`.
private let longestFurtherMessage = 4000
