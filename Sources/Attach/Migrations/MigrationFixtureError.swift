/// Why there is no copy of a fixture to test with.
public struct MigrationFixtureError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What a program can go by.
  public enum Reason: String, Sendable {
    /// The folder cannot be read.
    case folder
    /// The folder holds no database.
    case noFixtures
    /// The name of a database says no version.
    case noVersion
    /// Two files are of one version.
    case repeatedVersion
    /// There is no fixture of the version asked for.
    case unknownVersion
    /// The `-wal` beside the fixture is another database's.
    case foreignWAL
    /// The fixture is no database that can be read.
    case notADatabase
    /// The copy could not be made.
    case copy
  }

  /// What a program can go by.
  public var reason: Reason
  /// What happened and what to do, in a sentence or two.
  public var description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
