import Foundation

/// The built `reporter`, run as a user runs it.
struct ReporterProcess {
  var status: Int32
  var output: String
  var errors: String

  /// - Parameter path: A folder that comes first in `PATH`.
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String] = [:], path: String? = nil,
    program: URL? = nil
  ) throws -> ReporterProcess {
    let process = try start(
      arguments, in: folder, environment: environment, path: path, program: program)
    return try process.wait()
  }

  /// A `reporter` that runs.
  struct Started {
    var process: Process
    var folder: TemporaryFolder

    func wait() throws -> ReporterProcess {
      process.waitUntilExit()
      return ReporterProcess(
        status: process.terminationStatus, output: try folder.read("output"),
        errors: try folder.read("errors"))
    }
  }

  static func start(
    _ arguments: [String], in folder: String, environment: [String: String] = [:], path: String? = nil,
    program: URL? = nil
  ) throws -> Started {
    let streams = try TemporaryFolder()
    let process = Process()
    process.executableURL = try program ?? executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = variables(environment, path: path)
    process.standardOutput = FileHandle(forWritingAtPath: try streams.write("", to: "output"))
    process.standardError = FileHandle(forWritingAtPath: try streams.write("", to: "errors"))
    try process.run()
    return Started(process: process, folder: streams)
  }

  /// Beside the test bundle, where SwiftPM builds it.
  static var executable: URL {
    get throws {
      let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("reporter")
    }
  }

  /// Nothing of this test run may reach the one that is started.
  private static func variables(_ added: [String: String], path: String?) -> [String: String] {
    var variables = ProcessInfo.processInfo.environment.filter {
      $0.key != "SWIFT_BACKTRACE"
        && !["EXHIBIT_", "SWT_", "GITHUB_", "CI_"].contains(where: $0.key.hasPrefix)
    }
    if let path { variables["PATH"] = path + ":" + (variables["PATH"] ?? "") }
    return variables.merging(added) { _, added in added }
  }
}
