/// Says why a store was not migrated; the store is unchanged.
public struct StoreMigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The obstacle.
  public enum Reason: Sendable, Equatable {
    /// Another connection, in this process or another, has the store open.
    case storeInUse
    /// The migration left a connection to its copy open.
    case copyInUse
    /// The `-wal` beside the store belongs to another database; opening the store would destroy it.
    case foreignWAL
    /// The store has a `user_version` that this app does not know.
    case newerVersion(Int)
    /// The migrated copy is damaged, or has rows that refer to missing ones.
    case checkFailed
    /// SQLite refused, with an extended result code.
    case sqlite(Int32)
    /// The system refused, with an `errno`.
    case system(Int32)
  }

  /// The obstacle.
  public var reason: Reason
  /// The database: the store or the copy.
  public var path: String
  /// The problem in a sentence.
  public var message: String

  init(_ reason: Reason, _ path: String, _ message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }

  /// Path and message.
  public var description: String { "\(path): \(message)" }
}
