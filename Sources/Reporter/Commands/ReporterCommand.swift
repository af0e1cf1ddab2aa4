import ArgumentParser
import Foundation
import ReportModel

@main
struct ReporterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reporter",
    abstract: "Turns what `swift test` and Attach left behind into a report.",
    version: "0.1.0-dev",
    subcommands: [
      ReportCommand.self, TestCommand.self, ExplainCommand.self, ShowCommand.self, OpenCommand.self,
      InspectCommand.self,
      DiffCommand.self, HistoryCommand.self, PackCommand.self,
    ])

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try parseAsRoot(arguments)
      try Reporting.told { try command.run() }
    } catch {
      if let unknown = unknownCommand(in: arguments) { exit(withError: unknown) }
      if let misplaced = TestCommand.misplacedArgument(in: arguments, message: message(for: error)) {
        // The command does not know that it is a subcommand.
        let text = TestCommand.fullMessage(for: misplaced)
          .replacing("See 'test --help'", with: "See 'reporter test --help'")
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(withError: ReporterExit.usage)
      }
      if !(error is ExitCode), let shown = usageError(arguments.map(printedLine)) { exit(withError: shown) }
      exit(withError: error)
    }
  }

  /// Names the nearest known command.
  private static func unknownCommand(in arguments: [String]) -> ValidationError? {
    let commands: [String] = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word = arguments.first, !word.hasPrefix("-"), !commands.contains(word) else { return nil }
    let near = commands.filter { changes(from: word, to: $0) <= 2 }
    let nearest = near.min { changes(from: word, to: $0) < changes(from: word, to: $1) }
    let meant = nearest.map { "; did you mean \($0)?" } ?? "."
    return ValidationError(
      "There is no command \(printedLine(word))\(meant) Commands: \(commands.joined(separator: ", ")).")
  }

  /// The error quotes arguments.
  private static func usageError(_ arguments: [String]) -> (any Error)? {
    do {
      _ = try parseAsRoot(arguments)
      return nil
    } catch {
      return error
    }
  }
}
