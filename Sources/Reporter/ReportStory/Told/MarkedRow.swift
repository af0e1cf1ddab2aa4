package import ExhibitSQLite
package import ReportInspection

/// What marks need of a changed row: a report may have hundreds of thousands.
package struct MarkedRow: Sendable, Equatable {
  package struct Former: Sendable, Equatable {
    package var column: Int
    package var value: DatabaseValue?
  }

  package var operation: RowOperation
  /// `nil` where the values tell which row it is.
  package var key: Int64?
  /// Of a removed row the last ones; empty where the rowid tells the row.
  package var values: [DatabaseValue?]
  /// Former values, where they differ.
  package var before: [Former] = []
}

extension MarkedRow {
  init(_ row: ChangedRow) {
    operation = row.operation
    key = row.key
    values = key == nil || operation == .delete ? row.new ?? row.old ?? [] : []
    guard let old = row.old, let new = row.new else { return }
    before = new.indices.compactMap { column in
      guard old.indices.contains(column) else { return nil }
      if let former = old[column], former == new[column] { return nil }
      return Former(column: column, value: old[column])
    }
  }

  package init(_ row: DatabaseChanges.Row) {
    self.init(operation: row.operation, values: row.cells)
    before = row.before.enumerated().compactMap { column, value in
      value.map { Former(column: column, value: $0) }
    }
  }
}
