package import ExhibitSQLite

/// Counts the frames of a WAL; each has one page of the database.
package struct WALFrames: Sendable, Equatable, Codable {
  package var committed: Int
  /// The number of transactions with committed frames.
  package var transactions: Int
  /// Valid frames after the last commit, of a transaction that was open or that ended with its process.
  package var uncommitted: Int
  /// True when an incomplete frame follows: cut off, damaged, or left over from a rolled back transaction.
  package var isBroken: Bool

  package init(committed: Int = 0, transactions: Int = 0, uncommitted: Int = 0, isBroken: Bool = false) {
    self.committed = committed
    self.transactions = transactions
    self.uncommitted = uncommitted
    self.isBroken = isBroken
  }

  /// The counts made when the WAL was read.
  package init(_ frames: WALIndex.Frames) {
    self.init(
      committed: frames.committed, transactions: frames.transactions, uncommitted: frames.uncommitted,
      isBroken: frames.isBroken)
  }

  private enum CodingKeys: String, CodingKey {
    case committed, transactions, uncommitted
    case isBroken = "broken"
  }

  func write(to text: inout JSONText) {
    text.member("committed", committed)
    text.member("transactions", transactions)
    text.member("uncommitted", uncommitted)
    text.member("broken", isBroken)
  }
}
