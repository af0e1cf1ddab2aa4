package import ExhibitSQLite

/// Captures databases as they are at this moment, without altering, blocking or checkpointing them.
///
/// Rules 1 to 4 of docs/architecture.md. Without a helper, a file that a copy of SQLite which is not ours has open ends
/// as a failure.
package struct DatabaseCapturer: Sendable {
  package var image: SQLiteImage
  package var limits: CaptureLimits
  /// Tables whose rows no capture holds.
  package var excludedTables: Set<String>
  /// Whether the raw database and WAL are kept beside a capture whose WAL held committed transactions.
  package var keepsHistory: Bool
  /// Starts another process for what only it may open; it throws when it got no answer in time.
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

  /// Captures `source` into `folder` as `<name>.sqlite`, and what a transaction of the failed test's own
  /// connection had not committed yet as `<name>.uncommitted.sqlite`.
  ///
  /// Beside them may stand: `<name>.history/` with the raw database and WAL; where the WAL is not the
  /// database's own, `<name>.sqlite` is the database alone, `<name>.with-wal.sqlite` what SQLite makes of both,
  /// and `<name>.raw/` the files themselves; `<name>.raw` where the file is no database.
  ///
  /// - Parameters:
  ///   - source: What to capture.
  ///   - name: A file name without extension, safe on disk.
  ///   - folder: An existing folder.
  /// - Returns: What was captured and what was not; a failed capture leaves nothing behind.
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
