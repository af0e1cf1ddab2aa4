/// Finds the rows that pieces of a tree in two states do not have in common.
struct RowDifference {
  let old: RowCursor
  let new: RowCursor
  let visit: (RowChange) throws -> Void
  private(set) var changes: TableChanges

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

  /// Compares tables with rowids, in whose order both states have their rows.
  mutating func compareByRowid() throws {
    var (before, after) = (try old.next(), try new.next())
    while let former = before, let row = after {
      if former.rowid == row.rowid {
        if try !former.hasSamePayload(as: row) { try tell(.changed(old: former, new: row)) }
        (before, after) = (try old.next(), try new.next())
      } else if former.rowid < row.rowid {
        try tell(.removed(former))
        before = try old.next()
      } else {
        try tell(.added(row))
        after = try new.next()
      }
    }
    try tellRest(before, after)
  }

  /// Tells all rows of both as removed and added.
  mutating func compareNothing() throws { try tellRest(try old.next(), try new.next()) }

  private mutating func tellRest(_ before: StoredRow?, _ after: StoredRow?) throws {
    var (before, after) = (before, after)
    while let former = before {
      try tell(.removed(former))
      before = try old.next()
    }
    while let row = after {
      try tell(.added(row))
      after = try new.next()
    }
  }
}
