import ExhibitSQLite
import ReportInspection

/// A table as it was after a step: what differs from the captured end.
struct TableState: Sendable {
  /// True when the table was there at all.
  var exists = true
  /// True when the rows that are not in `rows` are as captured; where false, `rows` are all.
  var holdsCaptured = true
  /// By key, what is not as it was captured; a row that was not there is `nil`.
  private(set) var rows: [RowKey: [DatabaseValue?]?] = [:]

  /// A row that is there and should not be, or the other way, or has other values.
  struct Contradiction: Error {}

  /// No such table.
  static let absent = TableState(exists: false, holdsCaptured: false)
  /// A table without rows.
  static let empty = TableState(holdsCaptured: false)

  // MARK: - Backwards

  /// - Parameter events: The events of which nothing was visible yet, in order.
  /// - Returns: The bound that prevents it.
  mutating func undo(_ events: [TableEvent]) throws(Contradiction) -> StateBound? {
    var events = events[...]
    if let made = events.firstIndex(where: \.isMade) {
      // Whatever happened to it later, before that it was not there.
      (self, events) = (.absent, events[..<made])
    }
    for event in events.reversed() {
      switch event.kind {
      case .barrier(let bound), .dropped(let bound): return bound
      case .row(let change): try undo(change)
      case .made: break
      }
    }
    return nil
  }

  private mutating func undo(_ change: TableEvent.RowChange) throws(Contradiction) {
    guard exists else { throw Contradiction() }
    if let key = change.after {
      try expect(key, change.new)
      if !holdsCaptured || key != change.before { rows[key] = .some(nil) }
    }
    if let key = change.before {
      if key != change.after, case .some(.some) = rows[key] { throw Contradiction() }
      rows[key] = .some(change.old)
    }
  }

  // MARK: - Forwards

  /// - Parameter events: The events that were taken back later, in order.
  /// - Returns: The bound that prevents it.
  mutating func redo(_ events: ArraySlice<TableEvent>) throws(Contradiction) -> StateBound? {
    for event in events {
      switch event.kind {
      case .barrier(let bound), .made(let bound?): return bound
      case .row(let change): try redo(change)
      case .made: self = .empty
      case .dropped: self = .absent
      }
    }
    return nil
  }

  private mutating func redo(_ change: TableEvent.RowChange) throws(Contradiction) {
    guard exists else { throw Contradiction() }
    if let key = change.before {
      try expect(key, change.old)
      rows[key] = .some(nil)
    }
    if let key = change.after {
      if case .some(.some) = rows[key] { throw Contradiction() }
      rows[key] = .some(change.new)
    }
  }

  /// - Throws: `Contradiction` where the row is known to be another.
  private func expect(_ key: RowKey, _ values: [DatabaseValue?]) throws(Contradiction) {
    guard let known = rows[key] else {
      if holdsCaptured { return }
      throw Contradiction()
    }
    guard Self.mayBeSame(known, values) else { throw Contradiction() }
  }

  /// True when two told rows can be the same, as far as their values are kept; `nil` is no row.
  static func mayBeSame(_ one: [DatabaseValue?]?, _ other: [DatabaseValue?]?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return ToldValue.isSame(one, other, key: nil)
  }
}
