import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Finds rows removed implicitly, by INSERT OR REPLACE or cascading foreign keys.
extension Causes {
  var removedRows: [Explanation] {
    families.compactMap { family in
      let removing = family.members.map { (step: $0, rows: unasked($0)) }.filter { !$0.rows.isEmpty }
      guard let first = removing.first?.step, removing.allSatisfy({ $0.step.recorded.unkept == 0 }) else {
        return nil
      }
      return explanation(family, removing.map(\.step), removing.flatMap(\.rows), first)
    }
  }

  /// Deleted rows that the statement does not name.
  private func unasked(_ step: ToldSteps.Step) -> [ToldSteps.Change] {
    let removed = step.changes.filter { $0.told.operation == .delete }
    if removed.isEmpty { return [] }
    // Deletions by triggers are intended.
    var rows = removed.filter { $0.told.depth > 0 && step.recorded.triggers.isEmpty }
    guard step.text.kind == .insert else { return rows }
    let put = step.changes.filter { $0.told.operation == .insert && $0.told.depth == 0 }
    let keys = Set(put.compactMap(\.newRow))
    // Rows inserted again by key are replaced, as is one for each new row.
    let gone = removed.filter { $0.told.depth == 0 && $0.row.map { !keys.contains($0) } ?? true }
    let old = Set(removed.compactMap(\.row))
    let fresh = put.count { $0.newRow.map { !old.contains($0) } ?? true }
    if gone.count > fresh { rows += gone }
    return rows
  }

  private func explanation(
    _ family: StepFamily, _ steps: [ToldSteps.Step], _ changes: [ToldSteps.Change], _ first: ToldSteps.Step
  ) -> Explanation? {
    let counts = Dictionary(changes.map { ($0.table, 1) }, uniquingKeysWith: +)
    let tables = counts.sorted { ($0.value, $1.key.name) > ($1.value, $0.key.name) }
    guard let most = tables.first else { return nil }
    let words = tables.prefix(3).map { "\(counted($0.value, "row")) of \($0.key.name)" }
    let met = told.difference(of: changes, disagreement)
    let isReplaced = first.text.kind == .insert
    let touches = disagreement.weight(of: counts.keys.map(\.name))
    // Cascades alone are intended.
    guard met != nil || isReplaced && touches > 0 else { return nil }
    let reason = isReplaced ? "that stood in its way, or referred to them" : "by foreign keys that cascade"
    return Explanation(
      .certain,
      """
      \(family.pieces) also removed \(words.joined(separator: ", ")) \(reason) (first in \
      \(step: first.number))\(values: met).
      """,
      rows: told.rows(
        of: changes.filter { $0.table == most.key }, in: most.key, title: "\(most.key.name): removed"),
      weight: (met != nil ? Weight.certainDifference : Weight.certain) + touches,
      about: Set(steps.map(\.number)))
  }
}
