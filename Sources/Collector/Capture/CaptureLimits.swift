/// Limits the size of captured databases and the waiting time of a capture.
package struct CaptureLimits: Codable, Sendable, Equatable {
  /// The most bytes of a database together with its WAL.
  package var databaseBytes: Int
  /// The most bytes of a database that must be completely in memory for its capture (`sqlite3_serialize`).
  package var serializedBytes: Int
  /// The time that a capture may wait for locks; copying is not limited.
  package var wait: Duration

  package init(
    databaseBytes: Int = 256 << 20, serializedBytes: Int = 64 << 20, wait: Duration = .seconds(2)
  ) {
    self.databaseBytes = databaseBytes
    self.serializedBytes = serializedBytes
    self.wait = wait
  }
}
