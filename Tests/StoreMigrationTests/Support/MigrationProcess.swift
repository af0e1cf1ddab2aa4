import Foundation
import StoreMigration
import Testing

/// The built Tests/Fixtures/MigrationProcess.
enum MigrationProcess {
  static var path: String { get throws { try ThisPackage.program("MigrationProcess") } }

  /// Starts it on a store and does not wait.
  static func start(_ store: String) throws -> StartedCommand { try Command([path, store]).start() }

  /// Makes the `number`-th call of a kind fail, or kills at it.
  static func run(_ store: String, _ kind: String, at number: Int, _ manner: String) throws -> CommandResult {
    try TestSupport.run(
      path, store, kind, String(number), manner, environment: ["LD_PRELOAD": FaultLibrary.path ?? ""])
  }
}

/// A migration in a process of its own that stops at a step.
final class HeldMigration: Sendable {
  private let process: Dialogue

  /// Returns when it has come to the step.
  init(of store: String, at step: StoreMigration.Step) throws {
    process = try Dialogue([try MigrationProcess.path, store, "hold", step.rawValue])
    #expect(try process.line() == "holding")
  }

  func release() {
    process.closeInput()
  }

  /// Lets it go on and gives what it printed.
  func end() throws -> String { try process.end().output }

  deinit { release() }
}
