import ArgumentParser
import Collector
import ReportModel
import ReportPipeline
import ReportReading
import ReportRendering
import ReportStory

struct ShowCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case terminal, markdown
  }

  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints what one test did: message, source, statements and changed rows, schema.",
    discussion: """
      TEST is a name, a part of one, or the identity that a test's page shows.

      Examples:
        reporter show testTheLastCopyIsReserved
        reporter show OrderTests.testTotal --format markdown
        reporter show testTotal --step 17
        reporter show testTotal --row orders:7
        reporter show testTotal --json

      Colours are used on a terminal unless $NO_COLOR is set.

      Of several tests with the name the one that failed is taken.

      Exit codes: 0 it was printed; 64 usage, no test or several have the name, there is no such step, table or row; 66 no usable input; 73 no temporary \
      files or no output can be written.
      """)

  @Argument(help: "The test.")
  var test: String

  @Argument(help: "What is read, as by reporter report (default: test-artifacts).")
  var inputs: [String] = []

  @OptionGroup var chosen: RunOptions

  @Option(help: "terminal, or markdown: one document for an issue or an assistant (default: terminal).")
  var format: Format?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(help: ArgumentHelp("Keep Markdown below this size (default: 8192).", valueName: "bytes"))
  var maxBytes = ShownTest.usualBytes

  @Option(help: ArgumentHelp("Print the tables as they were after that step.", valueName: "number"))
  var step: Int?

  @Option(
    help: ArgumentHelp(
      "Print the steps that wrote a row, given by its rowid or its primary key.", valueName: "table:key"))
  var row: String?

  @Option(help: "The folder that shown source paths are relative to (default: the run's package folder).")
  var sourceRoot: String?

  @Option(help: .editor, transform: EditorTemplate.init(_:))
  var editor: EditorTemplate?

  @Flag(name: .customLong("no-rows"), help: "Keep values of databases out.")
  var noRows = false

  @OptionGroup var place: HistoryPlace

  @Option(help: ArgumentHelp("What the history calls the machines of this run.", valueName: "text"))
  var label: String?

  func validate() throws {
    if json, format != nil { throw ValidationError("--json and --format exclude each other.") }
    if maxBytes < 1000 { throw ValidationError("--max-bytes is at least 1000.") }
    if step != nil && row != nil { throw ValidationError("--step and --row exclude each other.") }
    if let step, step < 0 { throw ValidationError("--step is at least 0, which is before the first.") }
    if let row, StateQuestion(row: row) == nil { throw ValidationError("--row is TABLE:KEY.") }
    if test.isEmpty { throw ValidationError("TEST is empty.") }
  }

  func run() throws {
    let runs = try Reporting.orExit(ReporterExit.noInput) {
      try readRuns(inputsOrArtifacts(inputs), choice: chosen.choice)
    }
    let id = try chosenTest(test, among: RunJoin(runs).tests, TestNames.init).id
    let question: StateQuestion? = step.map { .step($0) } ?? row.flatMap { StateQuestion(row: $0) }
    var lookup = ReportLookup()
    (lookup.sourceRoot, lookup.includesRows, lookup.editor) = (sourceRoot, !noRows, editor)
    lookup.history = place.lookup(.current, adds: false, label: label)
    lookup.question = question
    let contents = try lookup.contents(of: id, in: runs)
    for fault in contents.report.faults.prefix(5) { Reporting.complain(fault.message) }
    guard let shown = contents.report.tests.first else { throw ReporterExit.noInput }
    let absence =
      contents.answer == nil ? "No steps of the test were recorded." : contents.answer?.absence
    if question != nil, let absence {
      throw Reporting.refusal("\(shown.id): \(absence)", ReporterExit.usage)
    }
    if json { return try Reporting.write(ShownDocument(shown, contents).bytes) }
    let text = ShownTest(shown, contents, answers: question != nil)
    switch format ?? .terminal {
    case .markdown: try Reporting.write(text.markdown(limit: maxBytes))
    case .terminal:
      let terminal = TerminalSettings.ofStandardOutput()
      try Reporting.write(
        text.terminalText(isColoured: terminal.isColoured, isLinked: terminal.width != nil))
    }
  }
}
