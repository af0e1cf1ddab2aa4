import ArgumentParser
import Collector
import ReportHistory
import ReportPipeline

struct HistoryPassesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passes",
    abstract: "Says whether the history keeps what tests did that passed.",
    discussion: """
      With off it removes what there is, and takes none of any run that is added later; reporter test with this history does \
      not record any either.

      Examples:
        reporter history passes off
        reporter history passes on --history postgresql://ci@db.example/history

      Exit codes: 0 done; 64 usage; 66 the history cannot be written.
      """)

  enum Keeping: String, ExpressibleByArgument, CaseIterable { case on, off }

  @Argument(help: "on or off.")
  var keeping: Keeping

  @OptionGroup var place: HistoryPlace

  func run() throws {
    try Reporting.orExit(ReporterExit.noInput) {
      if place.history == nil { try ArtifactsFolder.current.create() }
      try place.store.setKeepsPasses(keeping == .on)
    }
    guard keeping == .off else { return print("The history keeps passes.") }
    print("The history keeps no passes; those that it had are removed.")
    do throws(HistoryError) {
      try place.store.shrink()
    } catch {
      // They are removed, but their bytes may still lie in the file.
      Reporting.complain("\(error)")
    }
  }
}
