import ExhibitCSQLite

/// The copy of SQLite that captures work with; the test's own connections come from it.
package struct SQLiteImage: Sendable {
  /// A function with the parameters and the result of `sqlite3_open_v2`.
  package typealias Open =
    @Sendable (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?) ->
    Int32
  package typealias Undisturbed = @Sendable (_ db: OpaquePointer, _ body: () -> Void) throws -> Void

  /// Opens a connection.
  ///
  /// A process that watches connections passes a function that marks these as its own.
  package var open: Open

  /// Runs statements on a connection of the app without calling the app's callbacks, and restores its error.
  ///
  /// It throws `CaptureError` without running them where that is impossible.
  package var undisturbed: Undisturbed

  package init(open: @escaping Open, undisturbed: @escaping Undisturbed) {
    self.open = open
    self.undisturbed = undisturbed
  }

  /// The SQLite that this module is linked with, for connections that are no captures.
  ///
  /// It serves processes that are not an app's, and connections that an app should see.
  package static let linked = SQLiteImage(
    open: { sqlite3_open_v2($0, $1, $2, $3) }, undisturbed: { _, body in body() })

  /// Does the same and returns a result.
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
