import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Rows that nobody asked to remove: by INSERT OR REPLACE, and by foreign keys that cascade.
struct RemovedRows {
  private let families: StepFamilies
  private let told: ToldSteps
  private let disagreement: Disagreement

  init(_ families: StepFamilies, _ told: ToldSteps, _ disagreement: Disagreement) {
    (self.families, self.told, self.disagreement) = (families, told, disagreement)
  }

  var explanations: [Explanation] {
    families.all.compactMap { family in
      let steps = family.members.filter { step in step.changes.contains { isUnasked($0, of: step) } }
      guard let first = steps.first else { return nil }
      return explanation(family, steps, first)
    }
  }

  /// Whether a row is gone that the statement does not name: it is put back by none of the same step.
  private func isUnasked(_ change: ToldSteps.Change, of step: ToldSteps.Step) -> Bool {
    guard change.told.operation == .delete else { return false }
    if step.text.kind == .insert, change.told.depth == 0 {
      // One row that is replaced by another is what the statement says.
      return step.changes.count { $0.told.operation == .delete && $0.told.depth == 0 } > 1
    }
    // Of a trigger its author asked.
    return change.told.depth > 0 && step.recorded.triggers.isEmpty
  }

  private func explanation(
    _ family: StepFamily, _ steps: [ToldSteps.Step], _ first: ToldSteps.Step
  ) -> Explanation? {
    let changes = steps.flatMap { step in step.changes.filter { isUnasked($0, of: step) } }
    let counts = Dictionary(changes.map { ($0.table, 1) }, uniquingKeysWith: +)
    let tables = counts.sorted { ($0.value, $1.key.name) > ($1.value, $0.key.name) }
    guard let most = tables.first else { return nil }
    let words = tables.prefix(3).map { "\(counted($0.value, "row")) of \($0.key.name)" }
    let met = told.difference(of: changes, disagreement)
    let isReplaced = first.text.kind == .insert
    let touches = disagreement.weight(of: counts.keys.map(\.name))
    // Foreign keys that cascade were declared to do so.
    guard met != nil || isReplaced && touches > 0 else { return nil }
    let reason = isReplaced ? "that stood in its way, or referred to them" : "by foreign keys that cascade"
    var pieces: [Explanation.Piece] = family.pieces
    pieces += [
      .text(" also removed \(words.joined(separator: ", ")) \(reason)"), .text(" (first in "),
      .step(first.number), .text(")"),
    ]
    if let met { pieces.append(.values(met)) }
    pieces.append(.text("."))
    return Explanation(
      .certain, pieces,
      rows: told.rows(
        of: changes.filter { $0.table == most.key }, in: most.key, title: "\(most.key.name): removed"),
      weight: (met != nil ? Weight.certainDifference : Weight.certain) + touches,
      about: Set(steps.map(\.number)))
  }
}
