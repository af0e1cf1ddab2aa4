import ReportInspection

/// How well a transaction that a trace tells and one of a WAL fit each other.
///
/// The raw value grows with how much it says that they are the same one.
enum WALAgreement: UInt8 {
  /// They cannot be the same one.
  case none
  /// Nothing speaks against it.
  case possible
  /// A table or what it declared is in both.
  case named
  /// Rows to which the same happened are in both, and other values in them.
  case sameRows
  /// The same values are in those rows, and something beside them is not told.
  case partial
  /// The same rows with the same values, all that both have; or as many as were added, where they are not told.
  case exact

  /// What an alignment gains by it: no number of lesser ones is worth a greater one.
  var weight: Int64 {
    switch self {
    case .none: 0
    case .possible: 1
    case .named: 1 << 12
    case .sameRows: 1 << 24
    case .partial: 1 << 36
    case .exact: 1 << 48
    }
  }
}

/// Compares commits of a trace with transactions of a WAL.
struct WALComparison {
  private let commits: [TraceCommit]
  private let transactions: [WALHistory.Transaction]
  private let tables: [[String: WALHistory.Touched]]
  private let declared: [Set<String>]
  /// By commit: a row that it surely left otherwise than it was.
  private let signs: [(table: String, key: Int64, operation: TraceCommit.Operation)?]

  init(_ commits: [TraceCommit], _ transactions: [WALHistory.Transaction]) {
    self.commits = commits
    self.transactions = transactions
    tables = transactions.map { Dictionary($0.touched.map { ($0.table, $0) }) { first, _ in first } }
    declared = transactions.map(\.declaredNames)
    signs = commits.map(\.sign)
  }

  func agreement(_ commit: Int, _ transaction: Int) -> WALAgreement {
    let (made, met, names) = (commits[commit], tables[transaction], declared[transaction])
    if transactions[transaction].problem != nil { return .possible }
    // Most are told apart by one row.
    if let sign = signs[commit] {
      guard let touched = met[sign.table] else { return .none }
      if let rowids = touched.rowids, rowids[sign.key] != sign.operation { return .none }
    }
    guard made.others.allSatisfy({ met[$0] != nil || hasShadow($0, met) }),
      made.added.allSatisfy({ met[$0.key].map(\.count) ?? $0.value == $0.value })
    else { return .none }
    var hasRows = false
    for (name, rows) in made.rows where TraceCommit.isOfNote(name) {
      guard let areMet = agree(rows, met[name], made) else { return .none }
      hasRows = hasRows || areMet
    }
    if !names.isEmpty, !made.lacksRows, made.declared.isDisjoint(with: names) { return .none }
    guard agrees(made, !names.isEmpty, met) else { return .none }
    if hasRows {
      if otherValue(commit, transaction) != nil { return .sameRows }
      return made.isWhole && names.isEmpty && isTold(made, met) ? .exact : .partial
    }
    if made.isCounted, names.isEmpty, isCounted(made, met) { return .exact }
    let isNamed =
      !made.others.isEmpty || made.keyless.contains { met[$0] != nil }
      || !made.declared.isDisjoint(with: names)
    if isNamed { return .named }
    if made.lacksRows || made.rewrites || made.declares && !names.isEmpty { return .possible }
    return made.rows.isEmpty && made.keyless.isEmpty && !transactions[transaction].isOfTables
      ? .possible : .none
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
    return isWhole || commit.lacksRows || commit.declares ? !certain.isEmpty : nil
  }

  /// Whether what the WAL's transaction declared, and touched beside, can be the commit's.
  private func agrees(_ commit: TraceCommit, _ declares: Bool, _ touched: [String: WALHistory.Touched])
    -> Bool
  {
    if commit.lacksRows { return true }
    if declares, !commit.declares { return false }
    if commit.rewrites || commit.declares && declares { return true }
    return touched.keys.allSatisfy {
      !TraceCommit.isOfNote($0) || commit.rows[$0] != nil || commit.others.contains($0)
        || commit.keyless.contains($0)
    }
  }

  /// Whether every row that the transaction touched is known by its rowid and surely the commit's.
  private func isTold(_ commit: TraceCommit, _ touched: [String: WALHistory.Touched]) -> Bool {
    touched.allSatisfy { table, touched in
      guard TraceCommit.isOfNote(table) else { return true }
      return touched.rowids?.keys.allSatisfy { commit.rows[table]?[$0]?.isUncertain == false } == true
    }
  }

  /// Whether just as many rows were added as the commit added, to just those tables.
  private func isCounted(_ commit: TraceCommit, _ touched: [String: WALHistory.Touched]) -> Bool {
    let noted = touched.filter { TraceCommit.isOfNote($0.key) }
    return noted.count == commit.added.count
      && noted.allSatisfy { table, touched in
        commit.added[table] == touched.count && touched.rowids?.values.allSatisfy { $0 == .add } != false
      }
  }

  /// Whether both touch the same tables.
  func resembles(_ commit: Int, _ transaction: Int) -> Bool {
    let touched = Set(tables[transaction].keys.filter(TraceCommit.isOfNote))
    let told = Set(
      commits[commit].rows.filter { $0.value.values.contains { $0.operation != nil } }.keys
    ).union(commits[commit].others).union(commits[commit].keyless).filter(TraceCommit.isOfNote)
    return touched == told
  }

  /// A row that has another value than the step wrote, in a sentence.
  func otherValue(_ commit: Int, _ transaction: Int) -> String? {
    let (commit, transaction) = (commits[commit], transactions[transaction])
    for table in transaction.tables where table.shadows.isEmpty {
      guard let rows = commit.rows[table.name] else { continue }
      for row in table.groups.lazy.flatMap(\.rows) {
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

  /// In what rows they differ.
  func difference(_ commit: Int, _ transaction: Int) -> String {
    for touched in transactions[transaction].touched where TraceCommit.isOfNote(touched.table) {
      let rows = commits[commit].rows[touched.table] ?? [:]
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

  /// Whether all that it did is told, by rowids.
  var isTold: Bool {
    problem == nil && declaredNames.isEmpty
      && touched.allSatisfy { !TraceCommit.isOfNote($0.table) || $0.rowids != nil }
  }
}
