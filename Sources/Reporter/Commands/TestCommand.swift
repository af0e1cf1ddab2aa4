import ArgumentParser
import Collector
import Foundation
import ReportHistory
import ReportModel
import ReportPipeline
import ReportReading

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs swift test and writes the report.",
    usage: "reporter test [<options>] [-- <arguments of swift test>]",
    discussion: """
      Adds an event stream, a folder for attachments, and an xunit file where none is asked for.

      Examples:
        reporter test
        reporter test -- --parallel --filter OrderTests
        reporter test --rerun-failed 2
        reporter test --rerun-failed 1 --compare-with main -- --parallel
        reporter test --shard 2/4 --label bookworm

      Exit codes: what swift test returned; where that was 0, 1 when a test ended its process, as by exit(0), or a \
      rule such as --max-duration is broken, 3 for a degraded report and 66 when no test ran; \
      64 usage; 73 the report cannot be written. A test that fails and passes when it runs again is flaky, and the \
      exit code stays that of the first swift test.
      """)

  @OptionGroup var options: ReportOptions

  @OptionGroup(title: "Options for the history") var history: HistoryOptions

  @OptionGroup(title: "Options for continuous integration") var ci: CIOptions

  @OptionGroup(title: "Options for tests that pass") var passes: PassOptions

  @OptionGroup(title: "Options for tests that several machines share") var shards: ShardOptions

  @Argument(parsing: .postTerminator, help: "What swift test is given.")
  var arguments: [String] = []

  /// The usage error of `reporter test --filter X`, which explains the right place.
  ///
  /// - Parameter message: The error as ArgumentParser words it.
  static func misplacedArgument(in arguments: [String], message: String) -> ValidationError? {
    let isUnknown = ["Unknown option", "Unexpected argument"].contains { message.hasPrefix($0) }
    let own = arguments.prefix { $0 != "--" }
    guard arguments.first == configuration.commandName, isUnknown,
      let first = own.dropFirst().firstIndex(where: { message.contains("'\($0.prefix { $0 != "=" })'") })
    else { return nil }
    let given = own[first...].map { $0.contains(where: \.isWhitespace) ? shellQuoted($0) : $0 }
    return ValidationError(
      "\(message)\nWhat swift test is given follows --: reporter test -- \(given.joined(separator: " "))")
  }

  func run() throws {
    var environment = ProcessInfo.processInfo.environment
    let given = SwiftTestArguments(arguments, workingFolder: currentFolder.path)
    let variable = "EXHIBIT_RECORD_PASSES"
    environment[variable] = passes.recording(
      environment[variable],
      isWanted: !options.noRows && history.keepsPasses(inPackage: given.packageFolder, environment))
    var (invocations, split) = ([given], nil as TestSplit?)
    if let shard = shards.shard {
      let sharded = ShardedTests(
        choice: shard, arguments: given, environment: environment, durations: history.durations,
        say: Reporting.complain)
      split = try sharded.split()
      if shards.list {
        guard let split else { throw ReporterExit.noInput }
        return try Reporting.write(sharded.list(split).map { printedLine($0) + "\n" }.joined())
      }
      invocations = split.map(sharded.invocations) ?? [given.withoutTests]
    }
    let run = try prepare(invocations[0], environment, split)
    // A shard's copy of the history would be one of several.
    let lookup = history.lookup(run.artifacts, orElse: shards.shard == nil ? .add : .read)
    var reporting = Reporting(options, ci, run.artifacts, lookup)
    var seeking = PassSeeking(
      of: run, rounds: passes.rerunFailed ?? 0, commit: passes.compareWith,
      onlyWithoutPass: passes.onlyWithoutPass, history: lookup)
    seeking.lookForCommit()
    let outcome = try perform(run, invocations.dropFirst(), reporting)
    let end = outcome.end
    for loss in outcome.losses { Reporting.complain(loss) }
    if case .exited(let status) = end, status != 0 { seeking.perform() }
    (reporting.making.losses, reporting.making.remarks) = (outcome.losses + seeking.losses, seeking.remarks)
    reporting.namesFailures = true
    let status = ExitCode(end.status)
    reporting.making.emptyRun = run.emptyRun("swift test returned \(end.status)")
    do {
      let artifacts = currentFolder.relative(run.artifacts.path)
      let explains = !status.isSuccess && passes.explain != nil
      reporting.stage = explains ? .first : .only
      var report = try reporting.report([artifacts], runs: .named(run.run.name))
      if explains, let budget = passes.explain {
        do {
          try explain(run, [artifacts], budget: budget)
        } catch is ExitCode {
          // The reason was printed; what is known is reported all the same.
        }
        reporting.stage = .completed
        report = try reporting.report([artifacts], runs: .named(run.run.name))
      }
      // `swift test` knows only what the process returned.
      if status.isSuccess, let death = run.deaths(in: report).first {
        throw Reporting.refusal(
          "swift test returned 0 although a test ended its process. \(death.message)", ReporterExit.gate)
      }
      try reporting.judge(report)
    } catch let code as ExitCode where status.isSuccess {
      throw code
    } catch is ExitCode {
      // The report's problem was printed; that tests failed matters more.
    }
    if !status.isSuccess { throw status }
  }

  private func explain(_ run: TestRun, _ inputs: [String], budget: Int) throws {
    var explaining = Explaining(
      inputs: inputs, choice: .named(run.run.name), sourceRoot: options.sourceRoot, budget: budget,
      note: ToldExplaining().note)
    (explaining.isAnywhere, explaining.environment) = (passes.explainAnywhere, run.environment)
    _ = try Reporting.told { try explaining.perform { _ in nil } }
  }

  /// - Parameter split: The run is a shard of it.
  private func prepare(
    _ arguments: SwiftTestArguments, _ environment: [String: String], _ split: TestSplit?
  ) throws -> TestRun {
    try Reporting.orExit(ReporterExit.cannotWrite, "The run's folder cannot be made. ") {
      let run = try TestRun(
        arguments, environment: environment, label: history.label, say: Reporting.complain)
      if let split, let shard = shards.shard {
        try ShardRecord.write(split, shard: shard.number, to: run.run)
      }
      return run
    }
  }

  private func perform(
    _ run: TestRun, _ further: some Sequence<SwiftTestArguments>, _ reporting: Reporting
  ) throws -> TestRun.Outcome {
    do {
      return try run.perform(further)
    } catch {
      Reporting.complain("\(error)")
      var making = reporting.making
      making.emptyRun = (run.run, "This run has no tests. \(error).")
      let context = try making.replaceEarlier(because: .noTests(names: [run.run.name]))
      if let context { reporting.publish(context) }
      throw ReporterExit.noInput
    }
  }
}
