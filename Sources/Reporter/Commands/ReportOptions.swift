import ArgumentParser
import ExhibitSystem
import Foundation
import ReportModel
import ReportPipeline
import ReportReading
import ReportRendering

/// The common options of `reporter report` and `reporter test`, except `CIOptions`.
///
/// In a debug build ArgumentParser checks a group within a group five times as often.
struct ReportOptions: ParsableArguments {
  @Option(help: "Where the report is written (default: test-artifacts/report).")
  var output: String?

  @Option(help: "The folder that shown source paths are relative to (default: the run's package folder).")
  var sourceRoot: String?

  @Option(help: .editor, transform: EditorTemplate.init(_:))
  var editor: EditorTemplate?

  @Option(help: "A folder with Mustache templates that replace the built-in ones of the same name.")
  var templates: String?

  @Option(help: "What the report is headed with (default: the package folder's name).")
  var title: String?

  @Flag(name: .customLong("no-rows"), help: "Keep values of captured databases out of every output.")
  var noRows = false

  @Option(
    help: ArgumentHelp(
      "How much of the captured databases' rows the report has in all; 0 for none (default: 256MB).",
      valueName: "size"))
  var maxRows: ByteSize?

  @Option(
    help: ArgumentHelp(
      "How much of one database's rows, such as 500kB or 48MiB (default: 8MB).", valueName: "size"))
  var maxRowsDatabase: ByteSize?

  @Flag(help: "Also write report.html, which has all of the report in one file.")
  var singleFile = false

  @Option(
    help: ArgumentHelp(
      "Keep report.html below this size; what has no room is named in it (default: 25000000).",
      valueName: "bytes"))
  var singleFileSize: Int?

  @Option(
    help: ArgumentHelp(
      "The nonce of the pages' security policy, to compare reports byte by byte.", visibility: .hidden))
  var nonce: String?

  mutating func validate() throws {
    if let sourceRoot, FileSystem.targetStatus(sourceRoot).map({ $0.st_mode & S_IFMT }) != S_IFDIR {
      throw ValidationError("--source-root takes a folder; there is none at \(sourceRoot).")
    }
    guard let singleFileSize else { return }
    if !singleFile { throw ValidationError("--single-file-size needs --single-file.") }
    if singleFileSize < 1_000_000 { throw ValidationError("--single-file-size is at least 1000000.") }
  }

  func apply(to making: inout ReportMaking) {
    (making.lookup.sourceRoot, making.lookup.title) = (sourceRoot, title)
    (making.lookup.includesRows, making.lookup.editor) = (!noRows, editor)
    if let nonce { making.lookup.nonce = nonce }
    making.templates = templates
    if let maxRows { making.rowLimits.report = maxRows.bytes }
    if let maxRowsDatabase { making.rowLimits.database = maxRowsDatabase.bytes }
    making.singleFileLimit = singleFile ? singleFileSize ?? 25_000_000 : nil
  }
}

/// The runs of an artifacts folder that a command takes.
struct RunOptions: ParsableArguments {
  @Option(name: .customLong("run"), help: "The run to take from an artifacts folder (default: the newest).")
  var runName: String?

  @Flag(help: "Take all runs of an artifacts folder; a report shows attempts of one test side by side.")
  var allRuns = false

  func validate() throws {
    if allRuns && runName != nil { throw ValidationError("--run and --all-runs exclude each other.") }
  }

  var choice: RunChoice { allRuns ? .all : runName.map { .named($0) } ?? .newest }
}

/// The exit codes of `reporter`, after sysexits(3) where it has one.
enum ReporterExit {
  static let gate = ExitCode(1)
  static let different = ExitCode(1)
  static let degraded = ExitCode(3)
  static let usage = ExitCode(64)
  static let noInput = ExitCode(66)
  /// No browser, or no display for one.
  static let noBrowser = ExitCode(69)
  static let cannotWrite = ExitCode(73)
}

extension ArgumentHelp {
  static let editor = ArgumentHelp(
    """
    Make places in the sources open an editor: vscode, or an address with {path} and {line}. The report then has \
    absolute paths of this machine.
    """, valueName: "vscode|address")
}
