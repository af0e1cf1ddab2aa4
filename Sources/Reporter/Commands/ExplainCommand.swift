import ArgumentParser
import Collector
import Foundation
import ReportModel

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Runs failed tests again with one thing changed at a time, and tells what they pass with.",
    discussion: """
      The test products of the run are used as they are. Nothing is captured, and what the runs write to temporary \
      folders is removed. Only tests run whose databases lie in memory, in temporary folders, or below .build or \
      the artifacts folder. What is found is kept in the run's folder, and the report is written again.

      Examples:
        reporter explain
        reporter explain testTotal --seconds 300

      Exit codes: 0 the report was written, whatever was found; 64 usage; 66 no usable input; 73 it cannot be written.
      """)

  @Argument(help: "Tests, by name or a part of one (default: all that failed).")
  var tests: [String] = []

  @OptionGroup var chosen: RunOptions

  @OptionGroup var experiments: ExplainOptions

  @OptionGroup var options: ReportOptions

  @OptionGroup(title: "Options for the history") var history: HistoryOptions

  @OptionGroup(title: "Options for continuous integration") var ci: CIOptions

  func run() throws {
    let inputs = inputsOrArtifacts([])
    var explaining = Explaining(
      inputs: inputs, choice: chosen.choice, sourceRoot: options.sourceRoot, budget: experiments.budget)
    explaining.isAnywhere = experiments.explainAnywhere
    let names = tests
    let hasFailed = try explaining.perform { tests in
      if names.isEmpty { return nil }
      return try names.map { name in
        let test = try chosenTest(name, among: tests, TestNames.init)
        if test.outcome.isFailure { return test.id }
        throw Reporting.refusal("\(test.id) did not fail.", ReporterExit.usage)
      }
    }
    if !hasFailed { return print("No test failed.") }
    var reporting = Reporting(options: options, ci: ci, artifacts: .current)
    reporting.history = history.lookup(.current, orElse: .read)
    _ = try reporting.report(inputs, runs: chosen.choice)
  }
}

/// Options for experiments on failed tests.
struct ExplainOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Seconds for the experiments on all failed tests (default: \(Explaining.usualBudget)).",
      valueName: "count"))
  var seconds: Int?

  @Flag(help: "Also run tests again whose databases lie outside of temporary folders.")
  var explainAnywhere = false

  var budget: Int { seconds ?? Explaining.usualBudget }

  func validate() throws {
    try Explaining.check(budget: seconds, of: "--seconds")
  }
}
