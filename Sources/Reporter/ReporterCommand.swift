import ArgumentParser

/// The command line of `reporter`.
@main
struct ReporterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reporter",
    abstract: "Turns what `swift test` and Attach left behind into a report.",
    subcommands: [ReportCommand.self, TestCommand.self])
}
