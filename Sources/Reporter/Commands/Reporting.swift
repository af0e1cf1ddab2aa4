import ArgumentParser
import Collector
import ExhibitSystem
import Foundation
import ReportModel
import ReportPipeline
import ReportReading
import ReportRendering

/// Makes a report for a command, and prints its place.
struct Reporting {
  let options: ReportOptions
  let ci: CIOptions
  var making: ReportMaking
  /// True to name the failed tests on a terminal.
  var namesFailures = false
  /// Whether the report is written again after experiments.
  var stage = Stage.only

  /// People are told of the first report, a CI service of the completed one.
  enum Stage { case only, first, completed }

  init(_ options: ReportOptions, _ ci: CIOptions, _ artifacts: ArtifactsFolder, _ history: HistoryLookup?) {
    (self.options, self.ci) = (options, ci)
    let output = options.output.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    making = ReportMaking(output: output ?? artifacts.reportFolder, say: Self.complain)
    options.apply(to: &making)
    making.lookup.history = history
    making.lookup.summary = { ci.summary(runs: $0, root: $1.path, &$2, variable: Self.variable) }
    making.writesCodeQuality = annotations == .gitlab
  }

  /// - Throws: The exit code for a problem, which was printed.
  func report(_ paths: [String], runs: RunChoice) throws -> Report {
    let progress = ProgressLine.onStandardError()
    defer { progress?.finish() }
    var making = making
    if let progress {
      making.progress = { progress.say($0) }
      making.say = {
        progress.finish()
        Self.complain($0)
      }
    }
    let made = try Self.told { try making.report(on: paths, runs: runs) }
    progress?.finish()
    switch made {
    case .complete(let context):
      publish(context)
      return context.contents.report
    case .empty(let context):
      if let context { publish(context) }
      throw ReporterExit.noInput
    }
  }

  /// Tells people and CI services of a written report.
  func publish(_ context: PageContext) {
    if stage != .completed { tell(context) }
    if stage == .first { return }
    if annotations == .github { for line in Annotations(context).commands { print(line) } }
    appendSummary(making.output)
  }

  static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: - Messages

  /// Prints broken rules of the gates.
  ///
  /// - Throws: The exit code for one, or for a degraded report.
  func judge(_ report: Report) throws {
    let broken = ci.rulesBroken(by: report)
    for rule in broken { Self.complain(rule) }
    if !broken.isEmpty { throw ReporterExit.gate }
    if report.isDegraded { throw ReporterExit.degraded }
  }

  private var annotations: CIOptions.AnnotationForm { ci.annotations ?? .init(Self.variable) }

  /// If it fails, the report still has the summary.
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
    for sentence in report.cutShort.prefix(20) { Self.complain(sentence) }
    if report.faults.count > 20 {
      Self.complain("\(report.faults.count - 20) more faults are in the report.")
    }
    let terminal = TerminalSettings.ofStandardOutput()
    let isTerminal = terminal.width != nil
    if isTerminal && namesFailures { print(printedFailures(context, terminal), terminator: "") }
    // A terminal opens an address on a click; a job's log has no disk to open it from.
    let shown = currentFolder.relative(making.output)
    var lines = [
      Self.tally(report) + (report.isDegraded ? " The report is degraded." : ""),
      "Report: " + (isTerminal ? fileAddress(of: making.output + "/index.html") : "\(shown)/index.html"),
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

  /// Writes to standard output, or prints why it cannot.
  static func write(_ bytes: [UInt8]) throws {
    try orExit(ReporterExit.cannotWrite) {
      try FileSystem.write(bytes, to: STDOUT_FILENO, path: "standard output")
    }
  }

  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Returns a body's result; prints its error, and throws the exit code in its place.
  ///
  /// - Parameter loss: A sentence before the error.
  static func orExit<Answer>(
    _ code: ExitCode, _ loss: String = "", _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try told(body)
    } catch let code as ExitCode {
      throw code
    } catch {
      throw refusal(loss + error.sentence, code)
    }
  }

  /// Returns a body's result; prints a refusal, and throws its exit code.
  static func told<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as Refusal {
      switch error {
      case .usage(let sentence): throw refusal(sentence, ReporterExit.usage)
      case .noInput(let sentence): throw refusal(sentence, ReporterExit.noInput)
      case .cannotWrite(let sentence): throw refusal(sentence, ReporterExit.cannotWrite)
      case .ended(let status): throw ExitCode(status)
      }
    }
  }

  static func refusal(_ message: String, _ code: ExitCode) -> ExitCode {
    complain(message)
    return code
  }

  /// Prints one line on standard error, whatever characters the message has.
  @Sendable static func complain(_ message: String) {
    FileHandle.standardError.write(Data("reporter: \(printedLine(message))\n".utf8))
  }
}

extension Remark {
  fileprivate var line: String { (input.map { "\($0): " } ?? "") + message }
}
