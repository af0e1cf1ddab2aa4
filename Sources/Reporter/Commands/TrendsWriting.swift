import Collector
import ExhibitSystem
import Foundation
import ReportHistory
import ReportModel
import ReportRendering

/// Writes the page of `reporter history --html`.
struct TrendsWriting {
  var history: any HistoryStore
  var filter: TrendFilter
  /// The file that the user named.
  ///
  /// Otherwise it lies in the artifacts folder: a report beside which it could lie may not be there, and the next one
  /// replaces that folder, with a page of its own.
  var output: String?

  /// - Throws: The exit code for a problem, which was printed.
  func write() throws {
    let trends = try trends()
    let current = FileManager.default.currentDirectoryPath
    let artifacts = ArtifactsFolder.of(packageFolder: current)
    let target = SourceRoot(path: output ?? artifacts.path + "/" + TrendsPage.path).path
    try Reporting.orExit(ReporterExit.cannotWrite, "The page cannot be written. ") {
      let file = try ReplacedFile(target, apart: [history.name, history.name + "-journal"])
      let page = TrendsPage(
        trends: trends, filter: filter, title: current.split(separator: "/").last.map(String.init) ?? "Tests",
        nonce: Reporting.randomNonce(), hasReport: false)
      let bytes = try page.file(TemplateLibrary()).contents
      if output == nil { try artifacts.create() }
      try file.replace { try FileSystem.writeNewFile($0, bytes) }
    }
    let isTerminal = TerminalSettings.ofStandardOutput().width != nil
    let shown = isTerminal ? fileAddress(of: target) : SourceRoot(path: current).relative(target)
    try Reporting.write(Array((printedLine("History: \(shown)") + "\n").utf8))
  }

  private func trends() throws -> Trends {
    let trends = try Reporting.orExit(ReporterExit.noInput) { try history.trends(filter) }
    guard trends.runs.isEmpty, let missing = filterText else { return trends }
    throw Reporting.refusal("No run of the history is \(missing).", ReporterExit.usage)
  }

  private var filterText: String? {
    let parts = [filter.branch.map { "of the branch \($0)" }, filter.label.map { "with the label \($0)" }]
    let text = parts.compactMap { $0 }.joined(separator: " and ")
    return text.isEmpty ? nil : text
  }
}
