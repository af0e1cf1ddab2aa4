import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Finds runs of a statement that did not change a table through a trigger or foreign key, though most others did.
extension Causes {
  private static let fewestRuns = 20
  /// The largest share of exceptions whose rows do not equal the difference.
  private static let rare = 0.05
  private static let mostNamed = 5
  private static let mostTables = 40

  var missedTriggers: [Explanation] {
    guard told.isWhole else { return [] }
    return families.flatMap { family -> [Explanation] in
      guard family.members.count >= Self.fewestRuns else { return [] }
      var known: Set<[Int]> = []
      return reached(by: family).compactMap { table in
        let runs = family.members.filter { $0.tellsAll(of: table) }
        let missed = runs.filter { !$0.reaches(table) }
        guard runs.count >= Self.fewestRuns, !missed.isEmpty,
          Double(missed.count) <= Double(runs.count) * Self.rareEnough,
          known.insert(missed.map(\.number)).inserted
        else { return nil }
        return explanation(family, missed, of: runs.count, table)
      }
    }
  }

  /// Tables that a statement changed through triggers and foreign keys.
  private func reached(by family: StepFamily) -> [StoryTable] {
    let changes = family.members.lazy.flatMap(\.changes).filter { $0.told.depth > 0 }
    return changes.groups(\.table).prefix(Self.mostTables).map { $0[0].table }
  }

  private func explanation(
    _ family: StepFamily, _ missed: [ToldSteps.Step], of count: Int, _ table: StoryTable
  ) -> Explanation? {
    let changes = missed.flatMap(\.changes)
    let isCount = disagreement.isMet(by: Int64(missed.count), least: 2)
    let met =
      told.difference(of: changes, disagreement, least: 2)
      ?? (isCount ? "; the difference is their number" : nil)
    let touches = disagreement.weight(of: [table.name] + changes.map(\.table.name))
    let isRare = Double(missed.count) <= Double(count) * Self.rare
    guard met != nil || isRare && touches > 0 else { return nil }
    return Explanation(
      .likely,
      """
      \(grouped(missed.count)) of \(grouped(count)) runs of \(family.pieces) changed no row of \(table.name) through \
      a trigger or a foreign key; the other \(grouped(count - missed.count)) did (step \(named(missed)))\
      \(values: met).
      """,
      rows: rows(missed), weight: (met != nil ? Weight.difference : Weight.rare) + touches,
      about: Set(missed.map(\.number)))
  }

  private func named(_ steps: [ToldSteps.Step]) -> [Explanation.Piece] {
    let pieces = steps.prefix(Self.mostNamed).flatMap { step -> [Explanation.Piece] in
      [.text(", "), .number(step.number)]
    }
    return pieces.dropFirst() + (steps.count > Self.mostNamed ? [.text(" …")] : [])
  }

  private func rows(_ steps: [ToldSteps.Step]) -> RelatedRows? {
    let changes = steps.compactMap { $0.changes.first { $0.told.depth == 0 } }
    guard let table = changes.first?.table, changes.count == steps.count,
      changes.allSatisfy({ $0.table == table })
    else { return nil }
    return told.rows(of: changes, in: table, title: "\(table.name): what these steps wrote")
  }
}

extension ToldSteps.Step {
  /// True when all its changes of a table are known and committed; other databases may have a table of that name.
  fileprivate func tellsAll(of table: StoryTable) -> Bool {
    recorded.error == nil && recorded.tellsRows && database == table.database && !recorded.isRunning
      && !isUndone
  }

  fileprivate func reaches(_ table: StoryTable) -> Bool {
    changes.contains { $0.table == table && $0.told.depth > 0 }
  }
}
