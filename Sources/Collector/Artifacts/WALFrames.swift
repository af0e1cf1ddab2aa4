package import ExhibitSQLite

/// The frames of a WAL, each of which holds one page of the database.
package struct WALFrames: Sendable, Equatable, Codable {
  package var committed: Int
  /// How many transactions the committed frames belong to.
  package var transactions: Int
  /// Valid frames after the last commit: of a transaction that was open, or ended with its process.
  package var uncommitted: Int
  /// Whether a frame follows that is not whole: cut off, damaged, or left over from a transaction rolled back.
  package var isBroken: Bool

  package init(committed: Int = 0, transactions: Int = 0, uncommitted: Int = 0, isBroken: Bool = false) {
    self.committed = committed
    self.transactions = transactions
    self.uncommitted = uncommitted
    self.isBroken = isBroken
  }

  /// As they were counted when the WAL was read.
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
