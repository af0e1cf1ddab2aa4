import Collector
import ExhibitSystem
import Foundation
import ReportExperiments
import ReportHistory
import ReportInspection
import ReportModel
import ReportPlaces
import ReportReading
import ReportRendering
import ReportStory

/// Makes a report from the inputs and writes it into its folder.
struct ReportPipeline {
  /// An absolute path.
  var output: String
  var sourceRoot: SourceRoot
  var title: String
  var includesRows: Bool
  /// A folder with templates that replace the built-in ones.
  var templates: String?
  var nonce: String
  var rowLimits = ByteBudget()
  var summary: SummaryOptions
  /// True when GitLab's annotations are written.
  var writesCodeQuality = false
  /// The editor that places in the sources open, if one is asked for.
  var editor: EditorTemplate?
  /// The bytes of `report.html`; `nil` when it is not wanted.
  var singleFileLimit: Int?
  /// The tests' earlier outcomes, if they are wanted.
  var history: HistoryLookup?
  /// The number of shards that the report must have, if that is said.
  var shards: Int?
  /// The line that shows the current work.
  var progress: ProgressLine?
  /// The path at which to keep the report that is replaced; `nil` to remove it.
  var earlier: String?
  /// Passes that were named, which are compared with first.
  var passed: [TestCaseID: [PassedRun]] = [:]
  /// The one test that is wanted; `nil` for all.
  var only: TestCaseID?
  /// A question in addition to what every report shows.
  var question: StateQuestion?
  /// Is given what experiments on a failed test begin from.
  var takesBasis: (@Sendable (ExperimentBasis, [CodeFile]) -> Void)?

  /// - Parameter remarks: Remarks in addition to those of the inputs.
  /// - Returns: The contents of the written report.
  /// - Throws: `ReportFolder.WritingError`, or the errors of a renderer.
  func write(
    _ runs: consuming [RunInputs], _ remarks: Remarks
  ) throws -> PageContext {
    let folder = try ReportFolder(path: output)
    let count = runs.reduce(0) { $1.inputs.reduce($0) { $0 + $1.observations.count } }
    progress?.say("Joining \(counted(count, "result"))")
    var contents = try lookUp(consume runs, remarks, in: folder)
    let context: PageContext
    do {
      try contents.packEvidence(in: folder.building)
      context = PageContext(contents)
      try render(context, in: folder.files)
      try context.contents.removePackedBaselines(in: folder.building)
    } catch let error as SystemError {
      throw ReportFolder.WritingError.file(error)
    }
    try folder.publish(keepingEarlierAt: earlier)
    for leftover in folder.leftovers { Reporting.complain("An older report is left over. \(leftover)") }
    return context
  }

  /// Looks up one test for a command that prints it, with files that are gone afterwards.
  ///
  /// - Parameter complete: Sets what else the command asks for.
  /// - Throws: The exit code where there can be no temporary files; the reason is printed.
  static func contents(
    of test: TestCaseID, in runs: [RunInputs], sourceRoot: SourceRoot, includesRows: Bool,
    _ complete: (inout ReportPipeline) -> Void
  ) throws -> ReportContents {
    try Reporting.orExit(ReporterExit.cannotWrite) {
      let scratch = try ScratchFolder(
        in: FileManager.default.temporaryDirectory.path, prefix: ".reporter-test-")
      var pipeline = ReportPipeline(
        output: scratch.path + "/report", sourceRoot: sourceRoot, title: "", includesRows: includesRows,
        nonce: "", summary: SummaryOptions(), only: test)
      complete(&pipeline)
      return try withExtendedLifetime(scratch) {
        try pipeline.lookUp(runs, Remarks(), in: ReportFolder(path: pipeline.output))
      }
    }
  }

  private static func fixtures(of runs: [RunInputs]) -> [TestCaseID: [UsedFixture]] {
    var fixtures: [TestCaseID: [UsedFixture]] = [:]
    for use in runs.flatMap(\.inputs).flatMap(\.fixtures) {
      if let test = use.test { fixtures[test, default: []].append(use.fixture) }
    }
    return fixtures
  }

  /// - Parameter runs: The runs, which lose their inputs once they are joined, since these can be a million tests.
  private func build(
    _ runs: inout [RunInputs], _ others: Remarks, in folder: ReportFolder
  ) throws(ReportFolder.WritingError) -> Report {
    var join = RunJoin(runs)
    var remarks = Remarks()
    for run in runs { remarks.append(run.remarks) }
    remarks.append(others)
    for input in runs.flatMap(\.inputs) { remarks.append(input.remarks) }
    remarks.append(join.remarks)
    remarks.append(RunChecks.check(runs, join.tests))
    remarks.append(ShardChecks.check(runs, expected: shards, join))
    for index in runs.indices {
      let overview = join.overviews[runs[index].id]
      runs[index].run?.overview = overview
      runs[index].inputs = []
    }
    var evidence = EvidenceImport(report: folder.building, root: sourceRoot)
    var tests = join.takeTests()
    if let only { tests.removeAll { $0.id != only } }
    var places = SourcePlaces(root: sourceRoot)
    for index in tests.detailed {
      do throws(SystemError) {
        let brought = try evidence.bring(tests[index], &remarks)
        tests[index].finish(with: brought, root: sourceRoot)
        places.check(tests[index], &remarks)
      } catch {
        throw .file(error)
      }
    }
    return Report(
      title: title, runs: runs.compactMap(\.run), tests: consume tests, faults: remarks.faults,
      notices: remarks.notices)
  }

  private func lookUp(
    _ runs: consuming [RunInputs], _ others: Remarks, in folder: ReportFolder
  ) throws(ReportFolder.WritingError) -> ReportContents {
    let unpacked = runs.flatMap(\.temporary)
    defer { withExtendedLifetime(unpacked) {} }
    let (fixtures, folders) = (Self.fixtures(of: runs), runs.compactMap(\.folder))
    var report = try build(&runs, others, in: folder)
    var places = PlacesLookup(sourceRoot: sourceRoot)
    let found = places.places(of: report.tests, in: folder.building, runs: folders)
    report.add(places.remarks)
    let recorded = PassLookup(runs: folders)
    let experiments = Self.experiments(of: folders, &report)
    let (passes, remarks) = passes(of: report, recorded, experiments, in: folder.building)
    report.add(remarks)
    var lookup = ContentsLookup(
      folder: folder.building, sourceRoot: sourceRoot, includesRows: includesRows, fixtures: fixtures,
      places: found, passes: passes, question: question)
    lookup.takesBasis = takesBasis
    lookup.experiments = experiments
    let keeping = PassKeeping(sourceRoot: sourceRoot, recorded: recorded.again, compared: passes)
    let earlier: HistoryLookup.Answer =
      history?.answer(on: &report, keeping: includesRows ? keeping : nil) ?? ([:], nil)
    var contents = lookup.contents(of: consume report, nonce: nonce)
    contents.pasts = earlier.pasts
    history?.addTrends(to: &contents, earlier)
    contents.comparisonOffer = comparisonOffer(contents)
    contents.summary = summary
    contents.editor = editor.map { Editor($0, root: sourceRoot) }
    return contents
  }

  /// The passes of tests that failed, with the places of their steps.
  private func passes(
    of report: Report, _ lookup: PassLookup, _ experiments: [TestCaseID: ExplainedTest], in folder: String
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
        ChangesSincePass(of: $0, in: sourceRoot.path, environment: ProcessInfo.processInfo.environment)
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
    remarks.append(passes.findPlaces(sourceRoot))
    return (passes, remarks)
  }

  /// What experiments found out about tests of the runs.
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

  private func comparisonOffer(_ contents: ReportContents) -> String? {
    guard let run = contents.report.runs.first, contents.report.runs.count == 1,
      contents.report.tests.contains(where: contents.lacksPass)
    else { return nil }
    return ComparisonOffer.name(
      for: run, in: sourceRoot.path, environment: ProcessInfo.processInfo.environment)
  }

  /// The failed tests without a pass that are compared with tests beside them.
  private static let mostWithSiblings = 20

  /// The files to embed; unreadable ones are named like those without room.
  ///
  /// Without rows, so are all files that may have rows.
  private func embeddedFiles(in folder: String, onlyImages: Bool) -> EmbeddedFiles.Source {
    { path, limit in
      guard !onlyImages || isImage(path),
        let size = try? FileManager.default.attributesOfItem(atPath: folder + "/" + path)[.size] as? Int,
        size <= limit
      else { return nil }
      return FileManager.default.contents(atPath: folder + "/" + path).map { [UInt8]($0) }
    }
  }

  /// Writes all files, several at once.
  private func render(_ original: PageContext, in files: ReportWriter) throws {
    let library = try TemplateLibrary(overrides: templates.map { URL(fileURLWithPath: $0) })
    let plan = includesRows && rowLimits.hasRoom ? RowPlan(original, folder: files.folder) : nil
    let pages = includesRows ? DatabasePages(original, folder: files.folder) : nil
    var filled = original
    filled.contents.rowIDs = plan?.ids ?? [:]
    filled.contents.databasePages = pages?.rooms ?? [:]
    let context = filled
    let contents = context.contents
    // The index takes longest of all single files.
    var tasks = pageTasks(context, templates: library, take: files.write)
    if let plan {
      let limits = rowLimits
      tasks.insert({ try writeRows(plan, of: contents, limits: limits, take: files.write) }, at: 0)
    }
    let documents: [RenderTask] = [
      {
        try files.write("report.json") { try ReportDocument(contents, names: context.names).write($0) }
      },
      { try files.write("junit.xml") { try JUnitDocument(contents.report).write($0) } },
      { try files.write(renderSummary(context)) },
      { try files.write(renderComment(context)) },
    ]
    tasks.insert(contentsOf: documents, at: 1)
    if writesCodeQuality { tasks.append { try files.write(Annotations(context).codeQuality) } }
    if let pages { tasks += databasePageTasks(pages, take: files.write) }
    if let singleFileLimit {
      tasks.insert({ try writeSingleFile(context, library, in: files, plan, limit: singleFileLimit) }, at: 0)
    }
    let (progress, count, total) = (progress, tasks.count, context.counts.total)
    try perform(tasks) { done in
      progress?.say("Writing the report of \(counted(total, "test")), \(100 * done / count) %")
    }
  }

  private func writeSingleFile(
    _ context: PageContext, _ library: TemplateLibrary, in files: ReportWriter, _ plan: RowPlan?, limit: Int
  ) throws {
    let source = embeddedFiles(in: files.folder, onlyImages: !includesRows)
    let file = SingleFile(context: context, templates: library, limit: limit, source: source, rows: plan)
    try files.write(SingleFile.path) { try file.write($0) }
  }
}
