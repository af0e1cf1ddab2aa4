import Foundation

/// Runs programs to their end without keeping a thread of Swift's own waiting for them.
enum Shell {
  // All tests begin at once; builds and runs that share the processors reach limits of time that each alone does not.
  private static let turns = Turns(atOnce: ProcessInfo.processInfo.activeProcessorCount)

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Runs a program found in `PATH`, without the variables by which a surrounding run could reach it.
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let command = Command(
      arguments, in: folder.path, environment: Command.isolatedEnvironment.merging(environment) { $1 })
    return try await turns.next { try await command.finish() }
  }
}
