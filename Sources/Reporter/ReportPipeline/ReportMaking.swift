import Collector
import ExhibitSystem
import Foundation
import ReportInspection
package import ReportModel
package import ReportReading
package import ReportRendering

/// Makes a report from inputs and writes it into its folder.
package struct ReportMaking: Sendable {
  package var lookup = ReportLookup()
  package let output: String
  package var templates: String?
  package var rowLimits = ByteBudget()
  package var writesCodeQuality = false
  /// The most bytes of `report.html`; `nil` for no such file.
  package var singleFileLimit: Int?
  /// Told where `reporter test` ran no tests; `nil` for named inputs.
  package var emptyRun: EmptyRun?
  /// What `reporter test` could not keep, in sentences.
  package var losses: [String] = []
  package var remarks = Remarks()
  package var progress: @Sendable (String) -> Void = { _ in }
  package var say: @Sendable (String) -> Void

  package init(output: String, say: @escaping @Sendable (String) -> Void) {
    (self.output, self.say) = (output, say)
  }

  package enum Made {
    case complete(PageContext)
    /// No test was read; with the report that says so, if there is one.
    case empty(PageContext?)
  }

  package func report(on paths: [String], runs choice: RunChoice) throws(Refusal) -> Made {
    progress("Reading \(paths.joined(separator: ", "))")
    var read: [RunInputs]
    do throws(InputError) {
      read = try readRuns(paths, choice: choice, output: output)
    } catch {
      say("\(error)")
      return .empty(try replaceEarlier(because: error))
    }
    if let emptyRun, !read.contains(where: \.hasTests) {
      say(emptyRun.message)
      return .empty(try writeEmpty(&read, because: emptyRun.message))
    }
    return .complete(try write(&read))
  }

  /// - Parameter earlier: Where to keep the replaced report; `nil` to remove it.
  private func write(
    _ runs: inout [RunInputs], keepingEarlierAt earlier: String? = nil
  ) throws(Refusal) -> PageContext {
    let read = runs
    runs = []
    do {
      return try write(consume read, keepingEarlierAt: earlier)
    } catch let error as TemplateError {
      throw .usage("\(error)")
    } catch {
      throw .cannotWrite("\(error)")
    }
  }

  private func write(
    _ runs: consuming [RunInputs], keepingEarlierAt earlier: String?
  ) throws -> PageContext {
    let folder = try ReportFolder(path: output)
    let count = runs.reduce(0) { $1.inputs.reduce($0) { $0 + $1.observations.count } }
    progress("Joining \(counted(count, "result"))")
    var remarks = Remarks()
    for loss in losses { remarks.fault(.unreadableInput, loss) }
    remarks.append(self.remarks)
    let context: PageContext
    do throws(SystemError) {
      var contents = try lookup.contents(of: consume runs, remarks, in: folder.building)
      try contents.packEvidence(in: folder.building)
      context = PageContext(contents)
    } catch {
      throw ReportFolder.WritingError.file(error)
    }
    do {
      try render(context, in: folder.files)
      try context.contents.removePackedBaselines(in: folder.building)
    } catch let error as SystemError {
      throw ReportFolder.WritingError.file(error)
    }
    try folder.publish(keepingEarlierAt: earlier)
    for leftover in folder.leftovers { say("An older report is left over. \(leftover)") }
    return context
  }

  // MARK: - Runs without tests

  /// Replaces an earlier report, which could be taken for this run's.
  ///
  /// - Returns: `nil` where there was none, or it stays.
  package func replaceEarlier(because error: InputError) throws(Refusal) -> PageContext? {
    let hasEarlier = FileSystem.status(output + "/report.json") != nil
    guard emptyRun != nil || hasEarlier else { return nil }
    // A wrong name is a user's slip; the run of `reporter test` must have disappeared.
    switch error {
    case .noSuchRun, .missing:
      if emptyRun == nil {
        say("The report in \(currentFolder.relative(output)) is an earlier one.")
        return nil
      }
    default: break
    }
    var runs = [emptyRun.map { RunInputs(head: $0.run, named: $0.run.name) } ?? RunInputs(RunID(name: ""))]
    return try writeEmpty(&runs, because: emptyRun?.message ?? "\(error)")
  }

  private func writeEmpty(
    _ runs: inout [RunInputs], because message: String
  ) throws(Refusal) -> PageContext {
    let earlier = ReportFolder.earlierPath(of: output)
    let keeps = ReportFolder.holdsTests(output)
    var message = message
    if keeps || ReportFolder.holdsTests(earlier) {
      let name = earlier.split(separator: "/").last ?? ""
      message += " The report of an earlier run is kept beside this one, in \(name)."
    }
    if !runs.isEmpty { runs[0].remarks.fault(.noTests, message) }
    return try write(&runs, keepingEarlierAt: keeps ? earlier : nil)
  }

  // MARK: - Files

  /// Names unreadable files like too large ones; without rows, embeds no file that may have rows.
  private func embeddedFiles(in folder: String, onlyImages: Bool) -> EmbeddedFiles.Source {
    { path, limit in
      guard !onlyImages || isImage(path),
        let size = try? FileManager.default.attributesOfItem(atPath: folder + "/" + path)[.size] as? Int,
        size <= limit
      else { return nil }
      return FileManager.default.contents(atPath: folder + "/" + path).map { [UInt8]($0) }
    }
  }

  private func render(_ original: PageContext, in files: ReportWriter) throws {
    let library = try TemplateLibrary(overrides: templates.map { URL(fileURLWithPath: $0) })
    let plan = lookup.includesRows && rowLimits.hasRoom ? RowPlan(original, folder: files.folder) : nil
    let pages = lookup.includesRows ? DatabasePages(original, folder: files.folder) : nil
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
      progress("Writing the report of \(counted(total, "test")), \(100 * done / count) %")
    }
  }

  private func writeSingleFile(
    _ context: PageContext, _ library: TemplateLibrary, in files: ReportWriter, _ plan: RowPlan?, limit: Int
  ) throws {
    let source = embeddedFiles(in: files.folder, onlyImages: !lookup.includesRows)
    let file = SingleFile(context: context, templates: library, limit: limit, source: source, rows: plan)
    try files.write(SingleFile.path) { try file.write($0) }
  }
}
