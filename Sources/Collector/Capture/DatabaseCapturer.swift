package import ExhibitSQLite

/// Captures databases without altering, blocking or checkpointing them, by rules 1 to 4 of
/// docs/architecture.md.
package struct DatabaseCapturer: Sendable {
  package var image: SQLiteImage
  package var limits: CaptureLimits
  package var excludedTables: Set<String>
  /// True to keep the raw database and WAL when the WAL had commits.
  package var keepsHistory: Bool
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
  /// Other files may be:
  ///
  /// - `<name>.uncommitted.sqlite`: with uncommitted rows of the failed test's connection.
  /// - `<name>.history/`: the raw database and WAL.
  /// - `<name>.with-wal.sqlite` and `<name>.raw/`: the database with a foreign WAL, and the raw files.
  /// - `<name>.raw`: a file that is no database.
  ///
  /// - Parameter name: A file name without extension.
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
