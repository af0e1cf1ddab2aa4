import ExhibitSQLite
import ReportInspection

/// Checks that each change of a table found what the one before it left.
struct RowChain {
  /// The last step that found another row than was left; `nil` for none.
  private(set) var broken: Int?
  /// What the captured table has to hold.
  private(set) var rows: [RowKey: [DatabaseValue?]?] = [:]
  private var found: [RowKey: (row: [DatabaseValue?]?, step: Int)] = [:]

  /// - Parameter isShown: True for an event that the captured table shows.
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
