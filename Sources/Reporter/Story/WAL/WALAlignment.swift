/// Which transaction of a WAL is which of those that a trace tells, from the last one back.
///
/// The WAL begins at the last checkpoint, so the trace may have more before; and the trace begins with its test, so the
/// WAL may have more before that.
struct WALAlignment {
  struct Pair {
    /// Index among the trace's commits.
    var commit: Int
    /// Index among the WAL's transactions.
    var transaction: Int
    /// Whether their rows are the same, as far as they are told.
    var isSame = true
  }

  /// In order.
  private(set) var pairs: [Pair] = []
  /// Between pairs or behind the last one: transactions that no step of the trace made, by index.
  private(set) var unexplained: [Int] = []
  /// Between pairs: commits of the trace that surely changed something which the WAL does not have, by index.
  private(set) var lacking: [Int] = []

  private let commits: [TraceCommit]
  private let transactions: [WALHistory.Transaction]
  /// How many are passed over in search of the next that agree.
  private static let reach = 1000

  init(_ commits: [TraceCommit], _ transactions: [WALHistory.Transaction]) {
    (self.commits, self.transactions) = (commits, transactions)
    align()
    judge()
  }

  private mutating func align() {
    var (commit, transaction) = (commits.count - 1, transactions.count - 1)
    while commit >= 0, transaction >= 0 {
      if agrees(commit, transaction) {
        pairs.append(Pair(commit: commit, transaction: transaction))
        (commit, transaction) = (commit - 1, transaction - 1)
        continue
      }
      // The nearest two that agree, counting both ways what has to be passed over.
      let earlier = (1...Self.reach).first { $0 <= transaction && agrees(commit, transaction - $0) }
      let former = (1...Self.reach).first { $0 <= commit && agrees(commit - $0, transaction) }
      switch (earlier, former) {
      case (let passed?, let other):
        if passed <= other ?? .max { transaction -= passed } else { commit -= other ?? 1 }
      case (nil, let passed?): commit -= passed
      case (nil, nil): (commit, transaction) = (commit - 1, transaction - 1)
      }
    }
    pairs.reverse()
  }

  /// Looks at what lies between the pairs.
  private mutating func judge() {
    guard let first = pairs.first else { return }
    var differing: [Pair] = []
    var (commit, transaction) = (first.commit + 1, first.transaction + 1)
    for pair in pairs.dropFirst() + [Pair(commit: commits.count, transaction: transactions.count)] {
      let isLast = pair.commit == commits.count
      let told = (commit..<max(commit, pair.commit)).filter { commits[$0].isCertain && !commits[$0].isLater }
      let others = (transaction..<max(transaction, pair.transaction)).filter { transactions[$0].isOfTables }
      (commit, transaction) = (pair.commit + 1, pair.transaction + 1)
      if !told.isEmpty, told.count == others.count, zip(told, others).allSatisfy({ resembles($0, $1) }) {
        differing += zip(told, others).map { Pair(commit: $0, transaction: $1, isSame: false) }
      } else {
        unexplained += others
        // What was committed at the very end may have come behind the capture.
        if !isLast { lacking += told }
      }
    }
    pairs = (pairs + differing).sorted { $0.transaction < $1.transaction }
  }

  /// Whether both touch the same tables.
  private func resembles(_ commit: Int, _ transaction: Int) -> Bool {
    let tables = Set(transactions[transaction].touched.map(\.table).filter(TraceCommit.isOfNote))
    let told = Set(commits[commit].rows.filter { $0.value.values.contains { $0.operation != nil } }.keys)
      .union(commits[commit].others).union(commits[commit].keyless).filter(TraceCommit.isOfNote)
    return tables == told
  }

  // MARK: - One and one

  private func agrees(_ commit: Int, _ transaction: Int) -> Bool {
    let (commit, transaction) = (commits[commit], transactions[transaction])
    if transaction.problem != nil { return true }
    let tables = Dictionary(transaction.touched.map { ($0.table, $0) }) { first, _ in first }
    guard commit.others.allSatisfy({ tables[$0] != nil || hasShadow($0, tables) }) else { return false }
    guard commit.added.allSatisfy({ tables[$0.key].map(\.count) ?? $0.value == $0.value }) else {
      return false
    }
    var isMet = !commit.others.isEmpty || commit.keyless.contains { tables[$0] != nil }
    for (name, rows) in commit.rows where TraceCommit.isOfNote(name) {
      guard let met = agree(rows, tables[name], commit) else { return false }
      isMet = isMet || met
    }
    let names = transaction.declaredNames
    let declares = !names.isEmpty
    if declares, !commit.lacksRows, commit.declared.isDisjoint(with: names) { return false }
    guard agrees(commit, declares, transaction.touched) else { return false }
    if isMet || commit.lacksRows || commit.declares && declares { return true }
    return commit.rows.isEmpty && commit.keyless.isEmpty && !transaction.isOfTables
  }

  /// Whether a table is a virtual one whose data was touched.
  private func hasShadow(_ name: String, _ tables: [String: WALHistory.Touched]) -> Bool {
    VirtualTables.shadowEndings.contains { tables[name + $0] != nil }
  }

  /// - Returns: Whether a row that surely changed is there; `nil` where they contradict each other.
  private func agree(
    _ rows: [Int64: TraceCommit.Row], _ touched: WALHistory.Touched?, _ commit: TraceCommit
  ) -> Bool? {
    let certain = rows.filter { $0.value.operation != nil && !$0.value.isUncertain }
    guard let touched else { return certain.isEmpty ? false : nil }
    guard let rowids = touched.rowids else { return touched.count >= certain.count ? !certain.isEmpty : nil }
    for (key, row) in certain {
      guard rowids[key] == row.operation else { return nil }
    }
    let isWhole = rowids.keys.allSatisfy { key in
      rows[key].map { $0.operation != nil || $0.isUncertain } ?? false
    }
    return isWhole || commit.lacksRows || commit.declares ? !rows.isEmpty : nil
  }

  /// Whether what the WAL's transaction declared, and touched beside, can be the commit's.
  private func agrees(_ commit: TraceCommit, _ declares: Bool, _ touched: [WALHistory.Touched]) -> Bool {
    if commit.lacksRows { return true }
    if declares, !commit.declares { return false }
    if commit.declares, declares { return true }
    return touched.allSatisfy {
      !TraceCommit.isOfNote($0.table) || commit.rows[$0.table] != nil || commit.others.contains($0.table)
        || commit.keyless.contains($0.table)
    }
  }
}

extension WALHistory.Transaction {
  /// What it made, dropped and declared anew, in lower case.
  fileprivate var declaredNames: Set<String> {
    let altered = tables.filter { $0.fate != .kept }
    return Set(
      (altered.map(\.name) + altered.compactMap(\.formerName) + declarations.map(\.name)).map {
        $0.lowercased()
      })
  }

  /// Whether it changed something that steps tell of.
  var isOfTables: Bool {
    isOfNote
      && (!declarations.isEmpty || problem != nil || tables.contains { $0.fate != .kept }
        || touched.contains { TraceCommit.isOfNote($0.table) })
  }
}

// MARK: - Values

extension WALAlignment {
  /// Where the two say different things, in sentences.
  func contradictions() -> [String] {
    var found: [String] = []
    for pair in pairs {
      let (commit, transaction) = (commits[pair.commit], transactions[pair.transaction])
      if !pair.isSame {
        found.append(
          "The transaction that step \(commit.number) committed changed other rows than transaction \(transaction.number) of the WAL: \(difference(commit, transaction))."
        )
      } else if let other = otherValue(commit, transaction) {
        found.append(other)
      }
    }
    found += lacking.map { "What step \(commits[$0].number) committed is not in the WAL." }
    return found
  }

  private func difference(_ commit: TraceCommit, _ transaction: WALHistory.Transaction) -> String {
    for touched in transaction.touched where TraceCommit.isOfNote(touched.table) {
      let rows = commit.rows[touched.table] ?? [:]
      guard let rowids = touched.rowids else { continue }
      let told = Set(rows.filter { $0.value.operation != nil && !$0.value.isUncertain }.keys)
      if let key = told.subtracting(rowids.keys).min() {
        return "row \(key) of \(touched.table) is only in the steps"
      }
      if let key = Set(rowids.keys).subtracting(rows.keys).min() {
        return "row \(key) of \(touched.table) is only in the WAL"
      }
      if let key = told.first(where: { rowids[$0] != rows[$0]?.operation }) {
        return "something else happened to row \(key) of \(touched.table)"
      }
    }
    return "more or fewer of them"
  }

  /// A row that has another value than the step wrote.
  private func otherValue(_ commit: TraceCommit, _ transaction: WALHistory.Transaction) -> String? {
    for table in transaction.tables where table.shadows.isEmpty {
      guard let rows = commit.rows[table.name] else { continue }
      for row in table.groups.flatMap(\.rows) {
        guard let key = row.key, let told = rows[key], !told.isUncertain, let new = row.new,
          new.count == told.new.count
        else { continue }
        let other = new.indices.first { column in
          !StoryCheck.isSame(told.new[column], new[column], isKey: new[column] == .integer(key))
        }
        if let other {
          let name = table.columns.indices.contains(other) ? table.columns[other] : "column \(other + 1)"
          return
            "Row \(key) of \(table.name) has another value in \(name) in transaction \(transaction.number) of the WAL than step \(told.step) wrote."
        }
      }
    }
    return nil
  }
}
