import Foundation

/// The built `reporter`, run as a user runs it.
enum ReporterProcess {
  /// - Parameter path: A folder that comes first in `PATH`.
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String] = [:], path: String? = nil
  ) throws -> CommandResult {
    try start(arguments, in: folder, environment: environment, path: path).wait()
  }

  static func start(
    _ arguments: [String], in folder: String, environment: [String: String] = [:], path: String? = nil
  ) throws -> StartedCommand {
    try command([executable] + arguments, in: folder, environment: environment, path: path).start()
  }

  static var executable: String { get throws { try ThisPackage.program("reporter") } }

  /// A program that runs `reporter`; nothing of this test run may reach it.
  static func command(
    _ arguments: [String], in folder: String, environment: [String: String] = [:], path: String? = nil
  ) -> Command {
    var variables = Command.isolatedEnvironment
    if let path { variables["PATH"] = path + ":" + (variables["PATH"] ?? "") }
    return Command(
      arguments, in: folder, environment: variables.merging(environment) { $1 }, separatesErrors: true)
  }

  /// Runs it as a user whom the modes of files bind: of root it takes what root may do in spite of them.
  static func runWithoutPrivileges(
    _ arguments: [String], in folder: String, path: String? = nil
  ) throws -> CommandResult {
    guard getuid() == 0 else { return try run(arguments, in: folder, path: path) }
    let without = "-dac_override,-dac_read_search"
    let dropping = ["/usr/bin/setpriv", "--bounding-set=\(without)", "--inh-caps=\(without)"]
    return try command(dropping + [executable] + arguments, in: folder, path: path).run()
  }

  /// What a process may use; beyond that opening fails, or the process is ended.
  enum Limit {
    case descriptors(Int)
    case processorSeconds(Int)

    fileprivate var option: String {
      switch self {
      case .descriptors(let count): "-n \(count)"
      case .processorSeconds(let seconds): "-t \(seconds)"
      }
    }
  }

  /// Runs it within a limit.
  static func run(_ arguments: [String], in folder: String, within limit: Limit) throws -> CommandResult {
    let limited = ["/bin/sh", "-c", "ulimit \(limit.option); exec \"$0\" \"$@\"", try executable]
    return try command(limited + arguments, in: folder).run()
  }
}
