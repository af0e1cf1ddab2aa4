import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Rows that were removed on a connection without foreign keys, although others have them on, so that rows which referred
/// to them stay.
struct UncheckedKeys {
  private let families: StepFamilies
  private let told: ToldSteps
  private let disagreement: Disagreement

  init(_ families: StepFamilies, _ told: ToldSteps, _ disagreement: Disagreement) {
    (self.families, self.told, self.disagreement) = (families, told, disagreement)
  }

  var explanations: [Explanation] {
    guard !told.checkedConnections.isEmpty else { return [] }
    return families.all.compactMap { family in
      let steps = family.members.filter { !told.checkedConnections.contains($0.recorded.connection) }
      let removed = steps.flatMap(\.changes).filter { $0.told.operation == .delete && $0.told.depth == 0 }
      guard let first = steps.first(where: { !$0.changes.isEmpty }), let change = removed.first else {
        return nil
      }
      let children = told.references.filter { table, references in
        table.database == change.table.database
          && references.contains { $0.parent.lowercased() == change.table.name.lowercased() }
      }.keys.map(\.name).sorted()
      guard !children.isEmpty else { return nil }
      let touches = disagreement.weight(of: children)
      guard touches > 0 else { return nil }
      var pieces = family.pieces
      pieces += [
        .text(
          " removed \(counted(removed.count, "row")) of \(change.table.name) on a connection without PRAGMA foreign_keys = ON (in "
        ),
        .step(first.number),
        .text(
          "), which other connections have: rows of \(children.joined(separator: ", ")) that refer to them stay."
        ),
      ]
      return Explanation(
        .certain, pieces,
        rows: told.rows(of: removed, in: change.table, title: "\(change.table.name): removed"),
        weight: Weight.certain + touches + 10, about: Set(steps.map(\.number)))
    }
  }
}
