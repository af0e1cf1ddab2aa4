import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Updates that wrote a time in another form, and for some rows another time.
extension Causes {
  private static let fewest = 20
  private static let (rare, rareEnough) = (0.05, 0.25)

  private typealias Pair = (change: ToldSteps.Change, step: Int, old: Instant, new: Instant)

  var shiftedTimes: [Explanation] { !told.isWhole ? [] : families.all.flatMap { explanations(of: $0) } }

  private func explanations(of family: StepFamily) -> [Explanation] {
    var pairs: [StoryTable: [Int: [Pair]]] = [:]
    for step in family.members {
      for change in step.changes where change.told.operation == .update && change.told.depth == 0 {
        for (column, (old, new)) in zip(change.told.old, change.told.new).enumerated() where old != new {
          guard let before = Instant(old), let after = Instant(new) else { continue }
          pairs[change.table, default: [:]][column, default: []].append((change, step.number, before, after))
        }
      }
    }
    return pairs.flatMap { table, columns in
      columns.compactMap { explanation(family, table, column: $0.key, $0.value) }
    }
  }

  private func explanation(
    _ family: StepFamily, _ table: StoryTable, column: Int, _ pairs: [Pair]
  ) -> Explanation? {
    let shifted = pairs.filter { $0.old.seconds != $0.new.seconds }
    let share = Double(shifted.count) / Double(pairs.count)
    guard pairs.count >= Self.fewest, let first = shifted.first, share <= Self.rareEnough else { return nil }
    let moved = shifted.filter { $0.old.month != $0.new.writtenMonth }
    let met =
      told.difference(of: shifted.map(\.change), disagreement, isOfRows: true)
      ?? told.difference(of: moved.map(\.change), disagreement, isOfRows: true)
    guard share <= Self.rare || met != nil else { return nil }
    let name = told.name(of: column, in: table)
    let shown = moved.isEmpty ? shifted : moved
    return Explanation(
      .likely,
      """
      \(family.pieces) wrote another time to \(table.name).\(name) in \(grouped(shifted.count)) of \
      \(grouped(pairs.count)) rows (first in \(step: first.step)); the other \
      \(grouped(pairs.count - shifted.count)) are the same moment as before\
      \(values: moved.isEmpty ? nil : "; \(grouped(moved.count)) belong in another month")\(values: met).
      """,
      rows: told.rows(of: shown.map(\.change), in: table, title: "\(table.name): another time"),
      weight: (met == nil ? Weight.rule : Weight.difference + 4) + disagreement.weight(of: [table.name]))
  }
}
