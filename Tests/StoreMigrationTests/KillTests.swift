import Foundation
import StoreMigration
import Testing

/// A process that dies while it migrates leaves the store as it was before or as it is to be.
///
/// In short some moments; every one with `EXHIBIT_LONG_TESTS=1`.
@Suite struct KillTests {
  let notes: Notes
  private static let isLong = ProcessInfo.processInfo.environment["EXHIBIT_LONG_TESTS"] == "1"

  init() throws {
    notes = try Notes()
  }

  /// - Returns: whether the migration was done.
  private func check(_ comment: Comment) throws -> Bool {
    #expect(try notes.isWhole(), comment)
    let state = try notes.state
    #expect([Notes.before, Notes.after].contains(state), comment)
    return state == Notes.after
  }

  @Test(arguments: StoreMigration.Step.allCases) func aProcessThatDiesAtAStep(step: StoreMigration.Step)
    throws
  {
    let died = try runTool(MigrationProcess.path, notes.path, "kill", step.rawValue)
    #expect(died.status == SIGKILL)
    #expect(try check("\(step)") == (step == .placed))
    let again = try runTool(MigrationProcess.path, notes.path)
    #expect(again.output.hasPrefix(step == .placed ? "notNeeded" : "migrated"), "\(again.output)")
    #expect(try notes.state == Notes.after)
    #expect(
      try notes.names.allSatisfy { $0.hasPrefix("Notes.sqlite") }, "what the dead process left is removed")
    #expect(try notes.query("PRAGMA journal_mode") == "wal")
  }

  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that kills"),
    arguments: ["open", "read", "write", "fsync", "rename", "mkdir", "stat", "unlink", "close"])
  func aProcessThatDiesAtACall(kind: String) throws {
    let clean = try MigrationProcess.run(notes.path, kind, at: 0, "kill")
    let calls = try #require(Int(clean.output.split(whereSeparator: \.isWhitespace).last ?? ""))
    #expect(calls > 0, "\(clean.output)")
    let step = Self.isLong ? 1 : max(1, calls / 4)
    var outcomes: [Bool] = []
    for number in stride(from: 1, through: calls, by: step) {
      try notes.seed()
      let died = try MigrationProcess.run(notes.path, kind, at: number, "kill")
      #expect(died.status == SIGKILL, "\(kind) \(number): \(died.output)")
      outcomes.append(try check("\(kind) \(number)"))
    }
    if Self.isLong {
      print("killed at \(calls) calls of \(kind): \(outcomes.filter { $0 }.count) were migrated")
    }
  }

  /// A call that fails is an error, and the store is as before; once the file is in place, as after.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "read", "write", "fsync", "rename", "mkdir", "stat", "unlink"], ["once", "good"])
  func aCallThatFails(kind: String, manner: String) throws {
    let clean = try MigrationProcess.run(notes.path, kind, at: 0, manner)
    let calls = try #require(Int(clean.output.split(whereSeparator: \.isWhitespace).last ?? ""))
    for number in stride(from: 1, through: calls, by: Self.isLong ? 1 : max(1, calls / 4)) {
      try notes.seed()
      let result = try MigrationProcess.run(notes.path, kind, at: number, manner)
      #expect(result.status == 0, "\(kind) \(number): \(result.output)")
      let isMigrated = try check("\(kind) \(number) \(manner): \(result.output)")
      if result.output.hasPrefix("migrated") { #expect(isMigrated) }
    }
  }

  @Test func aProcessThatDiesAtARandomMoment() throws {
    let rounds = Self.isLong ? 400 : 12
    var migrated = 0
    for round in 0..<rounds {
      try notes.seed()
      let process = try startTool([MigrationProcess.path, notes.path])
      usleep(UInt32.random(in: 0..<60_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if try check("round \(round)") { migrated += 1 }
    }
    if Self.isLong { print("killed \(rounds) times, \(migrated) times after the migration") }
  }
}
