import Foundation
import StoreMigration
import Testing

/// The built Tests/Fixtures/MigrationProcess.
enum MigrationProcess {
  static var path: String {
    let bundle = ProcessInfo.processInfo.arguments.first { $0.contains(".xctest") } ?? ""
    return bundle.components(separatedBy: "/").prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
      + "/MigrationProcess"
  }

  /// Makes the `number`-th call of a kind fail, or kills at it.
  static func run(_ store: String, _ kind: String, at number: Int, _ manner: String) throws -> ToolResult {
    try runTool(
      path, store, kind, String(number), manner, environment: ["LD_PRELOAD": FaultLibrary.path ?? ""])
  }
}

/// A migration in a process of its own that stops at a step.
final class HeldMigration: Sendable {
  let process: Process
  private let input = Pipe()

  /// Returns when it has come to the step.
  init(of store: String, at step: StoreMigration.Step) throws {
    process = try startTool([MigrationProcess.path, store, "hold", step.rawValue], input: input)
    let output = try #require(process.standardOutput as? Pipe).fileHandleForReading
    #expect(String(decoding: output.availableData, as: UTF8.self) == "holding\n")
  }

  func release() {
    // Fails only when it is closed already.
    try? input.fileHandleForWriting.close()
  }

  deinit { release() }
}

/// Tests/Fixtures/Faults, built once.
enum FaultLibrary {
  static let path: String? = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let source = tests.appendingPathComponent("Fixtures/Faults/faults.c").path
    let library = NSTemporaryDirectory() + "exhibit-faults-\(ProcessInfo.processInfo.processIdentifier).so"
    let built = try? runTool("clang", "-shared", "-fPIC", "-o", library, source, "-ldl")
    return built?.status == 0 ? library : nil
  }()
}
