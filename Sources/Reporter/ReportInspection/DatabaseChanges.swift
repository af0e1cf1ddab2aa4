package import ExhibitSQLite

/// The changes of a test in a database, table by table.
package struct DatabaseChanges: Sendable, Equatable {
  /// Tables that differ, in the order of the captured schema; dropped ones follow.
  ///
  /// A virtual table is one of them, the tables that its module keeps are not.
  package var tables: [Table] = []
  /// Tables that are as they were.
  package var unchanged = 0
  /// Indexes, views and triggers that differ, in the order of the captured schema; dropped ones follow.
  package var schema: [SchemaChange] = []
  /// Tables that differ and that SQLite or a module keeps for itself, such as `sqlite_sequence`, where it is no change
  /// of a table above.
  package var housekeeping: [String] = []
  /// The parts not compared, in sentences for the reader.
  package var problems: [String] = []
  /// True when time ran out before all was compared, so another machine may show more.
  package var isCutByTime = false

  /// True when nothing that people declare or write differs, and all was compared.
  package var isSame: Bool { tables.isEmpty && schema.isEmpty && problems.isEmpty }

  package struct Table: Sendable, Equatable {
    /// The change of the table itself.
    package enum Fate: String, Sendable {
      case kept, created, dropped
      /// Its CREATE statement is another one.
      case redefined
    }

    package var name: String
    package var fate: Fate = .kept
    /// The name it had, where it has another now.
    package var formerName: String?
    /// True when a module finds its rows, as for full-text search.
    var isVirtual = false
    /// The columns shown: those that changed, and the first of the others.
    package var columns: [String] = []
    /// The number of columns not shown.
    package var omittedColumns = 0
    /// The number of those that changed in the rows shown.
    package var omittedChanges = 0
    /// The columns of its primary key, in its order.
    package var key: [String] = []
    package var columnChanges = ColumnChanges()
    /// Rows; `nil` when they could not be compared.
    ///
    /// Rows of a table whose columns are others now are compared by the columns that both states have.
    package var added: Int? = 0
    package var removed: Int? = 0
    package var changed: Int? = 0
    /// The first of them: changed and added ones, then removed ones.
    package var rows: [Row] = []
    /// The reason for missing rows, in a sentence.
    package var problem: String?

    var isSame: Bool { fate == .kept && formerName == nil && hasSameRows }
    package var hasSameRows: Bool { problem == nil && added == 0 && removed == 0 && changed == 0 }
  }

  /// The changes of a table's stored columns.
  package struct ColumnChanges: Sendable, Equatable {
    package struct Renamed: Sendable, Equatable {
      package var from: String
      package var to: String
    }

    package var added: [String] = []
    package var dropped: [String] = []
    package var renamed: [Renamed] = []

    var isEmpty: Bool { added.isEmpty && dropped.isEmpty && renamed.isEmpty }

    /// In a sentence; `nil` for nothing.
    package var text: String? {
      var parts = renamed.map { "\($0.from) renamed to \($0.to)" }
      if !added.isEmpty { parts.append("\(added.joined(separator: ", ")) added") }
      if !dropped.isEmpty { parts.append("\(dropped.joined(separator: ", ")) dropped") }
      return parts.isEmpty
        ? nil : "Columns: \(parts.joined(separator: "; ")). Rows are compared by the others."
    }
  }

  package struct Row: Sendable, Equatable {
    package var operation: RowOperation
    /// The values now; of a removed row the last ones, NULL for a column that it did not have.
    package var cells: [DatabaseValue]
    /// The former values of a changed row, where they differ.
    package var before: [DatabaseValue?] = []
  }
}

extension DatabaseChanges.Table {
  /// Leaves so many columns: those that changed, and the first of the others.
  mutating func showColumns(atMost limit: Int) {
    guard columns.count > limit else { return }
    let changed = columns.indices.filter { column in
      rows.contains { $0.before.indices.contains(column) && $0.before[column] != nil }
    }
    let others = Set(columns.indices).subtracting(changed).sorted()
    let shown = (changed.prefix(limit) + others.prefix(max(0, limit - changed.count))).sorted()
    omittedColumns = columns.count - shown.count
    omittedChanges = max(0, changed.count - limit)
    columns = shown.map { columns[$0] }
    for row in rows.indices {
      rows[row].cells = shown.map { rows[row].cells[$0] }
      if !rows[row].before.isEmpty { rows[row].before = shown.map { rows[row].before[$0] } }
    }
  }
}
