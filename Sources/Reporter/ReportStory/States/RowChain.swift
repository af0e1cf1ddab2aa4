import ExhibitSQLite
import ReportInspection

/// Checks that each change of a table found what the one before it left.
struct RowChain {
  /// The step that found another row than the steps before it had left, the last of those; `nil` where none did.
  private(set) var broken: Int?
  /// The rows that the captured table has to hold, as the newest steps left them.
  private(set) var rows: [RowKey: [DatabaseValue?]?] = [:]
  /// By key: the row that the last examined step found, and the step's number.
  private var found: [RowKey: (row: [DatabaseValue?]?, step: Int)] = [:]

  /// - Parameters:
  ///   - events: In order.
  ///   - isShown: True when the captured table shows an event.
  init(_ events: [TableEvent], where isShown: (TableEvent) -> Bool) {
    for event in events.reversed() where isShown(event) {
      switch event.kind {
      case .barrier, .dropped, .made(.some): return
      case .made:
        for (row, step) in found.values where row != nil { breaks(at: step) }
        return
      case .row(let change):
        if let key = change.after { leave(key, change.new, event.step) }
        if let key = change.before, key != change.after { leave(key, nil, event.step) }
        if let key = change.before { found[key] = (change.old, event.step) }
      }
    }
  }

  private mutating func leave(_ key: RowKey, _ row: [DatabaseValue?]?, _ step: Int) {
    if let found = found[key] {
      if !TableState.mayBeSame(found.row, row) { breaks(at: found.step) }
    } else {
      rows[key] = .some(row)
    }
    found[key] = (nil, step)
  }

  private mutating func breaks(at step: Int) { broken = max(broken ?? step, step) }
}
