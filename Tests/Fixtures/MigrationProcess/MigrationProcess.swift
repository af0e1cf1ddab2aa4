import ExhibitCSQLite
import Foundation
import StoreMigration

/// Migrates a store in a process of its own, which can end at any moment.
///
///     MigrationProcess <store> [kill <step> | hold <step> | <kind> <n> <once|good|kill>]
///
/// From `user_version` 1 to 2 it gives every note a title. With `kill` the process kills itself at a step of the
/// migration; with `hold` it stops there, which it says, until its standard input ends. With a kind, the `n`-th call of that kind fails, or the process is killed at it, as Tests/Fixtures/Faults
/// does when it is preloaded. It prints the outcome, or the error, and how many calls of the kind there were.
@main
enum MigrationProcess {
  static func main() throws {
    let arguments = CommandLine.arguments
    var migration = StoreMigration(of: URL(fileURLWithPath: arguments[1]))
    if arguments.count == 4 {
      let (manner, step) = (arguments[2], arguments[3])
      migration.onStep = { if $0.rawValue == step { stop(manner) } }
    }
    if arguments.count == 5 { try Faults.arm(arguments[2], arguments[3], arguments[4]) }
    let result = Result { try migration.run(to: 2) { try addTitles($0, $1) } }
    let calls = arguments.count == 5 ? try Faults.disarm() : 0
    switch result {
    case .success(let outcome): print(outcome, calls)
    case .failure(let error): print("\(error)", calls)
    }
  }

  private static func stop(_ manner: String) {
    if manner == "kill" { kill(getpid(), SIGKILL) }
    FileHandle.standardOutput.write(Data("holding\n".utf8))
    while readLine() != nil {}
  }

  private static func addTitles(_ connection: OpaquePointer, _ version: Int) throws {
    let sql = """
      BEGIN; ALTER TABLE note ADD COLUMN title TEXT; UPDATE note SET title = 'Note ' || id;
      CREATE INDEX note_title ON note(title); COMMIT
      """
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw Refused(message: String(cString: sqlite3_errmsg(connection)))
    }
  }

  struct Refused: Error {
    var message: String
  }
}

/// The preloaded library.
enum Faults {
  private typealias Arm = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Void
  private typealias Disarm = @convention(c) () -> Int32

  static func arm(_ kind: String, _ number: String, _ manner: String) throws {
    guard let arm = dlsym(nil, "fault_arm") else { throw CocoaError(.executableNotLoadable) }
    let manners: [String: Int32] = ["once": 0, "good": 1, "kill": 2]
    // Read by the library until the process ends.
    unsafeBitCast(arm, to: Arm.self)(strdup(kind), Int32(number) ?? 0, manners[manner] ?? 0)
  }

  static func disarm() throws -> Int {
    guard let disarm = dlsym(nil, "fault_disarm") else { throw CocoaError(.executableNotLoadable) }
    return Int(unsafeBitCast(disarm, to: Disarm.self)())
  }
}
