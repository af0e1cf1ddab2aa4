import ReportInspection

/// Which transaction of a WAL is which of those that a trace tells.
///
/// The WAL begins at the last checkpoint, so the trace may have more before; and the trace begins with its test, so the
/// WAL may have more before that. Of all orders-keeping ways to pair them the one that agrees the most is taken (a
/// longest common subsequence with weights), in windows from the end. Only what lies between two exact agreements, or
/// behind the last one, is told, and only where nothing vague lies there too.
struct WALAlignment {
  struct Pair {
    /// Index among the trace's commits.
    var commit: Int
    /// Index among the WAL's transactions.
    var transaction: Int
    var agreement = WALAgreement.exact
  }

  /// In order.
  private(set) var pairs: [Pair] = []
  /// Behind an exact agreement: transactions that no step of the trace made, by index.
  private(set) var unexplained: [Int] = []
  /// Between exact agreements: commits of the trace that surely changed something which the WAL does not have, by index.
  private(set) var lacking: [Int] = []
  /// Pairs of which one has to be the other, and is not.
  private(set) var differing: [Pair] = []

  private let commits: [TraceCommit]
  private let transactions: [WALHistory.Transaction]
  private let comparison: WALComparison
  /// Commits, and transactions, that are paired at once.
  private static let window = 500
  /// Commits times transactions that are compared in all.
  private static let mostCompared = 4 << 20

  init(_ commits: [TraceCommit], _ transactions: [WALHistory.Transaction]) {
    (self.commits, self.transactions) = (commits, transactions)
    comparison = WALComparison(commits, transactions)
    align()
    judge()
  }

  // MARK: - Pairing

  private mutating func align() {
    var (commit, transaction, compared) = (commits.count, transactions.count, 0)
    while commit > 0, transaction > 0 {
      // Nothing is worth more than an exact agreement of the last two.
      if comparison.agreement(commit - 1, transaction - 1) == .exact {
        (commit, transaction) = (commit - 1, transaction - 1)
        pairs.append(Pair(commit: commit, transaction: transaction))
        continue
      }
      let made = max(0, commit - Self.window)..<commit
      let met = max(0, transaction - Self.window)..<transaction
      compared += made.count * met.count
      guard compared <= Self.mostCompared else { break }
      var found = paired(made, met)
      let isAll = made.lowerBound == 0 && met.lowerBound == 0
      if !isAll {
        // What lies before the window may change what is best at its beginning.
        guard let first = settled(found, made, met) else { break }
        found.removeSubrange((first + 1)...)
      }
      pairs += found
      guard !isAll, let first = found.last else { break }
      (commit, transaction) = (first.commit, first.transaction)
    }
    pairs.reverse()
  }

  /// The first exact agreement in the later half of a window, or else the first one.
  private func settled(_ found: [Pair], _ made: Range<Int>, _ met: Range<Int>) -> Int? {
    let exact = found.indices.filter { found[$0].agreement == .exact }
    return exact.last {
      found[$0].commit >= made.lowerBound + made.count / 2
        && found[$0].transaction >= met.lowerBound + met.count / 2
    } ?? exact.first
  }

  /// The best pairs of a window, from its end back.
  private func paired(_ made: Range<Int>, _ met: Range<Int>) -> [Pair] {
    let width = met.count + 1
    var agreements = [WALAgreement](repeating: .none, count: made.count * met.count)
    // What the first so many commits and transactions gain.
    var gained = [Int64](repeating: 0, count: (made.count + 1) * width)
    for row in 0..<made.count {
      for column in 0..<met.count {
        let agreement = comparison.agreement(made.lowerBound + row, met.lowerBound + column)
        agreements[row * met.count + column] = agreement
        let both = agreement == .none ? 0 : gained[row * width + column] + agreement.weight
        gained[(row + 1) * width + column + 1] = max(
          both, gained[row * width + column + 1], gained[(row + 1) * width + column])
      }
    }
    var found: [Pair] = []
    var (row, column) = (made.count, met.count)
    while row > 0, column > 0 {
      let here = gained[row * width + column]
      let agreement = agreements[(row - 1) * met.count + column - 1]
      if agreement != .none, here == gained[(row - 1) * width + column - 1] + agreement.weight {
        (row, column) = (row - 1, column - 1)
        found.append(
          Pair(commit: made.lowerBound + row, transaction: met.lowerBound + column, agreement: agreement))
      } else if here == gained[(row - 1) * width + column] {
        row -= 1
      } else {
        column -= 1
      }
    }
    return found
  }

  // MARK: - What lies between

  private mutating func judge() {
    let exact = pairs.filter { $0.agreement == .exact }
    guard let first = exact.first else { return }
    var (commit, transaction) = (first.commit + 1, first.transaction + 1)
    for pair in exact.dropFirst() + [Pair(commit: commits.count, transaction: transactions.count)] {
      judge(commit..<pair.commit, transaction..<pair.transaction, isLast: pair.commit == commits.count)
      (commit, transaction) = (pair.commit + 1, pair.transaction + 1)
    }
  }

  private mutating func judge(_ made: Range<Int>, _ met: Range<Int>, isLast: Bool) {
    let told = made.filter { !commits[$0].isBeside }
    let others = met.filter { transactions[$0].isOfTables }
    guard told.allSatisfy({ commits[$0].isWhole || commits[$0].isCounted }) else { return }
    if told.isEmpty {
      unexplained += others
    } else if others.isEmpty {
      // What was committed at the very end may have come behind the capture.
      if !isLast { lacking += told.filter { commits[$0].isCertain && !commits[$0].isLater } }
    } else if told.count == others.count {
      let isClear = zip(told, others).allSatisfy { told, other in
        commits[told].isCertain && !commits[told].isLater && transactions[other].isTold
          && comparison.resembles(told, other)
      }
      guard isClear else { return }
      differing += zip(told, others).map {
        Pair(commit: $0, transaction: $1, agreement: comparison.agreement($0, $1))
      }
    }
  }

  // MARK: - Sentences

  /// Where the two say different things, in sentences.
  func contradictions() -> [String] {
    differing.map { pair in
      if let other = comparison.otherValue(pair.commit, pair.transaction), pair.agreement == .sameRows {
        return other
      }
      let difference = comparison.difference(pair.commit, pair.transaction)
      return
        "The transaction that step \(commits[pair.commit].number) committed changed other rows than transaction \(transactions[pair.transaction].number) of the WAL: \(difference)."
    } + lacking.map { "What step \(commits[$0].number) committed is not in the WAL." }
  }
}
