import ArgumentParser
import Collector
import ExhibitSQLite
import Foundation
import ReportInspection
import ReportRendering
import ReportStory

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Prints what a database file is: its health, what is suspicious in it, its tables, their first rows.",
    discussion: """
      FILE is read and nothing else: where a WAL or a rollback journal lies beside it, a private copy is read instead.

      Examples:
        reporter inspect app.sqlite
        reporter inspect app.sqlite --table orders --rows 100
        reporter inspect app.sqlite --all-findings
        reporter inspect app.sqlite --transactions 100
        reporter inspect app.sqlite --json
        reporter inspect app.sqlite --table orders --csv

      Exit codes: 0 it was printed; 3 it was printed, but not all of it could be read; 64 usage, no such table; 66 FILE \
      is no database that can be read; 73 no temporary files or no output can be written.
      """)

  @Argument(help: "The database file.", completion: .file())
  var file: String

  @Flag(help: "Print minor findings too.")
  var allFindings = false

  @Option(
    help: ArgumentHelp(
      "Transactions of the WAL that are told with their rows (default: 10, at most 10,000).",
      valueName: "count"))
  var transactions = Self.fewTransactions

  @Flag(help: "Print the rows of --table as CSV: all of them unless --rows is given.")
  var csv = false

  @OptionGroup var options: DatabaseOptions

  private static let (fewTransactions, mostTransactions) = (10, 10_000)

  /// By default; none when there are many tables.
  private static let (fewRows, manyTables, rowsOfOneTable) = (3, 12, 20)

  func validate() throws {
    if file.isEmpty { throw ValidationError("FILE is empty.") }
    if csv, options.table == nil { throw ValidationError("--csv takes --table.") }
    if csv, options.json { throw ValidationError("--csv and --json exclude each other.") }
    if csv, options.noRows { throw ValidationError("--csv and --no-rows exclude each other.") }
    if !(0...Self.mostTransactions).contains(transactions) {
      throw ValidationError("--transactions is between 0 and \(Self.mostTransactions).")
    }
  }

  func run() throws {
    let database = try options.open(file)
    let table = try options.table.map { try named($0, in: database) }
    if csv, let table { return try writeCSV(of: table, in: database) }
    let read = inspect(database, table)
    if read.pageSize == 0 { throw unreadable(database, read) }
    var inspection = withoutTooManyRows(read)
    var found = findings(in: database, inspection)
    let tellsHistory = options.json || table == nil && transactions > 0
    var history = tellsHistory ? history(of: database) : nil
    if options.noRows {
      let names = inspection.names
      inspection.removeLiterals(names: names)
      found.removeLiterals()
      history?.removeLiterals(names: names)
    }
    let settings = TerminalSettings.ofStandardOutput(options.color)
    let printed = PrintedInspection(
      database: database, inspection: inspection, found: found, tellsAllFindings: allFindings,
      history: history, transactions: transactions, table: table, width: settings.width)
    try Reporting.write(
      options.json ? printed.json : Array(printed.lines.printed(isColoured: settings.isColoured).utf8))
    if database.hasChanged { Reporting.complain(database.changedNote) }
    if database.hasChanged || !inspection.isWhole || found.isCutByTime || database.files.wal == .foreign {
      throw ReporterExit.degraded
    }
  }

  private func writeCSV(of table: String, in database: NamedDatabase) throws {
    let isTerminal = TerminalSettings.ofStandardOutput(options.color).width != nil
    let problem = try ReportRendering.writeCSV(
      of: table, at: database.path, rows: options.rows, isForTerminal: isTerminal, Reporting.write)
    if let problem { Reporting.complain(problem) }
    if database.hasChanged { Reporting.complain(database.changedNote) }
    if problem != nil || database.hasChanged || database.files.wal == .foreign {
      throw ReporterExit.degraded
    }
  }

  private func inspect(_ database: NamedDatabase, _ table: String?) -> DatabaseInspection {
    let rows = options.rows ?? (table == nil ? Self.fewRows : Self.rowsOfOneTable)
    return inspectDatabase(
      at: database.path, rows: !options.noRows && rows > 0, table: table, limits: options.limits(rows: rows))
  }

  /// `nil` where no transaction can be read.
  private func history(of database: NamedDatabase) -> WALHistory? {
    database.raw.map {
      readWALHistory(
        of: $0, wal: SideFile.wal.path(beside: $0), captured: database.path, rows: !options.noRows)
    }
  }

  /// Without those in files beside it, which are reported elsewhere.
  private func findings(in database: NamedDatabase, _ inspection: DatabaseInspection) -> DatabaseFindings {
    var found = examineDatabase(at: database.path, inspection, rows: !options.noRows)
    if found.isCutByTime {
      found.unexamined.append("It takes too long to look at; another machine may find more.")
    }
    return found.gathered
  }

  private func withoutTooManyRows(_ inspection: DatabaseInspection) -> DatabaseInspection {
    let own = inspection.tables.filter { !$0.isOfSQLite }
    guard options.table == nil, options.rows == nil else { return inspection }
    var shown = inspection
    for index in shown.tables.indices where own.count > Self.manyTables || shown.tables[index].isOfSQLite {
      (shown.tables[index].rows, shown.tables[index].undecoded) = ([], [:])
    }
    return shown
  }

  private func unreadable(_ database: NamedDatabase, _ inspection: DatabaseInspection) -> ExitCode {
    let isGone = FileManager.default.fileExists(atPath: database.original) == false
    let reason = inspection.problems.first ?? "no reason is known."
    return DatabaseOptions.complain(isGone ? .missing(file, isLink: false) : database.damaged(reason))
  }

  /// The table's name as the schema spells it, or the exit code when there is no such table.
  private func named(_ name: String, in database: NamedDatabase) throws -> String {
    let tables = try options.schema(of: database).entries.filter { $0.type == "table" }.map(\.name)
    let found = tables.first { foldedName($0) == foldedName(name) }
    guard let found else { throw options.complainOfTable(tables, in: file) }
    return found
  }
}

extension DatabaseInspection {
  fileprivate var isWhole: Bool {
    check == "ok" && problems.isEmpty && foreignKeys.problems.isEmpty
      && tables.allSatisfy { $0.problem == nil }
  }
}
