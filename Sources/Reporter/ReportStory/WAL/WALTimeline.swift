import ExhibitSQLite
package import ReportInspection
import ReportModel

extension StateTimeline {
  /// The states of a database between the transactions of its WAL, where no statement was recorded.
  ///
  /// - Parameters:
  ///   - history: With the rows of all transactions, as far as there was room.
  ///   - first: The number that the story gives the first transaction that is told.
  package init(_ history: WALHistory, schema: CapturedSchema, first: Int) {
    let numbers = history.transactions.indices.map { first + $0 }
    let spans = numbers.map { StepVisibility.Span(connection: 0, born: $0, committed: $0, taken: .max) }
    var bound: StateBound?
    if let contradiction = history.contradiction {
      bound = .notTold(contradiction)
    } else if schema.isUncommitted {
      bound = .notTold(
        "The captured file has rows of a transaction that was still open, which are not in the WAL.")
    }
    var tables: [String: TableTimeline] = [:]
    for (place, transaction) in history.transactions.enumerated() {
      func event(_ kind: TableEvent.Kind) -> TableEvent {
        TableEvent(place: place, step: numbers[place], kind: kind)
      }
      for table in transaction.tables where !table.isInternal {
        let layout = schema.tables[table.name]
        tables[
          foldedName(table.name), default: TableTimeline(table.name, layout, names: table.columns)
        ].events += table.events(of: transaction, layout).map(event)
      }
    }
    self.init(
      of: schema, StepVisibility(spans, captured: first + history.transactions.count - 1), bound: bound,
      firstStep: first, tables)
    guard bound == nil else { return }
    steps = history.transactions.enumerated().map { place, transaction in
      Step(
        place: place, text: "Transaction \(transaction.number): \(counted(transaction.rowCount, "row"))",
        isWrite: true)
    }
  }
}

extension WALHistory.Table {
  fileprivate func events(
    of transaction: WALHistory.Transaction, _ layout: CapturedSchema.Table?
  ) -> [TableEvent.Kind] {
    func barrier(_ problem: String) -> [TableEvent.Kind] {
      [.barrier(.transaction(number: transaction.number, problem: problem))]
    }
    if let problem { return barrier(problem) }
    if formerName != nil { return barrier("It renamed the table.") }
    if fate == .kept, sql != nil { return barrier("It declared the table anew.") }
    if fate == .dropped {
      return [.dropped(.transaction(number: transaction.number, problem: "It dropped the table."))]
    }
    var events: [TableEvent.Kind] = fate == .created ? [.made(nil)] : []
    for group in groups {
      guard group.rows.count == group.count else {
        return barrier("It changed more rows than there is room for.")
      }
      for row in group.rows {
        guard let change = row.change(layout) else {
          return barrier("It changed a row whose key is not told.")
        }
        events.append(.row(change))
      }
    }
    return events
  }
}

extension ChangedRow {
  /// - Returns: `nil` where nothing tells which row it is.
  fileprivate func change(_ layout: CapturedSchema.Table?) -> TableEvent.RowChange? {
    func rowKey(_ row: [DatabaseValue?]?) -> RowKey?? {
      guard let row else { return .some(nil) }
      if let key { return .some(.rowid(key)) }
      guard let layout, !layout.key.isEmpty, layout.key.allSatisfy(row.indices.contains) else { return nil }
      return RowKey(values: layout.key.map { row[$0] }).map { .some($0) }
    }
    guard let before = rowKey(old), let after = rowKey(new) else { return nil }
    return TableEvent.RowChange(before: before, after: after, old: old ?? [], new: new ?? [], depth: 0)
  }
}
