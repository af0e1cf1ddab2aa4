import Collector

/// What every part of a page needs to know.
struct PageContext: Sendable {
  var contents: ReportContents
  var names: PageNames
  var counts: OutcomeCounts
  /// The failures, alike ones together.
  var groups: [FailureGroup]
  /// What leads from the page to the report folder: empty or `../`.
  var base: String
  /// Set where all pages are parts of one file.
  var single: SingleFileParts?

  /// For pages in the report folder itself.
  init(_ contents: ReportContents) {
    self.contents = contents
    names = PageNames(of: contents.report.tests)
    counts = OutcomeCounts(contents.report.tests)
    groups = failureGroups(contents.report.tests)
    base = ""
  }

  /// The same for pages in another folder.
  func from(_ base: String) -> PageContext {
    var context = self
    context.base = base
    return context
  }

  /// The reference of a file of the report; `nil` when its path leaves the report folder, or when it is not in the
  /// one file.
  func link(to path: String) -> String? {
    guard let relative = relativeLink(to: path, from: base) else { return nil }
    guard let single else { return relative }
    return single.evidence[path]
  }

  /// The reference of a test's page; `nil` for a test without one.
  func link(toPageOf test: TestResult) -> String? {
    guard let path = names.path(of: test) else { return nil }
    guard let single else { return relativeLink(to: path, from: base) }
    return single.anchors[test.id].map { "#" + $0 }
  }

  /// What `page.mustache` asks for.
  func pageValues(title: String) -> TemplateValues {
    [
      "pageTitle": title, "base": base, "nonce": contents.nonce,
      "indexLink": single == nil ? base + "index.html" : "#main", "anchor": nil, "isPart": false,
      "isSingle": false,
    ]
  }
}
