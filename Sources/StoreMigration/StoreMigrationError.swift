/// Why a store was not migrated; it is as it was before.
public struct StoreMigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What stood in the way.
  public enum Reason: Sendable, Equatable {
    /// Another connection, in this process or another, has the store open.
    case storeInUse
    /// The migration left a connection to its copy open.
    case copyInUse
    /// The `-wal` beside the store is another database's; opening the store would destroy it.
    case foreignWAL
    /// The store has a `user_version` that this app does not know.
    case newerVersion(Int)
    /// The migrated copy is damaged, or holds rows that refer to nothing.
    case checkFailed
    /// SQLite refused, with one of its extended result codes.
    case sqlite(Int32)
    /// The system refused, with an `errno`.
    case system(Int32)
  }

  /// What stood in the way.
  public var reason: Reason
  /// The database it is about: the store, or the copy.
  public var path: String
  /// What happened, in a sentence.
  public var message: String

  init(_ reason: Reason, _ path: String, _ message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }

  /// Path and message.
  public var description: String { "\(path): \(message)" }
}
