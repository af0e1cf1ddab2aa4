package import ExhibitSQLite

/// Counts of a WAL's frames, each of which is one page.
package struct WALFrames: Sendable, Equatable, Codable {
  package var committed: Int
  package var transactions: Int
  package var uncommitted: Int
  /// An invalid frame follows: cut off, damaged, or left of a rollback.
  package var isBroken: Bool

  package init(committed: Int = 0, transactions: Int = 0, uncommitted: Int = 0, isBroken: Bool = false) {
    self.committed = committed
    self.transactions = transactions
    self.uncommitted = uncommitted
    self.isBroken = isBroken
  }

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
