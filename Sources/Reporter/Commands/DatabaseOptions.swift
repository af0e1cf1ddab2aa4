import ArgumentParser
import Foundation
import ReportInspection
import ReportRendering

extension TerminalSettings.Colours: ExpressibleByArgument {}

/// The options of the commands that look into database files.
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

  /// Rows of a table that may be asked for: a report's own limit of rows is far below.
  private static let mostRows = 10_000

  func validate() throws {
    if let rows, !(0...Self.mostRows).contains(rows) {
      throw ValidationError("--rows is between 0 and \(Self.mostRows).")
    }
    if noRows, rows != nil { throw ValidationError("--rows and --no-rows exclude each other.") }
    if table?.isEmpty == true { throw ValidationError("--table is empty.") }
  }

  /// What reading a database may take, for so many rows of each table.
  func limits(rows: Int) -> InspectionLimits {
    var limits = InspectionLimits()
    limits.rows = rows
    // A program has a use for whole values, a line for their beginning.
    if json {
      (limits.cellBytes, limits.blobBytes, limits.statementBytes) = (64 * 1024, 64 * 1024, 1024 * 1024)
    }
    return limits
  }

  /// Opens a file that the user names.
  ///
  /// - Throws: The exit code for a file that cannot be looked into, which was said.
  func open(_ name: String) throws -> NamedDatabase {
    do throws(NamedDatabaseError) {
      return try NamedDatabase(name, copyingInto: FileManager.default.temporaryDirectory.path)
    } catch {
      throw Self.complain(error)
    }
  }

  /// Says why a file cannot be looked into.
  ///
  /// - Returns: The exit code for it.
  static func complain(_ error: NamedDatabaseError) -> ExitCode {
    Reporting.complain("\(error)")
    return error.isOfTemporaryFiles ? ReporterExit.cannotWrite : ReporterExit.noInput
  }

  /// Says that a file, or neither of two, has the table that is asked for.
  ///
  /// - Returns: The exit code for it.
  func complainOfTable(_ tables: [String], in file: String?) -> ExitCode {
    let name = table ?? ""
    Reporting.complain(file.map { "\($0) has no table \(name)." } ?? "Neither file has a table \(name).")
    let named = tables.prefix(50).joined(separator: ", ")
    if !tables.isEmpty { Reporting.complain("Tables: \(named)\(tables.count > 50 ? ", …" : "")") }
    return ReporterExit.usage
  }

  /// - Throws: The exit code for an output that cannot be written, which was said.
  func write(_ lines: [TerminalLine], _ settings: TerminalSettings) throws {
    try Reporting.write(Array(lines.printed(isColoured: settings.isColoured).utf8))
  }
}
