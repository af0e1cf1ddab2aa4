/// The most bytes of databases that a report holds.
package struct ByteBudget: Sendable, Equatable {
  /// Bytes of a report.
  package var report: Int
  /// Bytes of one database.
  package var database: Int

  /// Rows that the tables of pages have.
  package init(report: Int = 256_000_000, database: Int = 8_000_000) {
    self.report = report
    self.database = database
  }

  /// Files that SQL in a page opens.
  package static let files = ByteBudget(report: 256 << 20, database: 64 << 20)

  package var hasRoom: Bool { report > 0 && database > 0 }
}
