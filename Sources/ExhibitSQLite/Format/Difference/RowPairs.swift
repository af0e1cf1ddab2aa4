/// Passes the rows of two tables by rowid, in pairs or alone, without comparing their contents.
///
/// - Parameter oldRoot: `nil` for a table that did not exist; likewise `newRoot`.
package func forEachRowPair(
  of oldRoot: UInt32?, in old: DatabaseState, and newRoot: UInt32?, in new: DatabaseState,
  _ body: (RowChange) throws -> Void
) throws {
  func cursor(_ root: UInt32?, _ state: DatabaseState) throws -> RowCursor {
    RowCursor(state, try root.map { try TreePieces(state, root: $0).pieces } ?? [])
  }
  try forEachRowPair(of: cursor(oldRoot, old), and: cursor(newRoot, new), body)
}

func forEachRowPair(
  of former: RowCursor, and later: RowCursor, _ body: (RowChange) throws -> Void
) throws {
  var (before, after) = (try former.next(), try later.next())
  while before != nil || after != nil {
    if let old = before, let new = after, old.rowid == new.rowid {
      try body(.changed(old: old, new: new))
      (before, after) = (try former.next(), try later.next())
    } else if let old = before, after.map({ old.rowid < $0.rowid }) ?? true {
      try body(.removed(old))
      before = try former.next()
    } else if let new = after {
      try body(.added(new))
      after = try later.next()
    }
  }
}
