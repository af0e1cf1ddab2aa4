import ExhibitCSQLite

/// The copy of SQLite that captures work with: the one the test's own connections come from.
package struct SQLiteImage: Sendable {
  /// Opens a connection, with the parameters and the result of `sqlite3_open_v2`.
  ///
  /// Whoever watches the process's connections passes a function that marks these as its own.
  package var open:
    @Sendable (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?) ->
      Int32

  /// Runs a function that runs statements on a connection of the app: none of the app's callbacks is called for them,
  /// and the connection's error is the same afterwards.
  ///
  /// It throws `CaptureError` without running it where that cannot be had.
  package var undisturbed: @Sendable (_ db: OpaquePointer, _ body: () -> Void) throws -> Void

  package init(
    open:
      @escaping @Sendable (
        UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?
      ) -> Int32,
    undisturbed: @escaping @Sendable (OpaquePointer, () -> Void) throws -> Void
  ) {
    self.open = open
    self.undisturbed = undisturbed
  }

  /// The SQLite that this module is linked with, for connections that are no captures': those of a process that is not
  /// an app's, and those that an app is to see.
  package static let linked = SQLiteImage(
    open: { sqlite3_open_v2($0, $1, $2, $3) }, undisturbed: { _, body in body() })

  /// The same with a result.
  package func undisturbed<Answer>(_ handle: SQLiteHandle, _ body: (SQLiteHandle) throws -> Answer) throws
    -> Answer
  {
    var result: Result<Answer, any Error>?
    try undisturbed(handle.pointer) { result = Result { try body(handle) } }
    guard let result else {
      throw SQLiteError(SQLITE_MISUSE, "use", path: handle.path)
    }
    return try result.get()
  }
}
