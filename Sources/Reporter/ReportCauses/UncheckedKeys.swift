import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Rows that were removed on a connection without foreign keys, although others have them on, so that rows which referred
/// to them stay.
extension Causes {
  /// Removed rows that are asked for.
  private static let mostKeys = 500

  var uncheckedKeys: [Explanation] {
    guard !told.checkedConnections.isEmpty else { return [] }
    return families.all.compactMap { family in
      guard family.members.first?.text.kind == .delete else { return nil }
      let steps = family.members.filter { !told.checkedConnections.contains($0.recorded.connection) }
      let removed = steps.flatMap(\.changes).filter { $0.told.operation == .delete && $0.told.depth == 0 }
      guard let first = steps.first(where: { !$0.changes.isEmpty }), let change = removed.first else {
        return nil
      }
      let left = rowsLeft(removed.filter { $0.table == change.table }, change.table)
      let touches = disagreement.weight(of: left.map(\.child))
      guard !left.isEmpty, touches > 0 else { return nil }
      let words = left.map { "\(counted($0.count, "row")) of \($0.child)" }.joined(separator: " and ")
      return Explanation(
        .certain,
        """
        \(family.pieces) removed \(counted(removed.count, "row")) of \(change.table.name) on a connection without \
        PRAGMA foreign_keys = ON (in \(step: first.number)), which other connections have; \(words) that refer to \
        them are still there.
        """,
        rows: told.rows(of: removed, in: change.table, title: "\(change.table.name): removed"),
        weight: Weight.certain + touches + 10, about: Set(steps.map(\.number)))
    }
  }

  /// The rows of a captured database that refer to removed ones.
  private func rowsLeft(_ removed: [ToldSteps.Change], _ table: StoryTable) -> [(child: String, count: Int)] {
    let keys = removed.prefix(Self.mostKeys).compactMap(\.told.key).map(String.init).joined(separator: ", ")
    guard !keys.isEmpty, let file = files.first(where: { $0.database == table.database }),
      let database = files.queries(of: file)
    else { return [] }
    return file.schema.tables.values.sorted { $0.name < $1.name }.compactMap { child in
      let columns = child.foreignKeys.filter {
        $0.columns.count == 1 && $0.table.lowercased() == table.name.lowercased()
      }.map { child.columns[$0.columns[0]].name }
      guard let column = columns.first else { return nil }
      let sql =
        "SELECT count(*) FROM \(SQLText.name(child.name)) WHERE \(SQLText.name(column)) IN (\(keys))"
      let count = database.rows(sql, most: 1).rows.first?.first?.integer ?? 0
      return count > 0 ? (child.name, Int(count)) : nil
    }
  }
}
