/// An error of a test's store.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of mistake or obstacle.
  public enum Reason: Sendable, Equatable {
    /// No trait and no base class has made a store for this test.
    case noStore
    /// The store's folder could not be made or removed.
    case folder
    /// A seed threw an error.
    case seed
    /// A nested suite asks for another kind of store than the suite around it has made.
    case kind
    /// The store or the connection is closed.
    case closed
    /// SQLite refused; `code` is the extended result code.
    case sqlite(code: Int32)
  }

  /// The kind of problem, for programs.
  public var reason: Reason
  /// The problem and what to do, in one or two sentences.
  public var description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
