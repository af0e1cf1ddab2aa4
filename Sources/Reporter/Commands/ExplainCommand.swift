import ArgumentParser
import Collector
import Foundation
import ReportModel
import ReportPipeline

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
      inputs: inputs, choice: chosen.choice, sourceRoot: options.sourceRoot, budget: experiments.budget,
      note: ToldExplaining().note)
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
    let reporting = Reporting(options, ci, .current, history.lookup(.current, orElse: .read))
    _ = try reporting.report(inputs, runs: chosen.choice)
  }
}

struct ExplainOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Seconds for the experiments on all failed tests (default: \(Self.usualBudget)).",
      valueName: "count"))
  var seconds: Int?

  @Flag(help: "Also run tests again whose databases lie outside of temporary folders.")
  var explainAnywhere = false

  /// Seconds.
  static let usualBudget = 60
  private static let budgets = 1...86_400

  static func check(budget: Int?, of option: String) throws {
    guard let budget, !budgets.contains(budget) else { return }
    throw ValidationError("\(option) takes seconds from 1 to \(budgets.upperBound).")
  }

  var budget: Int { seconds ?? Self.usualBudget }

  func validate() throws {
    try Self.check(budget: seconds, of: "--seconds")
  }
}
