import ExhibitCSQLite

/// A copy of SQLite in the process, with which captures work.
package struct SQLiteImage: Sendable {
  package typealias Open =
    @Sendable (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?) ->
    Int32
  package typealias Undisturbed = @Sendable (_ db: OpaquePointer, _ body: () -> Void) throws -> Void

  /// Opens a connection; a process that watches connections marks it as its own.
  package var open: Open

  /// Runs statements on an app's connection without its callbacks, and restores its error.
  ///
  /// It throws `CaptureError`, running nothing, when that is impossible.
  package var undisturbed: Undisturbed

  package init(open: @escaping Open, undisturbed: @escaping Undisturbed) {
    self.open = open
    self.undisturbed = undisturbed
  }

  /// The SQLite linked here, for connections that are no captures.
  package static let linked = SQLiteImage(
    open: { sqlite3_open_v2($0, $1, $2, $3) }, undisturbed: { _, body in body() })

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
