import ArgumentParser
import Collector
import ExhibitSystem
import Foundation
import ReportHistory
import ReportModel
import ReportPipeline
import ReportRendering

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Prints how tests ended in earlier runs.",
    subcommands: [
      HistoryShowCommand.self, HistoryPruneCommand.self, HistoryPassesCommand.self, HistoryImportCommand.self,
      HistoryExportCommand.self,
    ],
    defaultSubcommand: HistoryShowCommand.self)
}

struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints the last runs, then the tests that fail or are flaky; or the outcomes of one test.",
    discussion: """
      Examples:
        reporter history
        reporter history testTotal
        reporter history --json
        reporter history --html --branch main

      Exit codes: 0 it was printed or written; 64 usage, no test or several have the name, no run has the branch or label; \
      66 there is no history, or it cannot be read; 73 the output cannot be written.
      """)

  @Argument(help: "A test: its name, a part of its identity, or all of it.")
  var test: String?

  @OptionGroup var place: HistoryPlace

  @Option(help: ArgumentHelp("Runs that are listed (default: 10).", valueName: "count"))
  var runs = 10

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Write a page: runs over time, tests that fail, are flaky, slow or slower than before.")
  var html = false

  @Option(help: "With --html: the file to write, replacing one (default: test-artifacts/history.html).")
  var output: String?

  @Option(help: "With --html: only runs of this branch.")
  var branch: String?

  @Option(help: "With --html: only runs with this label.")
  var label: String?

  @Option(
    help: ArgumentHelp(
      "With --html: the repository that commits link to, as owner/name or URL (default: what the CI says).",
      valueName: "repository"))
  var repository: String?

  func validate() throws {
    let named = [
      ("--output", output), ("--branch", branch), ("--label", label), ("--repository", repository),
    ]
    if !html, let option = named.first(where: { $0.1 != nil }) {
      throw ValidationError("\(option.0) is for --html.")
    }
    if html, json || test != nil {
      throw ValidationError("--html is for all tests, without TEST and --json.")
    }
    if let repository, Repository(repository, commit: nil) == nil {
      throw ValidationError("--repository takes owner/name or a URL; \(printedLine(repository)) is neither.")
    }
    if output?.isEmpty == true { throw ValidationError("--output is empty.") }
    if !(1...100_000).contains(runs) { throw ValidationError("--runs is between 1 and 100000.") }
    if test?.isEmpty == true { throw ValidationError("TEST is empty.") }
  }

  func run() throws {
    if html { return try writePage() }
    let history = place.store
    let answer = try Reporting.orExit(ReporterExit.noInput) { () throws -> PrintedHistory in
      guard let test else { return .overview(try history.overview(mostRuns: runs)) }
      let identity = try chosenTest(test, among: history.identities(), TestNames.init(identity:))
      return .test(try history.pasts(ofTest: identity))
    }
    try Reporting.write(json ? answer.json : Array(answer.text(TerminalSettings.ofStandardOutput()).utf8))
  }

  // MARK: - The page

  private var commits: Repository? {
    let ci = Repository.ofCI(Reporting.variable)
    return (repository ?? ci.url).flatMap { Repository($0, commit: nil, gitLab: ci.gitLab) }
  }

  /// Writes the page to the named file, or else into the artifacts folder.
  ///
  /// It cannot lie in the report's folder, which may be missing, and which the next report replaces.
  private func writePage() throws {
    let (history, filter) = (place.store, TrendFilter(branch: branch, label: label))
    let trends = try Reporting.orExit(ReporterExit.noInput) { try history.trends(filter) }
    if trends.runs.isEmpty, branch != nil || label != nil {
      let named = [branch.map { "of the branch \($0)" }, label.map { "with the label \($0)" }]
      let missing = named.compactMap { $0 }.joined(separator: " and ")
      throw Reporting.refusal("No run of the history is \(missing).", ReporterExit.usage)
    }
    let artifacts = ArtifactsFolder.current
    let target = SourceRoot(path: output ?? artifacts.path + "/" + TrendsPage.path).path
    try Reporting.orExit(ReporterExit.cannotWrite, "The page cannot be written. ") {
      let file = try ReplacedFile(target, apart: [history.name, history.name + "-journal"])
      let page = TrendsPage(
        trends: trends, filter: filter, title: ReportLookup.title(ofPackage: currentFolder.path),
        nonce: ReportLookup().nonce, hasReport: false, links: TrendLinks(repository: commits))
      let bytes = try page.file(TemplateLibrary()).contents
      if output == nil { try artifacts.create() }
      try file.replace { try FileSystem.writeNewFile($0, bytes) }
    }
    let isTerminal = TerminalSettings.ofStandardOutput().width != nil
    let shown = isTerminal ? fileAddress(of: target) : currentFolder.relative(target)
    try Reporting.write(printedLine("History: \(shown)") + "\n")
  }
}

struct HistoryPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes old runs from the history.",
    discussion: """
      With both options a run goes that neither keeps. A run that began more than a day ahead of the clock here goes, too: it \
      would stay the newest.

      Examples:
        reporter history prune --keep-runs 500
        reporter history prune --keep-days 90 --keep-runs 50

      Exit codes: 0 done; 64 usage; 66 there is no history, or it cannot be read or written.
      """)

  @OptionGroup var place: HistoryPlace

  @Option(help: ArgumentHelp("Keep so many of the newest runs of each label.", valueName: "count"))
  var keepRuns: Int?

  @Option(help: ArgumentHelp("Keep the runs of so many days.", valueName: "count"))
  var keepDays: Double?

  func validate() throws {
    if keepRuns == nil, keepDays == nil { throw ValidationError("Say --keep-runs, --keep-days or both.") }
    if let keepRuns, keepRuns < 1 { throw ValidationError("--keep-runs is at least 1.") }
    if let keepDays, !(keepDays > 0 && keepDays < 1e6) {
      throw ValidationError("--keep-days is more than 0.")
    }
  }

  func run() throws {
    let removed = try Reporting.orExit(ReporterExit.noInput) {
      try place.store.prune(keptRuns: keepRuns, keptDays: keepDays, now: Date().timeIntervalSince1970)
    }
    print("\(counted(removed, "run")) removed.")
    do throws(HistoryError) {
      try place.store.shrink()
    } catch {
      // The runs are removed all the same.
      Reporting.complain("\(error)")
    }
  }
}
