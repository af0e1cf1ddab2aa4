import ArgumentParser
import ReportHistory
import ReportModel

struct HistoryImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Adds the runs of another history to the history.",
    discussion: """
      Runs that are there stay as they are, so that it can be repeated, also after it was interrupted.

      Examples:
        reporter history import old.sqlite
        reporter history import test-artifacts/history.sqlite --history postgresql://ci@db.example/history

      Exit codes: 0 done; 64 usage; 66 one of them is not there, or cannot be read or written.
      """)

  @Argument(help: "The other history: a file, or postgresql://USER@HOST/DATABASE.")
  var other: String

  @OptionGroup var place: HistoryPlace

  func validate() throws { try HistoryPlace.check(other) }

  func run() throws { try place.store.addRuns(printing: HistoryPlace.store(other)) }
}

struct HistoryExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Adds the runs of the history to another history, which is made where it is not there.",
    discussion: """
      Runs that are there stay as they are, so that it can be repeated, also after it was interrupted.

      Examples:
        reporter history export copy.sqlite --history postgresql://ci@db.example/history

      Exit codes: 0 done; 64 usage; 66 one of them is not there, or cannot be read or written.
      """)

  @Argument(help: "The other history: a file, or postgresql://USER@HOST/DATABASE.")
  var other: String

  @OptionGroup var place: HistoryPlace

  func validate() throws { try HistoryPlace.check(other) }

  func run() throws { try HistoryPlace.store(other).addRuns(printing: place.store) }
}

extension HistoryStore {
  fileprivate func addRuns(printing other: any HistoryStore) throws {
    let runs = try Reporting.orExit(ReporterExit.noInput) { try addRuns(of: other) }
    print("\(counted(runs.added, "run")) added, \(grouped(runs.known)) already there.")
    if runs.ahead > 0 {
      Reporting.complain(
        "\(counted(runs.ahead, "run")) left out, more than a day ahead of the clock here: they would stay the newest."
      )
    }
  }
}
