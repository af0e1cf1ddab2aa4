import ExhibitSQLite
import ReportInspection

/// A table as it was after a step, as its difference from the captured end.
struct TableState: Sendable {
  var exists = true
  /// True when rows that are not in `rows` are as captured.
  var holdsCaptured = true
  /// `nil` for a row that was not there.
  private(set) var rows: [RowKey: [DatabaseValue?]?] = [:]

  struct Contradiction: Error {}

  static let absent = TableState(exists: false, holdsCaptured: false)
  static let empty = TableState(holdsCaptured: false)

  // MARK: - Backwards

  /// - Returns: The bound that prevents it.
  mutating func undo(_ events: [TableEvent]) throws(Contradiction) -> StateBound? {
    var events = events[...]
    if let made = events.firstIndex(where: \.isMade) {
      // Before that it was not there.
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

  private func expect(_ key: RowKey, _ values: [DatabaseValue?]) throws(Contradiction) {
    guard let known = rows[key] else {
      if holdsCaptured { return }
      throw Contradiction()
    }
    guard Self.mayBeSame(known, values) else { throw Contradiction() }
  }

  /// As far as the values are kept; `nil` is no row.
  static func mayBeSame(_ one: [DatabaseValue?]?, _ other: [DatabaseValue?]?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return ToldValue.isSame(one, other, key: nil)
  }
}
