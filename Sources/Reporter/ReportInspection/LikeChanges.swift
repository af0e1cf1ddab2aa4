package import ExhibitSQLite

/// A kind of change, used to group rows.
package struct LikeChange: Sendable, Hashable {
  package var operation: RowOperation
  /// Indices of updated columns; empty when not compared.
  package var columns: [Int]

  package init(_ operation: RowOperation, columns: [Int] = []) {
    (self.operation, self.columns) = (operation, columns)
  }
}

package struct LikeChanges: Sendable, Equatable {
  package var change: LikeChange
  package var count = 0
  package var rows: [ChangedRow] = []

  package init(_ change: LikeChange) { self.change = change }
}

package struct ChangedRow: Sendable, Equatable {
  /// The rowid, the later one if it changed.
  package var key: Int64?
  /// `nil` for an inserted row.
  package var old: [DatabaseValue?]?
  /// `nil` for a deleted row.
  package var new: [DatabaseValue?]?
  /// The first and last steps that wrote it; a WAL has none.
  package var steps: [Int] = []

  package init(old: [DatabaseValue?]? = nil) { self.old = old }

  package var operation: RowOperation { RowOperation(from: old, to: new) }
}
