import ArgumentParser
import Collector
import ReportModel
import ReportPipeline

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a report from what a run of swift test left behind.",
    discussion: """
      Examples:
        swift test --xunit-output results.xml; reporter report results.xml
        swift test 2>&1 | tee console.txt | reporter report -
        reporter report --all-runs
        reporter report --fail-on failed,crashed --report-url https://reports.example.org/7

      Exit codes: 0 the report is complete, whatever the tests' outcome; 1 a rule such as --fail-on is broken; \
      3 it was written but is degraded: something was lost, guessed or contradictory; 64 usage; 66 no usable \
      input; 73 it cannot be written.
      """)

  @Argument(
    help: """
      Artifacts folders, run folders, xunit XML, event streams and the console of swift test, or folders of these; - is \
      standard input (default: test-artifacts).
      """)
  var inputs: [String] = []

  @OptionGroup var runs: RunOptions

  @Option(
    help: ArgumentHelp(
      "How many shards there must be: one that is missing, or there twice, is a fault.", valueName: "count"))
  var shards: Int?

  @OptionGroup var options: ReportOptions

  @OptionGroup(title: "Options for the history") var history: HistoryOptions

  @OptionGroup(title: "Options for continuous integration") var ci: CIOptions

  func validate() throws {
    if let shards, !(1...Shard.most).contains(shards) {
      throw ValidationError("--shards takes a count from 1 to \(Shard.most).")
    }
  }

  func run() throws {
    var reporting = Reporting(options, ci, .current, history.lookup(.current, orElse: .read))
    reporting.making.lookup.shards = shards
    try reporting.judge(try reporting.report(inputsOrArtifacts(inputs), runs: runs.choice))
  }
}
