package import ExhibitSQLite

/// The changes of a database, by table.
package struct DatabaseChanges: Sendable, Equatable {
  /// Changed tables in the order of the captured schema, then dropped ones.
  ///
  /// Shadow tables count as part of their virtual table.
  package var tables: [Table] = []
  package var unchanged = 0
  /// Changed indexes, views and triggers, in the same order.
  package var schema: [SchemaChange] = []
  /// Other changed tables of SQLite and modules, such as `sqlite_sequence`.
  package var housekeeping: [String] = []
  /// Sentences on what was not compared.
  package var problems: [String] = []
  /// What explains its values, in a database that has some that need it.
  package var reading: ValueReading?
  /// True when time ran out, so the result depends on the machine.
  package var isCutByTime = false

  /// True when everything was compared and equal.
  package var isSame: Bool { tables.isEmpty && schema.isEmpty && problems.isEmpty }

  package struct Table: Sendable, Equatable {
    package enum Fate: String, Sendable {
      case kept, created, dropped
      /// Its CREATE statement changed.
      case redefined
    }

    package var name: String
    package var fate: Fate = .kept
    /// The name before renaming.
    package var formerName: String?
    var isVirtual = false
    /// True for a table in which Core Data keeps what is no object.
    package var isHousekeeping = false
    package var columns: [String] = []
    package var omittedColumns = 0
    /// The number of omitted columns that changed.
    package var omittedChanges = 0
    /// In the key's order.
    package var key: [String] = []
    package var columnChanges = ColumnChanges()
    /// Counts of rows; `nil` when unknown.
    ///
    /// Altered tables are compared over their common columns.
    package var added: Int? = 0
    package var removed: Int? = 0
    package var changed: Int? = 0
    /// The first changed and added rows, then removed ones.
    package var rows: [Row] = []
    package var problem: String?

    var isSame: Bool { fate == .kept && formerName == nil && hasSameRows }
    package var hasSameRows: Bool { problem == nil && added == 0 && removed == 0 && changed == 0 }
  }

  package struct ColumnChanges: Sendable, Equatable {
    package struct Renamed: Sendable, Equatable {
      package var from: String
      package var to: String
    }

    package var added: [String] = []
    package var dropped: [String] = []
    package var renamed: [Renamed] = []

    var isEmpty: Bool { added.isEmpty && dropped.isEmpty && renamed.isEmpty }

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
    /// The present values, or a removed row's last ones.
    package var cells: [DatabaseValue]
    /// The former values where they differ.
    package var before: [DatabaseValue?] = []
  }
}

extension DatabaseChanges.Table {
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
