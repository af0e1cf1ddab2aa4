import ArgumentParser
import Collector
import ExhibitSystem
import Foundation
import ReportModel
import ReportReading
import ReportRendering

/// Makes a report for a command, and prints its place.
struct Reporting {
  var options: ReportOptions
  var ci: CIOptions
  var artifacts: ArtifactsFolder
  /// The tests' earlier outcomes, if they are wanted.
  var history: HistoryLookup?
  /// The run of `reporter test` and one sentence on what happened to it, for where it has no tests; `nil` for inputs that the user
  /// named.
  var emptyRun: EmptyRun?
  /// Sentences on parts of the run of `reporter test` that could not be kept.
  var losses: [String] = []
  /// Further remarks of `reporter test` on the run.
  var remarks = Remarks()
  /// The number of shards that there must be, if that is said.
  var shards: Int?
  /// True to name the failed tests on a terminal, as `reporter test` does.
  var namesFailures = false
  /// What this report is, where it is written again when experiments have ended.
  var stage = Stage.only

  /// The reader is told of the first report, and a CI service gets what stands in the completed one.
  enum Stage { case only, first, completed }

  typealias EmptyRun = (run: RunFolder, message: String)

  /// - Throws: The exit code for a problem, which was printed.
  func report(_ paths: [String], runs: RunChoice) throws -> Report {
    let progress = ProgressLine.onStandardError()
    defer { progress?.finish() }
    progress?.say("Reading \(paths.joined(separator: ", "))")
    var read: [RunInputs]
    do throws(InputError) {
      read = try readRuns(paths, choice: runs, output: output)
    } catch {
      progress?.finish()
      Self.complain("\(error)")
      try replaceEarlier(because: error)
      throw ReporterExit.noInput
    }
    if let emptyRun, !read.contains(where: \.hasTests) {
      progress?.finish()
      Self.complain(emptyRun.message)
      try writeEmpty(&read, because: emptyRun.message)
      throw ReporterExit.noInput
    }
    return try write(&read, progress)
  }

  private var output: String {
    options.output.map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? artifacts.reportFolder
  }

  /// - Parameter earlier: The path at which to keep the report that is replaced; `nil` to remove it.
  private func write(
    _ runs: inout [RunInputs], _ progress: ProgressLine?, keepingEarlierAt earlier: String? = nil
  ) throws -> Report {
    do {
      var remarks = Remarks()
      history?.complete(&runs)
      for loss in losses { remarks.fault(.unreadableInput, loss) }
      remarks.append(self.remarks)
      let root = Self.sourceRoot(options.sourceRoot, of: runs)
      let summary = ci.summary(
        runs: runs.compactMap(\.run), root: root.path, &remarks, variable: Self.variable)
      let pipeline = ReportPipeline(
        output: output, sourceRoot: root,
        title: options.title ?? Self.title(ofPackage: Self.package(of: runs)),
        includesRows: !options.noRows, templates: options.templates,
        nonce: options.nonce ?? Self.randomNonce(), rowLimits: options.rowLimits, summary: summary,
        writesCodeQuality: annotations == .gitlab, editor: options.editor,
        singleFileLimit: options.singleFileLimit, history: history, shards: shards, progress: progress,
        earlier: earlier)
      let read = runs
      runs = []
      let context = try pipeline.write(consume read, remarks)
      progress?.finish()
      if stage != .completed { tell(context) }
      if stage == .first { return context.contents.report }
      if annotations == .github { for line in Annotations(context).commands { print(line) } }
      appendSummary(output)
      return context.contents.report
    } catch let error as TemplateError {
      Self.complain("\(error)")
      throw ReporterExit.usage
    } catch {
      Self.complain("\(error)")
      throw ReporterExit.cannotWrite
    }
  }

  // MARK: - Runs without tests

  /// Replaces an earlier report, which could be taken for this run's, with one that says that this run has no tests.
  ///
  /// - Throws: The exit code for a report that cannot be written.
  func replaceEarlier(because error: InputError) throws {
    let hasEarlier = FileSystem.status(output + "/report.json") != nil
    guard emptyRun != nil || hasEarlier else { return }
    // A wrong name is a user's slip; if it is the run of `reporter test`, that run has disappeared.
    switch error {
    case .noSuchRun, .missing:
      if emptyRun == nil {
        return Self.complain("The report in \(currentFolder.relative(output)) is an earlier one.")
      }
    default: break
    }
    var runs = [emptyRun.map { Self.empty($0.run) } ?? RunInputs(RunID(name: ""))]
    try writeEmpty(&runs, because: emptyRun?.message ?? "\(error)")
  }

  /// Writes a report on inputs without a test, and keeps an earlier one that has tests.
  private func writeEmpty(_ runs: inout [RunInputs], because message: String) throws {
    let earlier = ReportFolder.earlierPath(of: output)
    let keeps = ReportFolder.holdsTests(output)
    var message = message
    if keeps || ReportFolder.holdsTests(earlier) {
      let name = earlier.split(separator: "/").last ?? ""
      message += " The report of an earlier run is kept beside this one, in \(name)."
    }
    if !runs.isEmpty { runs[0].remarks.fault(.noTests, message) }
    _ = try write(&runs, nil, keepingEarlierAt: keeps ? earlier : nil)
  }

  private static func empty(_ run: RunFolder) -> RunInputs {
    // The run has no tests even if its manifest cannot be read.
    let manifest = try? RunManifest(of: run)
    let shown = manifest.map(Report.Run.init) ?? Report.Run(name: run.name)
    var inputs = RunInputs(RunID(name: shown.name, folder: run.path), run: shown)
    inputs.packageFolder = manifest?.package
    return inputs
  }

  /// - Parameter named: The folder that the user named, if any.
  static func sourceRoot(_ named: String?, of runs: [RunInputs]) -> SourceRoot {
    named.map { SourceRoot(path: $0) } ?? SourceRoot(ofRun: package(of: runs), current: currentFolder.path)
  }

  private static func package(of runs: [RunInputs]) -> String {
    runs.lazy.compactMap(\.packageFolder).first ?? currentFolder.path
  }

  static func title(ofPackage folder: String) -> String {
    folder.split(separator: "/").last.map(String.init) ?? "Tests"
  }

  static func randomNonce() -> String {
    Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: - Messages

  /// Prints the rules of the gates that a report breaks.
  ///
  /// - Throws: The exit code for a broken rule, or for a degraded report.
  func judge(_ report: Report) throws {
    let broken = ci.rulesBroken(by: report)
    for rule in broken { Self.complain(rule) }
    if !broken.isEmpty { throw ReporterExit.gate }
    if report.isDegraded { throw ReporterExit.degraded }
  }

  private var annotations: CIOptions.AnnotationForm { ci.annotations ?? .init(Self.variable) }

  /// Appends the summary to the job's page; if that fails, the report still has it.
  private func appendSummary(_ output: String) {
    guard !ci.noStepSummary, let path = Self.variable("GITHUB_STEP_SUMMARY") else { return }
    do {
      let summary = try Data(contentsOf: URL(fileURLWithPath: output + "/summary.md"))
      if try !StepSummary(path: path).append([UInt8](summary)) {
        Self.complain("summary.md does not fit into what is left of 1 MiB of $GITHUB_STEP_SUMMARY.")
      }
    } catch {
      Self.complain("The summary was not appended to $GITHUB_STEP_SUMMARY. \(error)")
    }
  }

  private func tell(_ context: PageContext) {
    let report = context.contents.report
    for fault in report.faults.prefix(20) { Self.complain(fault.line) }
    if report.faults.count > 20 {
      Self.complain("\(report.faults.count - 20) more faults are in the report.")
    }
    let terminal = TerminalSettings.ofStandardOutput()
    let isTerminal = terminal.width != nil
    if isTerminal && namesFailures { print(printedFailures(context, terminal), terminator: "") }
    // A terminal opens an address on a click; a job's log has no disk to open it from.
    let shown = currentFolder.relative(output)
    var lines = [
      Self.tally(report) + (report.isDegraded ? " The report is degraded." : ""),
      "Report: " + (isTerminal ? fileAddress(of: output + "/index.html") : "\(shown)/index.html"),
    ]
    if namesFailures, let offer = context.contents.comparisonOffer {
      let count = report.tests.count(where: context.contents.lacksPass)
      lines.append(
        "\(counted(count, "failed test")) \(count == 1 ? "has" : "have") no pass to compare with. What is different with \(offer): "
          + "reporter test --compare-with \(shellWord(offer))")
    }
    if options.singleFile { lines.append("In one file: \(shown)/\(SingleFile.path)") }
    for line in lines { print(printedLine(line)) }
  }

  private static func tally(_ report: Report) -> String {
    guard !report.tests.isEmpty else { return "No test was read." }
    let counts = OutcomeCounts(report.tests)
    let parts = Outcome.allCases.filter { counts[$0] > 0 }.map { $0.phrase(counts[$0]) }
    let aside = counts.flaky > 0 ? ", \(counts.flaky) of them flaky" : ""
    return "\(counted(report.tests.count, "test")): \(parts.joined(separator: ", "))\(aside)."
  }

  /// Prints on standard output.
  ///
  /// - Throws: The exit code for an output that cannot be written; the reason is printed.
  static func write(_ bytes: [UInt8]) throws {
    try orExit(ReporterExit.cannotWrite) {
      try FileSystem.write(bytes, to: STDOUT_FILENO, path: "standard output")
    }
  }

  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Returns a body's result; prints its error, and throws the exit code in its place.
  ///
  /// - Parameter loss: A sentence that goes before the error.
  static func orExit<Answer>(
    _ code: ExitCode, _ loss: String = "", _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let code as ExitCode {
      throw code
    } catch {
      throw refusal(loss + error.sentence, code)
    }
  }

  /// Prints why a command ends.
  ///
  /// - Returns: Its exit code.
  static func refusal(_ message: String, _ code: ExitCode) -> ExitCode {
    complain(message)
    return code
  }

  /// Prints one line on standard error, whatever characters the message has.
  static func complain(_ message: String) {
    FileHandle.standardError.write(Data("reporter: \(printedLine(message))\n".utf8))
  }
}

extension Error {
  /// The sentence for people: Foundation has sentences on its errors, all others describe themselves.
  var sentence: String {
    let isOfFoundation = self is CocoaError || self is DecodingError || type(of: self) is NSError.Type
    return isOfFoundation ? localizedDescription : "\(self)"
  }
}

extension Remark {
  fileprivate var line: String { (input.map { "\($0): " } ?? "") + message }
}
