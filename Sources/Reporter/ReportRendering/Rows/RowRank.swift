import ReportInspection

/// Which tables of a database get their room first: those that matter to the test, and of these the small ones.
struct RowRank: Comparable {
  private var kind: Int
  private var values: Int
  private var name: String

  /// - Parameter leading: Folded names of the tables that the test changed, and of those that they refer to or that
  ///   refer to them.
  init(_ table: DatabaseInspection.Table, _ shape: DatabaseSchema.Table, leading: Set<String>) {
    kind =
      switch table.kind {
      case .shadow: 3
      case _ where table.name.isOfSQLite: 2
      case _ where leading.contains(foldedName(table.name)): 0
      case .ordinary, .virtual: 1
      }
    values = (table.rowCount ?? .max / 4096) &* max(1, shape.columns.count)
    name = table.name
  }

  static func < (one: RowRank, other: RowRank) -> Bool {
    (one.kind, one.values, one.name) < (other.kind, other.values, other.name)
  }
}
