import ExhibitSQLite

/// An open connection of the test's process, lent for a moment at a time.
package struct LiveConnection: Sendable {
  /// The outcome of an attempt to use a connection.
  package enum Access: Sendable {
    case used, closed
    /// Somebody else used it until the deadline.
    case busy
  }

  /// The connection's name for the database: `main`, or the name given by `ATTACH`.
  package var schema: String
  /// True when the failed test opened or used the connection.
  package var belongsToFailedTest: Bool
  /// False for a connection without a mutex when its app's thread is unknown, so that it can never be lent.
  package var isLendable = true
  /// Runs a function with the handle, under the lock of the connection's end and the connection's own mutex.
  ///
  /// The result says why it was not run. The function is run at most once, before `borrow` returns.
  package var borrow:
    @Sendable (_ deadline: ContinuousClock.Instant, _ body: (OpaquePointer) -> Void) -> Access

  package init(
    schema: String = "main", belongsToFailedTest: Bool,
    borrow: @escaping @Sendable (ContinuousClock.Instant, (OpaquePointer) -> Void) -> Access
  ) {
    self.schema = schema
    self.belongsToFailedTest = belongsToFailedTest
    self.borrow = borrow
  }

  enum Use<T> {
    case done(T)
    case closed, busy
  }

  /// Lends the connection to `body` and returns or throws what `body` does.
  func use<T>(
    path: String, until deadline: ContinuousClock.Instant, _ body: (SQLiteHandle) throws -> T
  ) throws -> Use<T> {
    var result: Result<T, any Error>?
    let access = borrow(deadline) { pointer in
      result = Result { try body(SQLiteHandle(pointer: pointer, path: path)) }
    }
    if let result { return .done(try result.get()) }
    return access == .busy ? .busy : .closed
  }
}
