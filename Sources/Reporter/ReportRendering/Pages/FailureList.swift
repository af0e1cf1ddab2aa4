import Collector
import ReportModel

/// Failures per page of the list; the index is the first.
let failuresOnAPage = 500

func failurePageCount(_ failures: Int) -> Int {
  max(1, partCount(failures, of: failuresOnAPage))
}

/// Values for template `failures`, page from 1.
func failureListValues(page: Int, in context: PageContext) -> [TemplateValues] {
  let failures = context.failures.dropFirst((page - 1) * failuresOnAPage).prefix(failuresOnAPage)
  return grouped(failures) { $0.module == $1.module && $0.suite == $1.suite }.map { place in
    [
      "place": place.first.map { visibleOnOneLine(shortened($0.id.path.joined(separator: " / "), to: 400)) },
      "list": place.map { failureValues($0, in: context) },
    ]
  }
}

/// Values for template `failure`.
private func failureValues(_ test: TestResult, in context: PageContext) -> TemplateValues {
  [
    "outcome": test.outcome.values, "name": test.nameValues, "page": context.link(toPageOf: test),
    "glance": test.leadingIssue.map {
      withoutWhatAllSay(glance($0, context.contents.sources))
    } ?? remark(on: test),
    "alike": context.alike[test.id].map { grouped($0.total) },
    "standing": context.standings?[test.id].map { $0.values($0.rawValue) },
    "past": context.contents.pasts[test.id]?.smallValues,
  ]
}

private func withoutWhatAllSay(_ message: String) -> String {
  guard message.hasPrefix("XCTAssert") || message.hasPrefix("Expectation failed: "),
    let end = message.utf8.firstIndex(of: UInt8(ascii: ":")),
    message[..<end].hasSuffix(" failed"), message[..<end].utf8.count < 40
  else { return message }
  let rest = message[message.index(after: end)...].drop { $0 == " " }
  return rest.isEmpty ? message : String(rest)
}

// MARK: - Paging

func failurePagePath(_ number: Int) -> String {
  number == 1 ? "index.html" : "failures-\(number).html"
}

/// Values for template `paging`; `nil` for one page.
func pagingValues(page: Int, in context: PageContext) -> TemplateValues? {
  let failures = context.failures.count
  let count = failurePageCount(failures)
  guard count > 1, context.single == nil else { return nil }
  let first = (page - 1) * failuresOnAPage + 1
  let last = min(failures, page * failuresOnAPage)
  return [
    "range": "Failures \(grouped(first)) to \(grouped(last)) of \(grouped(failures))",
    "previous": page > 1 ? failurePagePath(page - 1) : nil,
    "next": page < count ? failurePagePath(page + 1) : nil,
  ]
}

/// Values for `failures-page.mustache`.
func failurePageValues(number: Int, in context: PageContext) -> TemplateValues {
  let count = failurePageCount(context.failures.count)
  var values = context.pageValues(title: "Failures, page \(number) of \(count) · \(context.project)")
  values.set("groups", to: failureListValues(page: number, in: context))
  values.set("paging", to: pagingValues(page: number, in: context))
  return values
}
