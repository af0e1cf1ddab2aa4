import Collector
import ReportModel
import ReportStory

/// Finds statements that wrote into another database than intended, for lack of a schema name.
extension Causes {
  var otherDatabase: [Explanation] {
    families.compactMap { family in
      guard let step = family.members.first, step.text.isWrite, let target = step.text.target?.lowercased(),
        !Self.names(step.sql, aDatabaseOf: target)
      else { return nil }
      let changes = family.members.flatMap(\.changes).filter {
        $0.told.depth == 0 && $0.table.name.lowercased() == target
      }
      guard let change = changes.first else { return nil }
      // The statement mentions another database that has this table, where the failing read looked.
      let other = told.attached.first { attached in
        attached.connection == step.recorded.connection && attached.schema != change.told.schema.lowercased()
          && step.text.qualifiers.contains(attached.schema) && has(target, attached.database)
          && disagreement.reads.contains { $0.database == attached.database && $0.names.contains(target) }
      }
      guard let other else { return nil }
      return explanation(family, changes, change, other)
    }
  }

  private func has(_ table: String, _ database: Int) -> Bool {
    files.contains { file in
      file.database == database && file.schema.tables.keys.contains { $0.lowercased() == table }
    } || told.columns.keys.contains { $0.database == database && $0.name.lowercased() == table }
  }

  private func explanation(
    _ family: StepFamily, _ changes: [ToldSteps.Change], _ change: ToldSteps.Change,
    _ other: ToldSteps.Attached
  ) -> Explanation? {
    guard let first = family.members.first(where: { !$0.changes.isEmpty }) else { return nil }
    let name = change.table.name
    let database = told.databases[safe: change.table.database]?.name ?? change.told.schema
    let otherName = told.databases[safe: other.database]?.name ?? other.schema
    let met = told.difference(of: changes, disagreement)
    return Explanation(
      .certain,
      """
      \(family.pieces) names no database for \(name): in \(step: first.number) it changed \
      \(counted(changes.count, "row")) of \(database), not of \(otherName), attached as \(other.schema), which the \
      test reads\(values: met).
      """,
      rows: told.rows(of: changes, in: change.table, title: "\(name) in \(database)"),
      weight: (met == nil ? Weight.certain : Weight.certainDifference) + disagreement.weight(of: [name]) + 15,
      about: Set(family.members.map(\.number)))
  }

  /// True when the written table has a schema name.
  private static func names(_ sql: String, aDatabaseOf table: String) -> Bool {
    let tokens = SQLToken.all(in: sql)
    return tokens.indices.contains { index in
      tokens[index].name?.lowercased() == table && tokens[safe: index - 1]?.text == "."
        && ["INTO", "UPDATE", "FROM"].contains(tokens[safe: index - 3]?.folded ?? "")
    }
  }
}
