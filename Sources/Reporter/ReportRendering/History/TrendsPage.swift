package import ReportHistory
import ReportModel

/// `history.html`: how runs and tests developed.
///
/// One file that works without scripts; each selectable branch or label is a part of it that the browser shows alone.
package struct TrendsPage: Sendable {
  package static let path = "history.html"

  package var trends: Trends
  package var filter = TrendFilter()
  package var title: String
  package var nonce: String
  package var hasReport: Bool
  package var links: TrendLinks

  package init(
    trends: Trends, filter: TrendFilter = TrendFilter(), title: String, nonce: String, hasReport: Bool,
    links: TrendLinks = TrendLinks()
  ) {
    (self.trends, self.filter, self.title) = (trends, filter, title)
    (self.nonce, self.hasReport, self.links) = (nonce, hasReport, links)
  }

  package func file(_ templates: TemplateLibrary) throws(TemplateError) -> ReportFile {
    let page = String(decoding: try templates.render(values, with: "history-page"), as: UTF8.self)
    let nonce = "nonce=\"\(htmlEscaped(self.nonce))\""
    var text = ""
    var rest = page[...]
    // Escaped text cannot contain the marks, which are comments.
    for (mark, content) in [
      ("<!--style-->", "<style \(nonce)>\n\(templates.historyStyleSheet)</style>"), ("<!--parts-->\n", ""),
      ("<!--script-->", "<script \(nonce)>\n\(templates.historyScript)</script>"),
    ] {
      guard let place = rest.places(of: mark).first else { continue }
      text += rest[..<place.lowerBound] + content
      rest = rest[place.upperBound...]
    }
    return ReportFile(path: Self.path, text: text + rest)
  }

  // MARK: - Values

  private var values: TemplateValues {
    let scopes = TrendScope.scopes(of: trends, links)
    let name = visibleOnOneLine(shortened(title, to: 80))
    return [
      "pageTitle": "\(name) over time", "base": "", "nonce": nonce, "anchor": nil, "isPart": false,
      "isSingle": true, "isHistory": true, "bar": nil, "tests": nil, "hasSQL": false, "images": nil,
      "indexLink": "index.html", "project": name, "hasReport": hasReport,
      "hasChoices": scopes.count > 1, "choices": scopes.map(\.choice),
      "scopes": trends.runs.isEmpty ? [] : scopes.map(\.values), "filtered": filterText,
      "leftOut": scopes.count > 1 ? leftOut : nil,
    ]
  }

  private var filterText: String? {
    let parts = [
      filter.branch.map { "of the branch \(seriesWord($0))" },
      filter.label.map { "with the label \(seriesWord($0))" },
    ]
    return joined(parts, by: " ").map { "Only runs \($0)." }
  }

  /// Branches and labels beyond the selectable ones.
  private var leftOut: String? {
    let (branches, labels) = (TrendScope.branches(of: trends), TrendScope.labels(of: trends))
    let rest = [
      (Set(trends.series.map(\.branch)).count - branches.count, "more branch", "more branches", "--branch"),
      (Set(trends.series.map(\.label)).count - labels.count, "more label", "more labels", "--label"),
    ]
    return joined(rest.filter { $0.0 > 0 }.map { "\(counted($0.0, $0.1, $0.2)) by \($0.3)" }, by: ", ")
  }
}

func seriesWord(_ name: String) -> String { visibleOnOneLine(shortened(name, to: 60)) }

// MARK: - Choices

/// The part for some branches and labels.
struct TrendScope {
  /// The most branches and labels, by recent runs.
  private static let (mostBranches, mostLabels) = (4, 3)

  var id: String
  /// Indices of the selection; `nil` for all.
  var branch: Int?
  var label: Int?
  var branchName: String?
  var labelName: String?
  var trends: Trends
  var links: TrendLinks
  var hasBranches: Bool
  var hasLabels: Bool

  /// All runs first, then each selection.
  static func scopes(of trends: Trends, _ links: TrendLinks) -> [TrendScope] {
    let (branches, labels) = (branches(of: trends), labels(of: trends))
    var scopes: [TrendScope] = []
    for label in choices(labels.count) {
      for branch in choices(branches.count) {
        let some = trends.only { series in
          branch.map { branches[$0] == series.branch } != false
            && label.map { labels[$0] == series.label } != false
        }
        guard !some.runs.isEmpty || scopes.isEmpty else { continue }
        scopes.append(
          TrendScope(
            id: scopes.isEmpty ? "all" : "part-\(scopes.count)", branch: branch, label: label,
            branchName: branch.map { branchWord(branches[$0]) },
            labelName: label.map { seriesWord(labels[$0]) },
            trends: some, links: links,
            hasBranches: branch == nil && branches.count > 1, hasLabels: label == nil && labels.count > 1))
      }
    }
    return scopes
  }

  private static func choices(_ count: Int) -> [Int?] { count > 1 ? [nil] + (0..<count).map { $0 } : [nil] }

  static func branches(of trends: Trends) -> [String?] { distinct(trends.series.map(\.branch), mostBranches) }

  static func labels(of trends: Trends) -> [String] { distinct(trends.series.map(\.label), mostLabels) }

  private static func distinct<Name: Hashable>(_ names: [Name], _ most: Int) -> [Name] {
    var found: [Name] = []
    for name in names where found.count < most && !found.contains(name) { found.append(name) }
    return found
  }

  var choice: TemplateValues {
    [
      "id": id, "title": title, "branch": branch.map(String.init) ?? "",
      "label": label.map(String.init) ?? "",
      "branchWord": branchName, "labelWord": labelName,
    ]
  }

  var title: String {
    isAll ? "All runs" : [branchName, labelName].compactMap { $0 }.joined(separator: " · ")
  }

  var isAll: Bool { branch == nil && label == nil }
}

func branchWord(_ branch: String?) -> String { branch.map(seriesWord) ?? "no branch" }
