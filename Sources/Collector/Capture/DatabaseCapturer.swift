package import ExhibitSQLite

/// Captures the current state of databases without altering, blocking or checkpointing them.
///
/// It follows rules 1 to 4 of docs/architecture.md. Without a helper, the capture fails for a file that a SQLite
/// other than ours has open.
package struct DatabaseCapturer: Sendable {
  package var image: SQLiteImage
  package var limits: CaptureLimits
  /// Tables whose rows no capture may have.
  package var excludedTables: Set<String>
  /// True to keep the raw database and WAL beside a capture whose WAL had committed transactions.
  package var keepsHistory: Bool
  /// Captures in another process what only that may open; throws when it gives no answer in time.
  package var helper: (@Sendable (HelperRequest) throws -> DatabaseCaptureResult)?

  package init(
    image: SQLiteImage = .linked, limits: CaptureLimits = CaptureLimits(), excludedTables: Set<String> = [],
    keepsHistory: Bool = false
  ) {
    self.image = image
    self.limits = limits
    self.excludedTables = excludedTables
    self.keepsHistory = keepsHistory
  }

  /// Captures `source` into `folder` as `<name>.sqlite`.
  ///
  /// Uncommitted rows of the failed test's own connection become `<name>.uncommitted.sqlite`. There may be more
  /// files:
  ///
  /// - `<name>.history/` has the raw database and WAL.
  /// - With a foreign WAL, `<name>.sqlite` is the database alone, `<name>.with-wal.sqlite` is the database as SQLite
  ///   reads it with the WAL, and `<name>.raw/` has the files themselves.
  /// - `<name>.raw` is a file that is no database.
  ///
  /// - Parameters:
  ///   - source: The database.
  ///   - name: A file name without extension, safe on disk.
  ///   - folder: An existing folder.
  /// - Returns: The captured files and the failures; a failed capture leaves nothing behind.
  package func capture(
    _ source: DatabaseSource, named name: String, into folder: String
  ) -> DatabaseCaptureResult {
    let context = CaptureContext(
      image: image, limits: limits, deadline: .now + limits.wait, folder: folder, name: name,
      excludedTables: excludedTables, keepsHistory: keepsHistory)
    var attempt = CaptureAttempt(context, helper: helper)
    attempt.capture(source)
    return attempt.result
  }
}
