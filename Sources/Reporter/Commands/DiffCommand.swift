import ArgumentParser
import ReportInspection
import ReportModel
import ReportPipeline
import ReportRendering
import ReportStory

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Prints what differs between two database files, or between what a test did in two runs.",
    discussion: """
      A and B are read and nothing else: where a WAL or a rollback journal lies beside one, a private copy is read instead.

      With --story A and B are runs: their names, or folders. What TEST did in both is compared step by step; without TEST \
      the tests that passed in both and did not do the same are named.

      Examples:
        reporter diff before.sqlite after.sqlite
        reporter diff before.sqlite after.sqlite --table orders --rows 100
        reporter diff before.sqlite after.sqlite --schema-only
        reporter diff --story test-artifacts last-week/test-artifacts testTotal

      Exit codes: 0 they are the same; 1 they differ; 3 no difference was found, but not all could be compared; 64 usage, \
      no such table or test; 66 A or B is no database or run that can be read, or has no steps of the test; 73 no temporary files or no output can be written.
      """)

  @Argument(help: "The earlier database file; with --story the run in question.", completion: .file())
  var a: String

  @Argument(help: "The later database file; with --story the run to compare with.", completion: .file())
  var b: String

  @Argument(help: "With --story, the test.")
  var test: String?

  @OptionGroup var options: DatabaseOptions

  @Flag(help: "Compare what a test did in two runs.")
  var story = false

  @Option(help: "With --story: terminal, or markdown.")
  var format = ShowCommand.Format.terminal

  @Flag(help: "Compare the schemas alone.")
  var schemaOnly = false

  private static let (fewRows, rowsOfOneTable) = (10, 50)

  func validate() throws {
    if a.isEmpty || b.isEmpty { throw ValidationError("A or B is empty.") }
    if test != nil, !story { throw ValidationError("A test is compared with --story.") }
    if story, schemaOnly || options.table != nil || options.rows != nil || options.json {
      throw ValidationError(
        "--story has no tables: --schema-only, --table, --rows and --json are for databases.")
    }
    if !story, format != .terminal { throw ValidationError("--format is for --story.") }
    if schemaOnly, options.rows != nil {
      throw ValidationError("--rows and --schema-only exclude each other.")
    }
  }

  func run() throws {
    if story { return try compareStories() }
    var pair = DatabasePair(before: try options.open(a), after: try options.open(b))
    let names = try compareSchemas(&pair)
    let rows =
      options.noRows ? 0 : options.rows ?? (options.table == nil ? Self.fewRows : Self.rowsOfOneTable)
    if !schemaOnly { try compareRows(&pair, rows) }
    if options.noRows { pair.removeLiterals(names: names) }
    let settings = TerminalSettings.ofStandardOutput(options.color)
    let printed = PrintedDatabasePair(pair, rows: rows, width: settings.width)
    try Reporting.write(
      options.json ? printed.json : Array(printed.lines.printed(isColoured: settings.isColoured).utf8))
    if pair.isDifferent { throw ReporterExit.different }
    if !pair.isWhole { throw ReporterExit.degraded }
  }

  // MARK: - What tests did

  private func compareStories() throws {
    let runs = try ComparedRuns(a, b, includesRows: !options.noRows, say: Reporting.complain)
    let settings = TerminalSettings.ofStandardOutput(options.color)
    let (printed, areDifferent): (PrintedComparisons, Bool)
    if let test {
      let comparison = try runs.comparison(of: chosenTest(test, among: runs.tests, TestNames.init).id)
      (printed, areDifferent) = (PrintedComparisons(comparison, of: test), comparison.isDifferent)
    } else {
      let (tests, count) = runs.differing()
      (printed, areDifferent) = (PrintedComparisons(tests, of: count), !tests.isEmpty)
    }
    try Reporting.write(printed.text(isColoured: settings.isColoured, isMarkdown: format == .markdown))
    if areDifferent { throw ReporterExit.different }
  }

  // MARK: - Comparing

  /// - Returns: The names in both schemas.
  private func compareSchemas(_ pair: inout DatabasePair) throws -> Set<String> {
    let (before, problem) = try options.schema(of: pair.before)
    let (after, laterProblem) = try options.schema(of: pair.after)
    pair.problems += [problem, laterProblem].compactMap { $0 }
    pair.schema = joiningRenames(schemaChanges(from: before, to: after), &pair)
    let names = ReportStory.names(of: before + after)
    guard let table = options.table else { return names }
    let tables = (before + after).filter { $0.type == "table" }.map(\.name)
    guard tables.contains(where: { isNamed($0, table) }) else {
      throw options.complainOfTable(Set(tables).sorted(), in: nil)
    }
    let others = Set((before + after).filter { !isNamed($0.table, table) }.map(\.name))
    pair.schema = pair.schema.filter {
      !others.contains($0.name) || $0.formerName.map { isNamed($0, table) } == true
    }
    // The settings belong to the whole file.
    pair.settings = []
    return names
  }

  private func joiningRenames(_ changes: [SchemaChange], _ pair: inout DatabasePair) -> [SchemaChange] {
    guard changes.contains(where: { $0.fate == .created }), changes.contains(where: { $0.fate == .dropped })
    else { return changes }
    do {
      return try RenamedTables(from: pair.before.path, to: pair.after.path, limits: options.limits(rows: 0))
        .applied(to: changes)
    } catch {
      // Comparing rows prints the reason.
      if schemaOnly { pair.problems.append("Whether tables were renamed could not be found out.") }
      return changes
    }
  }

  private func isNamed(_ name: String, _ other: String) -> Bool { foldedName(name) == foldedName(other) }

  private func compareRows(_ pair: inout DatabasePair, _ rows: Int) throws {
    // Some rows of each kind are shown, kind after kind.
    let limits = options.limits(rows: max(3 * rows, 60))
    var changes = compareDatabases(
      pair.after.path, since: pair.before.path, rows: !options.noRows && rows > 0, limits: limits)
    if let table = options.table {
      changes.tables.removeAll {
        !isNamed($0.name, table) && $0.formerName.map { isNamed($0, table) } != true
      }
      changes.unchanged = changes.tables.isEmpty ? 1 : 0
    }
    pair.changes = changes
    let told = Set(changes.tables.compactMap(\.formerName))
    pair.schema.removeAll { $0.fate == .renamed && $0.formerName.map(told.contains) == true }
  }
}
