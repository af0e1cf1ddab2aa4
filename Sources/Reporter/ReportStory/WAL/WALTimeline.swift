import Collector
package import ReportInspection
import ReportModel

extension StateTimeline {
  /// The states of a database between the transactions of its WAL, where no statement was recorded.
  ///
  /// - Parameters:
  ///   - history: With the rows of all transactions, as far as there was room.
  ///   - evidence: The captured file, by its path in the report's folder.
  ///   - first: The number that the story gives the first transaction that is told.
  package init(_ history: WALHistory, evidence: String, schema: CapturedSchema, first: Int) {
    let last = first + history.transactions.count - 1
    self.init(evidence: evidence, captured: last, showsOpen: false, firstStep: first)
    if let contradiction = history.contradiction {
      bound = contradiction
      return
    }
    if schema.isUncommitted {
      bound = "The captured file has rows of a transaction that was still open, which are not in the WAL."
      return
    }
    var places: [String: Int] = [:]
    for (place, transaction) in history.transactions.enumerated() {
      steps.append(Step(transaction, number: first + place))
      for table in transaction.tables where !table.isInternal {
        add(table, transaction, place: place, schema.tables[table.name], &places)
      }
    }
    for transaction in history.transactions {
      guard let problem = transaction.problem else { continue }
      // It may be about any table.
      let kind = TableEvent.Kind.barrier(.transaction(number: transaction.number, problem: problem))
      let place = transaction.number - history.transactions[0].number
      for index in tables.indices { tables[index].insert(Event(step: place, kind: kind)) }
    }
  }

  private mutating func add(
    _ table: WALHistory.Table, _ transaction: WALHistory.Transaction, place: Int,
    _ layout: CapturedSchema.Table?, _ places: inout [String: Int]
  ) {
    let index = places[table.name] ?? tables.count
    if index == tables.count {
      places[table.name] = index
      tables.append(
        Table(
          name: table.name, columns: table.columns, hasRowid: layout?.hasRowid ?? true,
          isCaptured: layout != nil,
          bound: layout?.isVirtual == true ? StateBound.isVirtual.sentence : nil, events: []))
    }
    tables[index].events += table.events(of: transaction, layout).map { Event(step: place, kind: $0) }
  }
}

extension StateTimeline.Table {
  /// Puts what is about all of the database behind the events of earlier steps.
  fileprivate mutating func insert(_ event: StateTimeline.Event) {
    events.insert(event, at: events.firstIndex { $0.step >= event.step } ?? events.count)
  }
}

extension StateTimeline.Step {
  fileprivate init(_ transaction: WALHistory.Transaction, number: Int) {
    self.init(
      number: number, text: "Transaction \(transaction.number): \(counted(transaction.rowCount, "row"))",
      connection: 0, span: .init(connection: 0, born: number, committed: number, taken: .max), bound: nil,
      isWrite: true)
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

extension WALHistory.Row {
  /// - Returns: `nil` where nothing tells which row it is.
  fileprivate func change(_ layout: CapturedSchema.Table?) -> TableEvent.RowChange? {
    func rowKey(_ row: [DatabaseInspection.Cell]?) -> StoryRowKey?? {
      guard let row else { return .some(nil) }
      if let key { return .some(.rowid(key)) }
      guard let layout, !layout.key.isEmpty, layout.key.allSatisfy(row.indices.contains) else { return nil }
      return StoryRowKey(values: layout.key.map { row[$0] }).map { .some($0) }
    }
    guard let before = rowKey(old), let after = rowKey(new) else { return nil }
    return TableEvent.RowChange(
      before: before, after: after, old: (old ?? []).map { $0 }, new: (new ?? []).map { $0 }, depth: 0)
  }
}
