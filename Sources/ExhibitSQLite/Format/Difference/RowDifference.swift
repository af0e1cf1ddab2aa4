/// Finds the rows that differ between parts of a tree in two states.
struct RowDifference {
  let old: RowCursor
  let new: RowCursor
  let visit: (RowChange) throws -> Void
  var changes: TableChanges

  init(
    _ pair: TablePair, old: RowCursor, new: RowCursor, visit: @escaping (RowChange) throws -> Void
  ) {
    self.old = old
    self.new = new
    self.visit = visit
    changes = TableChanges(pair: pair)
  }

  mutating func tell(_ change: RowChange) throws {
    switch change {
    case .added: changes.added += 1
    case .removed: changes.removed += 1
    case .changed: changes.changed += 1
    }
    try visit(change)
  }

  mutating func compareByRowid() throws {
    try forEachRowPair(of: old, and: new) { change in
      if case .changed(let former, let row) = change, try former.hasSamePayload(as: row) { return }
      try tell(change)
    }
  }

  /// Reports all rows as removed and added.
  mutating func compareNothing() throws {
    while let former = try old.next() { try tell(.removed(former)) }
    while let row = try new.next() { try tell(.added(row)) }
  }
}
