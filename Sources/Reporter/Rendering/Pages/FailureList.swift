import Collector

/// Failures on one page of the list; the index is the first.
let failuresOnAPage = 500

/// Groups whose first failure is shown with everything it says; those behind have a few lines.
private let mostGroupsInFull = 20

/// Failures of a group that are listed before the rest is folded.
private let mostListed = 5

/// What the template `failures` asks for: the groups of one page.
func failureListValues(_ groups: [FailureGroup], in context: PageContext) -> [TemplateValues] {
  groups.enumerated().compactMap { index, group in
    guard let first = group.failures.first else { return nil }
    let others = group.failures.dropFirst().map { failureRowValues($0, besides: first, in: context) }
    return [
      "count": group.total > 1 ? counted(group.total, "failure") : nil,
      "relation": group.relation,
      "first": failureValues(first, inFull: index < mostGroupsInFull, in: context),
      "listed": Array(others.prefix(mostListed)),
      "hasOthers": !others.isEmpty,
      "folded": others.count > mostListed
        ? [
          "title": counted(others.count - mostListed, "more failure"),
          "list": Array(others.dropFirst(mostListed)),
        ] as TemplateValues : nil,
    ]
  }
}

private func failureValues(_ test: TestResult, inFull: Bool, in context: PageContext) -> TemplateValues {
  [
    "outcome": test.outcome.values, "name": test.nameValues, "page": context.link(toPageOf: test),
    "path": test.id.path.map(visibleOnOneLine).joined(separator: " / "),
    "duration": test.duration.flatMap(durationText),
    "location": (test.leadingIssue?.location ?? test.location).map { visibleOnOneLine($0.text) },
    "remark": remark(on: test),
    "summary": test.leadingIssue.map {
      inFull ? leadingIssueValues($0, in: context) : issueSummaryValues($0)
    },
    "moreIssues": test.issues.count > 1 ? counted(test.issues.count - 1, "more issue") : nil,
    "evidence": evidenceLinksValues(of: test, in: context),
  ]
}

/// A failure that is like one that is shown already.
private func failureRowValues(
  _ test: TestResult, besides first: TestResult, in context: PageContext
) -> TemplateValues {
  let message = test.leadingIssue?.message
  return [
    "outcome": test.outcome.values, "name": test.nameValues, "page": context.link(toPageOf: test),
    "remark": message == first.leadingIssue?.message
      ? nil : message.map(glance),
    "duration": test.duration.flatMap(durationText),
    "evidence": evidenceLinksValues(of: test, in: context),
  ]
}

// MARK: - Paging

/// The path of a page of the list of failures, from 1.
func failurePagePath(_ number: Int) -> String {
  number == 1 ? "index.html" : "failures-\(number).html"
}

/// What the template `paging` asks for; `nil` when one page holds all failures.
func pagingValues(page: Int, of count: Int, failures: Int) -> TemplateValues? {
  guard count > 1 else { return nil }
  let first = (page - 1) * failuresOnAPage + 1
  let last = min(failures, page * failuresOnAPage)
  return [
    "range": "Failures \(grouped(first)) to \(grouped(last)) of \(grouped(failures))",
    "previous": page > 1 ? failurePagePath(page - 1) : nil,
    "next": page < count ? failurePagePath(page + 1) : nil,
  ]
}

/// What `failures-page.mustache` asks for: a page of the list behind the index.
func failurePageValues(
  _ pages: [[FailureGroup]], number: Int, failures: Int, in context: PageContext
) -> TemplateValues {
  let title = visibleOnOneLine(shortened(context.contents.report.title, to: 80))
  var values = context.pageValues(title: "Failures, page \(number) of \(pages.count) · \(title)")
  values.set("reportTitle", to: title)
  values.set("groups", to: failureListValues(pages[number - 1], in: context))
  values.set("paging", to: pagingValues(page: number, of: pages.count, failures: failures))
  return values
}
