/// Something that is wrong with a store on disk.
public struct StoreFinding: Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Kind: String, Sendable {
    /// The `-wal` beside the database belongs to another one.
    case foreignWAL
    /// A process died in a transaction, and its rollback journal was not applied yet.
    case hotJournal
    /// `integrity_check` finds something.
    case damaged
    /// Rows refer to rows that do not exist.
    case foreignKey
    /// It could not be looked at.
    case unreadable
  }

  /// What is wrong.
  public var kind: Kind
  /// The absolute path of the database.
  public var path: String
  /// The same in a sentence or two.
  public var description: String
}
