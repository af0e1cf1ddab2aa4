import Foundation
import StoreMigration
import Testing

/// A process that dies while it migrates leaves the store as it was before or as it is to be.
///
/// In short some moments; every one with `EXHIBIT_LONG_TESTS=1`.
@Suite struct KillTests {
  let notes: Notes

  init() throws {
    notes = try Notes()
  }

  /// Whether the store is as `seeded`, to the byte, or as it is to be.
  ///
  /// - Returns: whether the migration was done.
  private func check(_ comment: Comment, against seeded: StoreFiles) throws -> Bool {
    // Before anything opens the store, which can change its files.
    let files = try notes.files
    let image = try files.image
    #expect(try notes.isWhole(), comment)
    let state = try notes.state
    #expect([Notes.before, Notes.after].contains(state), comment)
    guard state == Notes.before else {
      #expect(image.isInWALMode, comment)
      return true
    }
    #expect(try image == seeded.image, comment)
    guard try seeded.image.isInWALMode else { return false }
    #expect(files.database == seeded.database, comment)
    #expect(files.wal?.starts(with: seeded.wal ?? Data()) == true, comment)
    return false
  }

  @Test(arguments: StoreMigration.Step.allCases, ["WAL", "DELETE"])
  func aProcessThatDiesAtAStep(step: StoreMigration.Step, mode: String) throws {
    try notes.seed(mode: mode)
    let seeded = try notes.files
    let died = try run(MigrationProcess.path, notes.path, "kill", step.rawValue)
    #expect(died.status == SIGKILL)
    let isDone = [.placed, .tidied].contains(step)
    #expect(try check("\(step)", against: seeded) == isDone)
    let again = try run(MigrationProcess.path, notes.path)
    #expect(again.output.hasPrefix(isDone ? "notNeeded" : "migrated"), "\(again.output)")
    #expect(try notes.state == Notes.after)
    #expect(
      try notes.names.allSatisfy { $0.hasPrefix("Notes.sqlite") }, "what the dead process left is removed")
    #expect(try notes.query("PRAGMA journal_mode") == "wal")
  }

  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that kills"),
    arguments: ["open", "read", "write", "fsync", "mkdir", "stat", "unlink", "close"], ["WAL", "DELETE"])
  func aProcessThatDiesAtACall(kind: String, mode: String) throws {
    try notes.seed(mode: mode)
    let clean = try MigrationProcess.run(notes.path, kind, at: 0, "kill")
    let calls = try #require(Int(clean.output.split(whereSeparator: \.isWhitespace).last ?? ""))
    #expect(calls > 0, "\(clean.output)")
    let step = LongTests.areAsked ? 1 : max(1, calls / 4)
    var outcomes: [Bool] = []
    for number in stride(from: 1, through: calls, by: step) {
      try notes.seed(mode: mode)
      let seeded = try notes.files
      let died = try MigrationProcess.run(notes.path, kind, at: number, "kill")
      #expect(died.status == SIGKILL, "\(kind) \(number): \(died.output)")
      outcomes.append(try check("\(kind) \(number)", against: seeded))
    }
    if LongTests.areAsked {
      print("\(mode): killed at \(calls) calls of \(kind): \(outcomes.filter { $0 }.count) were migrated")
    }
  }

  /// A call that fails is an error, and the store is as before; once it is migrated, as after.
  @Test(
    .enabled(if: FaultLibrary.path != nil, "clang builds the library that fails"),
    arguments: ["open", "read", "write", "fsync", "mkdir", "stat", "unlink"], ["once", "good"])
  func aCallThatFails(kind: String, manner: String) throws {
    // Every sync: after one of them a commit that failed is done all the same.
    let isWhole = LongTests.areAsked || kind == "fsync"
    for mode in isWhole ? ["WAL", "DELETE"] : ["WAL"] {
      try notes.seed(mode: mode)
      let clean = try MigrationProcess.run(notes.path, kind, at: 0, manner)
      let calls = try #require(Int(clean.output.split(whereSeparator: \.isWhitespace).last ?? ""))
      for number in stride(from: 1, through: calls, by: isWhole ? 1 : max(1, calls / 4)) {
        try fail(kind, number, manner, mode)
      }
    }
  }

  private func fail(_ kind: String, _ number: Int, _ manner: String, _ mode: String) throws {
    try notes.seed(mode: mode)
    let seeded = try notes.files
    let result = try MigrationProcess.run(notes.path, kind, at: number, manner)
    let comment: Comment = "\(mode) \(kind) \(number) \(manner): \(result.output)"
    #expect(result.status == 0, comment)
    #expect(try check(comment, against: seeded) == result.output.hasPrefix("migrated"), comment)
  }

  @Test func aProcessThatDiesAtARandomMoment() throws {
    let rounds = LongTests.areAsked ? 400 : 12
    var migrated = 0
    for round in 0..<rounds {
      try notes.seed()
      let seeded = try notes.files
      let process = try MigrationProcess.start(notes.path)
      usleep(UInt32.random(in: 0..<60_000))
      process.kill()
      if try check("round \(round)", against: seeded) { migrated += 1 }
    }
    if LongTests.areAsked { print("killed \(rounds) times, \(migrated) times after the migration") }
  }
}
