import ExhibitSQLite

/// A connection that the test's process has open, lent for a moment at a time.
package struct LiveConnection: Sendable {
  /// What became of the wish to use a connection.
  package enum Access: Sendable {
    case used, closed
    /// Somebody else used it until the deadline.
    case busy
  }

  /// The name under which the connection knows the database: `main`, or what `ATTACH` called it.
  package var schema: String
  /// Whether the test that failed opened or used the connection.
  package var belongsToFailedTest: Bool
  /// Whether it can be lent at all: not one without a mutex whose app uses it nobody knows where.
  package var isLendable = true
  /// Runs a function with the handle, under the lock that the connection's end takes too and under the
  /// connection's own mutex, or says why not; the function is run at most once, before `borrow` returns.
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

  /// What came of `use`.
  enum Use<T> {
    case done(T)
    case closed, busy
  }

  /// Lends the connection to `body` and hands on what it returns or throws.
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
