/// A store could not do what a test asked of it.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of mistake or obstacle it is.
  public enum Reason: Sendable, Equatable {
    /// No trait and no base class has made a store for this test.
    case noStore
    /// The store's folder could not be made or removed.
    case folder
    /// A seed threw an error.
    case seed
    /// A nested suite asks for another kind of store than the suite around it made.
    case kind
    /// The store or the connection is closed.
    case closed
    /// SQLite refused; the result code is its extended one.
    case sqlite(code: Int32)
  }

  /// What a program can go by.
  public var reason: Reason
  /// What happened and what to do, in a sentence or two.
  public var description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
