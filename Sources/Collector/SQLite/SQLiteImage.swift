import ExhibitSQLite

/// The copy of SQLite that captures work with: the one the test's own connections come from.
package struct SQLiteImage: Sendable {
  /// Opens a connection, with the parameters and the result of `sqlite3_open_v2`.
  ///
  /// Whoever watches the process's connections passes a function that marks these as its own.
  package var open:
    @Sendable (UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?) ->
      Int32

  package init(
    open:
      @escaping @Sendable (
        UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?
      ) -> Int32
  ) {
    self.open = open
  }

  /// The SQLite that this module is linked with.
  package static let linked = SQLiteImage { sqlite3_open_v2($0, $1, $2, $3) }
}
