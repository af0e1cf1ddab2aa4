/// Captures databases as they are at this moment, without altering, blocking or checkpointing them.
///
/// Rules 1 and 2 of the design. What it cannot capture yet ends as a failure with its reason: a file held
/// by a copy of SQLite that is not ours, a WAL that is not the database's, the hot journal of a dead process.
package struct DatabaseCapturer: Sendable {
  package var image: SQLiteImage
  package var limits: CaptureLimits
  /// Tables whose rows no capture holds.
  package var excludedTables: Set<String>

  package init(
    image: SQLiteImage = .linked, limits: CaptureLimits = CaptureLimits(), excludedTables: Set<String> = []
  ) {
    self.image = image
    self.limits = limits
    self.excludedTables = excludedTables
  }

  /// Captures `source` into `folder` as `<name>.sqlite`, and what a transaction of the failed test's own
  /// connection had not committed yet as `<name>.uncommitted.sqlite`.
  ///
  /// - Parameters:
  ///   - source: what to capture.
  ///   - name: a file name without extension, safe on disk.
  ///   - folder: an existing folder.
  /// - Returns: what was captured and what was not; a failed capture leaves nothing behind.
  package func capture(
    _ source: DatabaseSource, named name: String, into folder: String
  ) -> DatabaseCaptureResult {
    var attempt = CaptureAttempt(
      image: image, limits: limits, deadline: .now + limits.wait, folder: folder, name: name,
      excludedTables: excludedTables)
    guard attempt.hasUsableName() else { return attempt.result }
    switch source {
    case .file(let file):
      attempt.run { try $0.captureCommitted(file) }
      attempt.captureUncommitted(file)
    case .inMemory(let connection):
      attempt.run { try $0.captureSerialized(connection, path: "") }
    }
    return attempt.result
  }
}
