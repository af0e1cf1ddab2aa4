/// How large a database may be that is captured, and how long its capture may wait.
package struct CaptureLimits: Codable, Sendable, Equatable {
  /// Bytes of a database together with its WAL.
  package var databaseBytes: Int
  /// Bytes of a database that has to be in memory whole to be captured (`sqlite3_serialize`).
  package var serializedBytes: Int
  /// How long a capture waits for locks; copying takes as long as it takes.
  package var wait: Duration

  package init(
    databaseBytes: Int = 256 << 20, serializedBytes: Int = 64 << 20, wait: Duration = .seconds(2)
  ) {
    self.databaseBytes = databaseBytes
    self.serializedBytes = serializedBytes
    self.wait = wait
  }
}
