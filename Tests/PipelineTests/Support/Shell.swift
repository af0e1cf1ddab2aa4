import Foundation

/// A program that was run to its end.
struct Shell {
  let status: Int32
  /// Standard output and standard error, as they came.
  let output: String

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Runs a program found in `PATH`, without the variables by which a surrounding run could reach it.
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) async throws -> Shell {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try runNow(arguments, in: folder, environment: environment) })
      }
    }
  }

  private static func runNow(
    _ arguments: [String], in folder: URL, environment: [String: String]
  ) throws -> Shell {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = cleanEnvironment.merging(environment) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = process.standardOutput
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Shell(
      status: process.terminationStatus, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  private static var cleanEnvironment: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("EXHIBIT_") && !name.hasPrefix("SWT_") && !name.hasPrefix("GITHUB_")
    }
  }
}
