/// Why a fixture could not be copied for a test.
public struct MigrationFixtureError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of problem, for programs.
  public enum Reason: String, Sendable {
    /// The folder cannot be read.
    case folder
    /// The folder holds no database.
    case noFixtures
    /// The name of a database has no version.
    case noVersion
    /// Two files have the same version.
    case repeatedVersion
    /// No fixture has the version that was asked for.
    case unknownVersion
    /// The `-wal` beside the fixture belongs to another database.
    case foreignWAL
    /// The fixture is not a readable database.
    case notADatabase
    /// The copy could not be made.
    case copy
  }

  /// The kind of problem, for programs.
  public var reason: Reason
  /// The problem and what to do, in one or two sentences.
  public var description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
