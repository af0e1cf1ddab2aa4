import ArgumentParser

/// The command line of `reporter`.
@main
struct ReporterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reporter",
    abstract: "Turns what `swift test` and Attach left behind into a report.",
    version: "0.1.0-dev",
    subcommands: [
      ReportCommand.self, TestCommand.self, ShowCommand.self, OpenCommand.self, InspectCommand.self,
      DiffCommand.self,
    ])

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      if let misplaced = TestCommand.misplacedArgument(in: arguments, message: message(for: error)) {
        TestCommand.exit(withError: misplaced)
      }
      if !(error is ExitCode), let shown = usageError(arguments.map(printedLine)) { exit(withError: shown) }
      exit(withError: error)
    }
  }
  /// What is wrong with arguments, which the error quotes; `nil` where nothing is.
  private static func usageError(_ arguments: [String]) -> (any Error)? {
    do {
      _ = try parseAsRoot(arguments)
      return nil
    } catch {
      return error
    }
  }
}
