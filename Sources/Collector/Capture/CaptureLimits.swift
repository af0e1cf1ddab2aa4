package struct CaptureLimits: Codable, Sendable, Equatable {
  /// Of a database with its WAL.
  package var databaseBytes: Int
  /// Of a database captured in memory, by `sqlite3_serialize`.
  package var serializedBytes: Int
  package var wait: Duration

  package init(
    databaseBytes: Int = 256 << 20, serializedBytes: Int = 64 << 20, wait: Duration = .seconds(2)
  ) {
    self.databaseBytes = databaseBytes
    self.serializedBytes = serializedBytes
    self.wait = wait
  }
}
