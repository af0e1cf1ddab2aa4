/// A problem of a store on disk.
public struct StoreFinding: Sendable, Equatable, CustomStringConvertible {
  /// The kind of problem.
  public enum Kind: String, Sendable {
    /// The `-wal` beside the database belongs to another one.
    case foreignWAL
    /// A process died in a transaction, and its rollback journal is not applied yet.
    case hotJournal
    /// `integrity_check` reports damage.
    case damaged
    /// Rows refer to rows that do not exist.
    case foreignKey
    /// The store could not be read.
    case unreadable
  }

  /// The kind of problem.
  public var kind: Kind
  /// The absolute path of the database.
  public var path: String
  /// The problem in one or two sentences.
  public var description: String
}
