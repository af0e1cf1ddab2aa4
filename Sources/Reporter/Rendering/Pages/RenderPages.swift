import Collector

/// The report's HTML: `index.html`, the further pages of a long list of failures, one page per failed test, and
/// `report.css`; and what scripts add: `report.js` and the list of all tests in `data`.
///
/// Pages are complete without scripts and link only to each other, to the style sheet and to evidence by relative references.
///
/// - Parameter take: Is given each file when it is made: all together can be more than is to be held in memory.
///
/// - Throws: `TemplateError.missing` when a template of the library is not there, or what `take` throws.
func renderPages(
  _ contents: ReportContents, templates: TemplateLibrary, take: (ReportFile) throws -> Void
) throws {
  let groups = failureGroups(contents.report.tests)
  let names = PageNames(contents.report.tests.lazy.filter(\.outcome.isFailure).map(\.id))
  try take(ReportFile(path: "report.css", text: templates.styleSheet))
  try take(ReportFile(path: "report.js", text: templates.script))
  let index = PageContext(contents: contents, names: names, base: "")
  for file in try renderLists(groups, index, templates) { try take(file) }
  for file in testDataFiles(contents.report.tests, names: names) { try take(file) }
  let page = PageContext(contents: contents, names: names, base: "../")
  // From page to page as the index lists them.
  let failures = groups.flatMap(\.failures)
  for position in failures.indices {
    guard let path = names.path(of: failures[position].id) else { continue }
    let values = testPageValues(failures, at: position, in: page)
    try take(ReportFile(path: path, text: try templates.render(values, with: "test")))
  }
}

/// The pages, all together.
func renderPages(_ contents: ReportContents, templates: TemplateLibrary) throws -> [ReportFile] {
  var files: [ReportFile] = []
  try renderPages(contents, templates: templates) { files.append($0) }
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
