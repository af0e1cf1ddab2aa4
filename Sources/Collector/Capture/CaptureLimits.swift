package struct CaptureLimits: Codable, Sendable, Equatable {
  /// A database with its WAL.
  package var databaseBytes: Int
  /// A database captured by `sqlite3_serialize`, in memory.
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
