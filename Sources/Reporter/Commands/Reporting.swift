import ArgumentParser
import Collector
import Foundation

/// Makes a report for a command, and tells the user where it is.
struct Reporting {
  var options: ReportOptions
  var artifacts: ArtifactsFolder
  /// Where sources lie when no run says.
  var folder: String

  /// - Throws: The exit code that stands for what went wrong, which was printed.
  func report(_ paths: [String], runs: RunChoice) throws -> Report {
    let progress = ProgressLine.onStandardError()
    defer { progress?.finish() }
    progress?.say("Reading \(paths.joined(separator: ", "))")
    var set: InputSet
    do throws(InputError) {
      set = try InputSet.read(paths, runs: runs)
    } catch {
      Self.complain("\(error)")
      throw ReporterExit.noInput
    }
    let output =
      options.output.map { URL(fileURLWithPath: $0).standardizedFileURL.path } ?? artifacts.reportFolder
    do {
      let summary = options.ci.summary(runs: set.runs, &set.findings, variable: Self.variable)
      var pipeline = pipeline(for: set, summary, output: output)
      pipeline.progress = progress
      let report = try pipeline.write(consume set)
      progress?.finish()
      tell(report, output: output)
      annotate(report)
      appendSummary(output)
      return report
    } catch let error as TemplateError {
      Self.complain("\(error)")
      throw ReporterExit.usage
    } catch {
      Self.complain("\(error)")
      throw ReporterExit.cannotWrite
    }
  }

  private func pipeline(
    for set: InputSet, _ summary: SummaryOptions, output: String
  ) -> ReportPipeline {
    let package = set.packageFolder ?? folder
    let name = package.split(separator: "/").last.map(String.init) ?? "Tests"
    let root =
      options.sourceRoot.map { SourceRoot(path: $0) } ?? SourceRoot(ofRun: package, current: folder)
    return ReportPipeline(
      output: output, sourceRoot: root,
      title: options.title ?? name,
      includesRows: !options.noRows, templates: options.templates, nonce: options.nonce ?? Self.randomNonce(),
      summary: summary, singleFileLimit: options.singleFileLimit)
  }

  private static func randomNonce() -> String {
    Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: - Telling

  /// Names the rules of the gates that a report breaks.
  ///
  /// - Throws: The exit code for a broken rule, or for a degraded report.
  func judge(_ report: Report) throws {
    let broken = options.ci.gates.broken(by: report)
    for rule in broken { Self.complain(rule) }
    if !broken.isEmpty { throw ReporterExit.gate }
    if report.isDegraded { throw ReporterExit.degraded }
  }

  private func annotate(_ report: Report) {
    guard options.ci.annotations == .github else { return }
    for line in GitHubAnnotations(report).lines { print(line) }
  }

  /// A summary that cannot be appended is lost to that page alone: the report has it.
  private func appendSummary(_ output: String) {
    guard !options.ci.noStepSummary, let path = Self.variable("GITHUB_STEP_SUMMARY") else { return }
    do {
      let summary = try Data(contentsOf: URL(fileURLWithPath: output + "/summary.md"))
      if try StepSummary(path: path).append([UInt8](summary)) == .tooLarge {
        Self.complain("summary.md does not fit into what is left of 1 MiB of $GITHUB_STEP_SUMMARY.")
      }
    } catch {
      Self.complain("The summary was not appended to $GITHUB_STEP_SUMMARY. \(error)")
    }
  }

  private func tell(_ report: Report, output: String) {
    for fault in report.faults.prefix(20) { Self.complain(fault.line) }
    if report.faults.count > 20 {
      Self.complain("\(report.faults.count - 20) more faults are in the report.")
    }
    let shown = SourceRoot(path: folder).relative(output)
    var lines = [
      Self.tally(report) + (report.isDegraded ? " The report is degraded." : ""),
      "Report: \(shown)/index.html",
    ]
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

  /// One line on standard error, whatever came from outside.
  static func complain(_ message: String) {
    FileHandle.standardError.write(Data("reporter: \(printedLine(message))\n".utf8))
  }
}

extension Finding {
  fileprivate var line: String { (input.map { "\($0): " } ?? "") + message }
}
