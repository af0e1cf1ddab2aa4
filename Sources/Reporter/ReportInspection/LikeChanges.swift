package import ExhibitSQLite

/// A change that several rows have in common.
package struct LikeChange: Sendable, Hashable {
  package var operation: RowOperation
  /// The columns that an update changed, by index; empty where not looked at.
  package var columns: [Int]

  package init(_ operation: RowOperation, columns: [Int] = []) {
    (self.operation, self.columns) = (operation, columns)
  }
}

/// Rows to which the same happened.
package struct LikeChanges: Sendable, Equatable {
  package var change: LikeChange
  package var count = 0
  /// The first ones.
  package var rows: [ChangedRow] = []

  package init(_ change: LikeChange) { self.change = change }
}

/// One row, before and after.
package struct ChangedRow: Sendable, Equatable {
  /// The rowid, at the end where it is there then; `nil` where the table has none.
  package var key: Int64?
  /// `nil` of a row that was added.
  package var old: [DatabaseValue?]?
  /// `nil` of a row that was removed.
  package var new: [DatabaseValue?]?
  /// The steps that wrote it, the first and the last few; a WAL tells of none.
  package var steps: [Int] = []

  package init(old: [DatabaseValue?]? = nil) { self.old = old }

  package var operation: RowOperation { RowOperation(from: old, to: new) }
}
