import Collector

/// The report's HTML: `index.html`, the further pages of a long list of failures, one page per failed test, and
/// `report.css`; and what scripts add: `report.js` and the list of all tests in `data`.
///
/// Pages are complete without scripts and link only to each other, to the style sheet and to evidence by relative references.
///
/// - Throws: `TemplateError.missing` when a template of the library is not there.
func renderPages(
  _ contents: ReportContents, templates: TemplateLibrary
) throws(TemplateError) -> [ReportFile] {
  let groups = failureGroups(contents.report.tests)
  let names = PageNames(contents.report.tests.lazy.filter(\.outcome.isFailure).map(\.id))
  var files = [
    ReportFile(path: "report.css", text: templates.styleSheet),
    ReportFile(path: "report.js", text: templates.script),
  ]
  files += try renderLists(groups, PageContext(contents: contents, names: names, base: ""), templates)
  files += testDataFiles(contents.report.tests, names: names)
  let page = PageContext(contents: contents, names: names, base: "../")
  // From page to page as the index lists them.
  let failures = groups.flatMap(\.failures)
  for position in failures.indices {
    guard let path = names.path(of: failures[position].id) else { continue }
    let values = testPageValues(failures, at: position, in: page)
    files.append(ReportFile(path: path, text: try templates.render(values, with: "test")))
  }
  return files
}

/// The index and the pages of failures behind it.
private func renderLists(
  _ groups: [FailureGroup], _ context: PageContext, _ templates: TemplateLibrary
) throws(TemplateError) -> [ReportFile] {
  let pages = paged(groups, size: failuresOnAPage)
  let failures = groups.reduce(0) { $0 + $1.total }
  var files = [
    ReportFile(path: "index.html", text: try templates.render(indexValues(pages, in: context), with: "index"))
  ]
  for number in pages.indices.dropFirst().map({ $0 + 1 }) {
    let values = failurePageValues(pages, number: number, failures: failures, in: context)
    files.append(
      ReportFile(path: failurePagePath(number), text: try templates.render(values, with: "failures-page")))
  }
  return files
}

extension ReportFile {
  init(path: String, text: String) {
    self.init(path: path, contents: Array(text.utf8))
  }
}

/// What every part of a page needs to know.
struct PageContext {
  var contents: ReportContents
  var names: PageNames
  /// What leads from the page to the report folder: empty or `../`.
  var base: String

  /// The reference of a file of the report; `nil` when its path leaves the report folder.
  func link(to path: String) -> String? { relativeLink(to: path, from: base) }

  /// The reference of a failed test's page; `nil` for a test without one.
  func link(toPageOf test: TestCaseID) -> String? { names.path(of: test).flatMap(link(to:)) }

  /// What `page.mustache` asks for.
  func pageValues(title: String) -> TemplateValues {
    ["pageTitle": title, "base": base, "nonce": contents.nonce, "indexLink": base + "index.html"]
  }
}
