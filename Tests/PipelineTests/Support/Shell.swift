import Foundation

/// Runs programs to their end without keeping a thread of Swift's own waiting for them.
enum Shell {
  // All tests begin at once; builds and runs that share the processors reach limits of time that each alone does not.
  private static let turns = Turns(atOnce: ProcessInfo.processInfo.activeProcessorCount)

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Seconds in which each program prints something, also on a busy machine.
  private static let silence = 300.0

  /// Runs a program found in `PATH`, without the variables by which a surrounding run could reach it.
  ///
  /// SwiftPM at times waits for ever for a program of its own that has ended, before it prints anything:
  /// https://github.com/swiftlang/swift-package-manager/issues/9274. What is silent for long runs once more.
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) async throws -> CommandResult {
    var command = Command(
      arguments, in: folder.path, environment: Command.isolatedEnvironment.merging(environment) { $1 })
    command.silence = silence
    return try await turns.next { [command] in
      do {
        return try await command.finish()
      } catch let overdue as Command.Overdue where overdue.output.isEmpty {
        print("Silent, and so begun again: \(arguments)\n\(overdue.processes.joined(separator: "\n"))")
        return try await command.finish()
      }
    }
  }
}
