import ArgumentParser
import ExhibitSQLite
import Foundation
import ReportInspection
import ReportModel
import ReportRendering

extension TerminalSettings.Colours: ExpressibleByArgument {}

struct DatabaseOptions: ParsableArguments {
  @Option(help: "Only this table.")
  var table: String?

  @Option(help: ArgumentHelp("Rows shown of each table.", valueName: "count"))
  var rows: Int?

  @Flag(name: .customLong("no-rows"), help: "Keep values of databases out.")
  var noRows = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "auto, always or never; auto is on a terminal, unless $NO_COLOR is set.", valueName: "when"))
  var color = TerminalSettings.Colours.auto

  /// A report's own limit is far lower.
  private static let mostRows = 10_000

  func validate() throws {
    if let rows, !(0...Self.mostRows).contains(rows) {
      throw ValidationError("--rows is between 0 and \(Self.mostRows).")
    }
    if noRows, rows != nil { throw ValidationError("--rows and --no-rows exclude each other.") }
    if table?.isEmpty == true { throw ValidationError("--table is empty.") }
  }

  func limits(rows: Int) -> InspectionLimits {
    var limits = InspectionLimits()
    limits.rows = rows
    // A program can use whole values, a line of text only their beginning.
    if json {
      (limits.cellBytes, limits.blobBytes, limits.statementBytes) = (64 * 1024, 64 * 1024, 1024 * 1024)
    }
    return limits
  }

  /// Opens a file that the user names, or prints why it cannot be read.
  func open(_ name: String) throws -> NamedDatabase {
    do throws(NamedDatabaseError) {
      return try NamedDatabase(name, copyingInto: FileManager.default.temporaryDirectory.path)
    } catch {
      throw Self.complain(error)
    }
  }

  /// Reads the schema of a named database; a problem kept it from being read to its end.
  ///
  /// - Throws: The exit code where nothing of it can be read; the reason is printed.
  func schema(
    of database: NamedDatabase
  ) throws -> (entries: [DatabaseInspection.SchemaEntry], problem: String?) {
    var limits = limits(rows: 0)
    (limits.schemaObjects, limits.statementBytes) = (20_000, 1024 * 1024)
    var entries: [DatabaseInspection.SchemaEntry] = []
    do throws(SQLiteError) {
      let connection = try InspectionConnection(path: database.path, limits: limits)
      guard try connection.readSchema(limits, into: &entries) else { return (entries, nil) }
      return (
        entries,
        "Of the schema of \(database.name) only the first \(counted(entries.count, "object")) are compared."
      )
    } catch {
      guard !entries.isEmpty else {
        throw Self.complain(database.damaged("SQLite cannot read it: \(error.message)."))
      }
      return (entries, "The schema of \(database.name) could not be read to its end: \(error.message).")
    }
  }

  static func complain(_ error: NamedDatabaseError) -> ExitCode {
    Reporting.refusal(
      "\(error)", error.isOfTemporaryFiles ? ReporterExit.cannotWrite : ReporterExit.noInput)
  }

  func complainOfTable(_ tables: [String], in file: String?) -> ExitCode {
    let name = table ?? ""
    Reporting.complain(file.map { "\($0) has no table \(name)." } ?? "Neither file has a table \(name).")
    let named = tables.prefix(50).joined(separator: ", ")
    if !tables.isEmpty { Reporting.complain("Tables: \(named)\(tables.count > 50 ? ", …" : "")") }
    return ReporterExit.usage
  }
}
