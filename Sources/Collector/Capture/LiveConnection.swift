import ExhibitSQLite

/// A connection of the app, lent to a capture for a moment.
package struct LiveConnection: Sendable {
  package enum Access: Sendable {
    case used, closed
    case busy
  }

  /// Or the name given by `ATTACH`.
  package var schema: String
  package var belongsToFailedTest: Bool
  /// False without a mutex and without a known thread of the app.
  package var isLendable = true
  /// Calls its function at most once, under the connection's mutex.
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
