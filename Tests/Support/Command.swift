import ExhibitSystem
package import Foundation

/// A program that runs as another process to its end; found by `PATH`, or given by its path.
package struct Command {
  package var arguments: [String]
  /// Where it runs; without one, where the tests do.
  package var folder: String?
  package var environment: [String: String]
  package var input: String
  /// Whether standard error is told apart, instead of lying among the output in the order it came in.
  package var separatesErrors: Bool
  /// The seconds after which it is ended with all that it started: none waits for ever.
  package var limit: TimeInterval
  /// The seconds after which it is ended so where it has printed nothing; `nil` where it may be silent.
  package var silence: TimeInterval?

  package init(
    _ arguments: [String], in folder: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, input: String = "",
    separatesErrors: Bool = false, limit: TimeInterval = ProcessTree.limit
  ) {
    self.arguments = arguments
    self.folder = folder
    self.environment = environment
    self.input = input
    self.separatesErrors = separatesErrors
    self.limit = limit
  }

  /// It ran longer than its limit, and was ended.
  package struct Overdue: Error {
    package var arguments: [String]
    /// What it had printed, with its errors.
    package var output: String
    /// What of it ran when it was ended, a process a line.
    package var processes: [String]
  }

  /// The variables of this process without those by which a run in a test and the run around it could reach each other.
  package static var isolatedEnvironment: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      name != "SWIFT_BACKTRACE"
        && !["EXHIBIT_", "SWT_", "GITHUB_", "GITLAB_", "CI_"].contains(where: name.hasPrefix)
    }
  }

  /// Runs it and waits for its end, and that of what it leaves running: Foundation does.
  ///
  /// - Throws: `Overdue`, or what starting it throws.
  @discardableResult package func run() throws -> CommandResult { try start().wait() }

  /// Runs it without keeping a thread of Swift's own waiting for it.
  package func finish() async throws -> CommandResult {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try run() }) }
    }
  }

  /// Runs it and does not wait.
  package func start() throws -> StartedCommand {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = environment
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // Files, as a pipe is full some time, and nobody reads it meanwhile.
    let streams = try TemporaryFolder()
    process.standardInput = FileHandle(forReadingAtPath: try streams.write(input, to: "input"))
    let printed = try streams.write("", to: "output")
    let output = FileHandle(forWritingAtPath: printed)
    process.standardOutput = output
    let errors = try streams.write("", to: "errors")
    process.standardError = separatesErrors ? FileHandle(forWritingAtPath: errors) : output
    try process.run()
    let tree = ProcessTree(of: process, limit: limit)
    if let silence {
      tree.end(after: silence) { [printed, errors].allSatisfy { FileSystem.status($0)?.st_size == 0 } }
    }
    return StartedCommand(process: process, streams: streams, guarding: tree)
  }
}

/// A command that was started, and has perhaps ended.
package struct StartedCommand {
  package let process: Process
  fileprivate let streams: TemporaryFolder
  private let tree: ProcessTree

  fileprivate init(process: Process, streams: TemporaryFolder, guarding tree: ProcessTree) {
    self.process = process
    self.streams = streams
    self.tree = tree
  }

  /// What it has printed so far.
  package var output: String { get throws { try text("output") } }

  /// The errors that it has printed so far, where they are told apart.
  package var errors: String { get throws { try text("errors") } }

  /// Waits for its end, and that of what it leaves running.
  ///
  /// - Throws: `Command.Overdue` where its limit ended it.
  package func wait() throws -> CommandResult {
    process.waitUntilExit()
    if let processes = tree.members {
      throw Command.Overdue(
        arguments: process.arguments ?? [], output: try output + errors, processes: processes)
    }
    return CommandResult(
      status: process.terminationStatus, output: try output, errors: try errors)
  }

  /// Ends it with `SIGKILL`.
  package func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Bytes that are no UTF-8 are replaced: a program prints what it wants.
  private func text(_ stream: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: streams(stream))), as: UTF8.self)
  }
}

/// What a command printed and how it ended.
package struct CommandResult: Sendable {
  /// The exit status, or the signal it died of.
  package var status: Int32
  package var output: String
  /// Empty when the errors lie among the output.
  package var errors: String
}

/// Runs a program with these arguments; standard error lies among the output.
@discardableResult
package func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws
  -> CommandResult
{
  let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  return try Command(arguments, environment: variables, input: input).run()
}
