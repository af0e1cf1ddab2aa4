import ExhibitSQLite
import ReportModel

/// Compares one table row by row.
final class ComparedTable {
  let pair: TablePair
  /// The shown name and columns, if not its own.
  private let name: String
  private let columnNames: [String]?
  private let key: [String]
  private let columns: ComparedColumns
  let rows: ComparedRows
  private let limits: InspectionLimits
  private let showsRows: Bool
  private let renamedFrom: String?

  private var (added, removed, changed) = (0, 0, 0)
  private var laterRows: [DatabaseChanges.Row] = []
  private var removedRows: [DatabaseChanges.Row] = []
  private var unpaired = UnpairedRows()
  private var second: SecondReading?
  private var problem: String?

  /// - Parameter shownAs: The virtual table that stores these rows, with its columns after the rowid.
  /// - Throws: `TableLayout.Unknown`.
  init(
    _ pair: TablePair, encodings: (old: DatabaseState.Encoding, new: DatabaseState.Encoding),
    shownAs: (name: String, columns: [String])? = nil, showsRows: Bool, limits: InspectionLimits
  ) throws {
    self.pair = pair
    let old = try pair.old.map { try TableLayout($0, encoding: encodings.old) }
    let new = try pair.new.map { try TableLayout($0, encoding: encodings.new) }
    columns = ComparedColumns(old, new, isSameTree: pair.old?.rootPage == pair.new?.rootPage)
    rows = ComparedRows(columns, limits: limits)
    name = shownAs?.name ?? pair.name
    renamedFrom = shownAs == nil ? pair.formerName : nil
    columnNames = shownAs.flatMap { shown in
      shown.columns.count + 1 == (new ?? old)?.columns.count ? ["rowid"] + shown.columns : nil
    }
    key = shownAs == nil ? (new ?? old)?.keyNames ?? [] : []
    self.showsRows = showsRows
    self.limits = limits
    if columns.identity == .none {
      problem = "Its rows are not compared: its primary key is another one now."
    }
  }

  /// True when all rows must be read, since equal bytes can be different rows.
  var needsAllRows: Bool { !columns.isTold && columns.identity != .none }
  var hasRowids: Bool { columns.old?.isWithoutRowid != true && columns.new?.isWithoutRowid != true }
  var keyValues: Int? { (columns.new ?? columns.old)?.keyValues }
  /// True when rows must be read again for display.
  var needsSecondReading: Bool { second != nil }

  /// True when possibly only undeclared rowids differ.
  var mayBeNumberedAnew: Bool {
    hasRowids && columns.old?.primaryKey == [] && columns.new?.primaryKey == [] && added > 0
      && added == removed
      && problem == nil && renamedFrom == nil
  }

  func forgetChanges() { (added, removed, changed, laterRows, removedRows) = (0, 0, 0, [], []) }

  func note(_ problem: String) { self.problem = self.problem ?? problem }

  /// Takes a change in tree order, and if needed a second time.
  ///
  /// - Throws: `DamagedPage`, `SystemError`.
  func take(_ change: RowChange) throws {
    switch (columns.identity, change) {
    case (.none, _): return
    case (.stored, .added(let row)): try takeAdded(row)
    case (.stored, .removed(let row)): try takeRemoved(row)
    case (.stored, .changed(let old, let new)): try takeChanged(old, new)
    case (.key, .added(let row)): try pairLater(row, isNew: true)
    case (.key, .removed(let row)): try pairLater(row, isNew: false)
    case (.key, .changed(let old, let new)):
      guard try rows.key(old, isNew: false) != rows.key(new, isNew: true) else {
        if second == nil { try takeChanged(old, new) }
        return
      }
      try pairLater(old, isNew: false)
      try pairLater(new, isNew: true)
    }
  }

  private func takeAdded(_ row: StoredRow) throws {
    added += 1
    if showsRows, laterRows.count < limits.rows { laterRows.append(try rows.added(row)) }
  }

  private func takeRemoved(_ row: StoredRow) throws {
    removed += 1
    if showsRows, removedRows.count < limits.rows { removedRows.append(try rows.removed(row)) }
  }

  private func takeChanged(_ old: StoredRow, _ new: StoredRow) throws {
    let differing = try rows.changedColumns(from: old, to: new)
    guard !differing.isEmpty else { return }
    changed += 1
    if showsRows, laterRows.count < limits.rows { laterRows.append(try rows.changed(old, new, differing)) }
  }

  // MARK: - Rows that are known by their key

  private func pairLater(_ row: StoredRow, isNew: Bool) throws {
    guard second == nil else {
      second?.take(row, isNew: isNew)
      return
    }
    try unpaired.add(rows.key(row, isNew: isNew), values: rows.digest(row, isNew: isNew), isNew: isNew)
  }

  /// Matches rows by key after the first pass.
  func finish() {
    guard !unpaired.isEmpty else { return }
    let pairs = unpaired.pairs(most: showsRows ? limits.rows : 0)
    added += pairs.added
    changed += pairs.changed
    removed += pairs.removedCount
    if unpaired.isFull {
      note("More than \(grouped(UnpairedRows.limit)) of its rows differ, and the others were not compared.")
    }
    unpaired = UnpairedRows()
    if !pairs.later.isEmpty || !pairs.removed.isEmpty { second = SecondReading(pairs, rows) }
  }

  /// Reads the shown rows after the second pass, up to the first unreadable one.
  ///
  /// - Throws: `DamagedPage`, `SystemError`.
  func finishAgain() throws {
    guard let reading = second else { return }
    second = nil
    try reading.forEachRow { row in
      if row.operation == .delete { removedRows.append(row) } else { laterRows.append(row) }
    }
  }

  // MARK: - The result

  func result() -> DatabaseChanges.Table {
    var table = DatabaseChanges.Table(name: name, formerName: renamedFrom)
    table.isVirtual = columnNames != nil
    table.columns = columnNames ?? columns.names
    table.key = key
    table.columnChanges = columns.changes
    // The virtual table declares a shadow table, and renaming changes the statement.
    let isAsBefore = columnNames != nil || renamedFrom != nil && columns.changes.isEmpty
    table.fate = pair.fate == .redefined && isAsBefore ? .kept : pair.fate
    (table.added, table.removed, table.changed) = (added, removed, changed)
    table.problem = problem
    if problem != nil {
      if added == 0 { table.added = nil }
      if removed == 0 { table.removed = nil }
      if changed == 0 { table.changed = nil }
    }
    table.rows = Array(laterRows.prefix(limits.rows))
    table.rows += removedRows.prefix(limits.rows - table.rows.count)
    table.showColumns(atMost: limits.columns)
    return table
  }
}

private struct SecondReading {
  private struct Side {
    let wanted: Set<Int>
    var next = 0
    var rows: [Int: StoredRow] = [:]

    mutating func take(_ row: StoredRow) {
      if wanted.contains(next) { rows[next] = row }
      next += 1
    }
  }

  private let pairs: UnpairedRows.Pairs
  private let compared: ComparedRows
  private var (old, new): (Side, Side)

  init(_ pairs: UnpairedRows.Pairs, _ rows: ComparedRows) {
    (self.pairs, compared) = (pairs, rows)
    old = Side(wanted: Set(pairs.removed + pairs.later.compactMap(\.old)))
    new = Side(wanted: Set(pairs.later.map(\.new)))
  }

  mutating func take(_ row: StoredRow, isNew: Bool) {
    if isNew { new.take(row) } else { old.take(row) }
  }

  func forEachRow(_ body: (DatabaseChanges.Row) -> Void) throws {
    for pair in pairs.later {
      guard let row = new.rows[pair.new] else { continue }
      if let former = pair.old {
        guard let old = old.rows[former] else { continue }
        body(try compared.changed(old, row, compared.changedColumns(from: old, to: row)))
      } else {
        body(try compared.added(row))
      }
    }
    for removed in pairs.removed {
      if let row = old.rows[removed] { body(try compared.removed(row)) }
    }
  }
}
