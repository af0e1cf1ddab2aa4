package import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportHistory
import ReportInspection
package import ReportModel
import ReportPlaces
package import ReportReading
package import ReportRendering
package import ReportStory

/// Joins what was read of runs, and looks up all that their report tells.
package struct ReportLookup: Sendable {
  /// The folder of the sources; `nil` for the runs' package.
  package var sourceRoot: String?
  package var includesRows = true
  /// The heading; `nil` for the package folder's name.
  package var title: String?
  /// For the pages' security policy; fixed only to compare reports.
  package var nonce = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
  package var editor: EditorTemplate?
  package var history: HistoryLookup?
  package var shards: Int?
  package var summary: @Sendable ([Report.Run], SourceRoot, inout Remarks) -> SummaryOptions = { _, _, _ in
    SummaryOptions()
  }
  /// What `reporter show` asks of a story's states.
  package var question: StateQuestion?
  var only: TestCaseID?
  var passed: [TestCaseID: [PassedRun]] = [:]
  var takesBasis: (@Sendable (ExperimentBasis, [CodeFile]) -> Void)?

  package init() {}

  /// Looks up one test for a command that prints it; its files are gone afterwards.
  package func contents(of test: TestCaseID, in runs: [RunInputs]) throws(Refusal) -> ReportContents {
    var one = self
    one.only = test
    return try Refusal.catching(Refusal.cannotWrite) {
      let scratch = try ScratchFolder(
        in: FileManager.default.temporaryDirectory.path, prefix: ".reporter-test-")
      return try withExtendedLifetime(scratch) { try one.contents(of: runs, in: scratch.path) }
    }
  }

  /// - Parameters:
  ///   - others: Remarks beside those of the inputs.
  ///   - folder: Gets the evidence.
  func contents(
    of runs: consuming [RunInputs], _ others: Remarks = Remarks(), in folder: String
  ) throws(SystemError) -> ReportContents {
    let unpacked = runs.flatMap(\.temporary)
    defer { withExtendedLifetime(unpacked) {} }
    history?.complete(&runs)
    let (root, fixtures, folders) = (
      root(of: runs), Self.fixtures(of: runs), runs.compactMap(\.folder)
    )
    var others = others
    let summary = summary(runs.compactMap(\.run), root, &others)
    var report = try build(&runs, others, root, in: folder)
    var places = PlacesLookup(sourceRoot: root)
    let found = places.places(of: report.tests, in: folder, runs: folders)
    report.add(places.remarks)
    let recorded = PassLookup(runs: folders)
    let experiments = Self.experiments(of: folders, &report)
    let (passes, remarks) = passes(of: report, recorded, experiments, root, in: folder)
    report.add(remarks)
    var lookup = ContentsLookup(
      folder: folder, sourceRoot: root, includesRows: includesRows, fixtures: fixtures, places: found,
      passes: passes, question: question)
    lookup.takesBasis = takesBasis
    lookup.experiments = experiments
    let keeping = PassKeeping(sourceRoot: root, recorded: recorded.again, compared: passes)
    let earlier: HistoryLookup.Answer =
      history?.answer(on: &report, keeping: includesRows ? keeping : nil) ?? ([:], nil)
    var contents = lookup.contents(of: consume report, nonce: nonce)
    contents.pasts = earlier.pasts
    for test in contents.report.tests where test.outcome.isFailure {
      guard let compared = recorded.compared(test.id) else { continue }
      contents.pasts[test.id, default: TestPast(outcomes: [])].compared = compared
    }
    history?.addTrends(to: &contents, earlier)
    contents.comparisonOffer = Self.comparisonOffer(contents, root)
    contents.summary = summary
    contents.editor = editor.map { Editor($0, root: root) }
    return contents
  }

  private static func package(of runs: [RunInputs]) -> String {
    runs.lazy.compactMap(\.packageFolder).first ?? currentFolder.path
  }

  private func root(of runs: [RunInputs]) -> SourceRoot {
    sourceRoot.map { SourceRoot(path: $0) }
      ?? SourceRoot(ofRun: Self.package(of: runs), current: currentFolder.path)
  }

  package static func title(ofPackage folder: String) -> String {
    folder.split(separator: "/").last.map(String.init) ?? "Tests"
  }

  /// - Parameter runs: They lose their inputs once joined, maybe a million tests.
  private func build(
    _ runs: inout [RunInputs], _ others: Remarks, _ root: SourceRoot, in folder: String
  ) throws(SystemError) -> Report {
    let package = Self.package(of: runs)
    var join = RunJoin(runs)
    var remarks = Remarks()
    for run in runs { remarks.append(run.remarks) }
    remarks.append(others)
    for input in runs.flatMap(\.inputs) { remarks.append(input.remarks) }
    remarks.append(join.remarks)
    remarks.append(RunChecks.check(runs, join.tests))
    remarks.append(ShardChecks.check(runs, expected: shards, join))
    let missing = ShardChecks.missing(from: runs, expected: shards, join)
    for index in runs.indices {
      let overview = join.overviews[runs[index].id]
      runs[index].run?.overview = overview
      runs[index].inputs = []
    }
    var evidence = EvidenceImport(report: folder, root: root)
    var tests = join.takeTests()
    if let only { tests.removeAll { $0.id != only } }
    var places = SourcePlaces(root: root)
    for index in tests.detailed {
      let brought = try evidence.bring(tests[index], &remarks)
      tests[index].finish(with: brought, root: root)
      places.check(tests[index], &remarks)
    }
    var report = Report(
      title: title ?? Self.title(ofPackage: package), runs: runs.compactMap(\.run), tests: consume tests,
      faults: remarks.faults,
      notices: remarks.notices)
    report.missingShards = missing
    return report
  }

  private static func fixtures(of runs: [RunInputs]) -> [TestCaseID: [UsedFixture]] {
    var fixtures: [TestCaseID: [UsedFixture]] = [:]
    for use in runs.flatMap(\.inputs).flatMap(\.fixtures) {
      if let test = use.test { fixtures[test, default: []].append(use.fixture) }
    }
    return fixtures
  }

  private func passes(
    of report: Report, _ lookup: PassLookup, _ experiments: [TestCaseID: ExplainedTest], _ root: SourceRoot,
    in folder: String
  ) -> (PassesLookup, Remarks) {
    var remarks = lookup.remarks
    var passes = PassesLookup(folder: folder)
    let tests = report.tests.detailed.map { report.tests[$0] }.filter(\.hasFailedOnce)
    for test in tests {
      let found = passed[test.id] ?? lookup.passes(of: test.id, &remarks)
      if !found.isEmpty { passes.passes[test.id] = found }
    }
    let others = tests.map(\.id).filter { passes.passes[$0] == nil }
    if !others.isEmpty, let history, let run = HistoryRun(report, label: history.label) {
      let changed = report.runs.first.flatMap {
        ChangesSincePass(of: $0, in: root.path, environment: ProcessInfo.processInfo.environment)
      }
      passes.merge(
        history.earlierPasses(of: others, label: run.label, folder: folder, changed: changed, &remarks))
    }
    for test in others where passes.passes[test] == nil && experiments[test]?.proven.isEmpty == false {
      let explained = lookup.explained(test, &remarks)
      if !explained.isEmpty { passes.passes[test] = explained }
    }
    for test in others.filter({ passes.passes[$0] == nil }).prefix(Self.mostWithSiblings) {
      let siblings = lookup.siblings(of: test, &remarks)
      if !siblings.isEmpty { passes.siblings[test] = siblings }
    }
    remarks.append(passes.findPlaces(root))
    return (passes, remarks)
  }

  private static func experiments(of runs: [RunFolder], _ report: inout Report) -> [TestCaseID: ExplainedTest]
  {
    var (found, remarks): ([TestCaseID: ExplainedTest], Remarks) = ([:], Remarks())
    for run in runs {
      do throws(ExperimentsFile.ReadingError) {
        for test in try ExperimentsFile.read(of: run) { found[test.test] = test }
      } catch {
        if case .unopened(.missing) = error { continue }
        remarks.fault(.experimentsUnreadable, "\(error)", input: run.path)
      }
    }
    report.add(remarks)
    return found
  }

  private static func comparisonOffer(_ contents: ReportContents, _ root: SourceRoot) -> String? {
    guard let run = contents.report.runs.first, contents.report.runs.count == 1,
      contents.report.tests.contains(where: contents.lacksPass)
    else { return nil }
    return ComparisonOffer.name(
      for: run, in: root.path, environment: ProcessInfo.processInfo.environment)
  }

  private static let mostWithSiblings = 20
}
