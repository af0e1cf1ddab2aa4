import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Rows that one statement changed twice in one column, where its family mostly does so once: two triggers do the same.
extension Causes {
  private static let (fewest, rareEnough) = (20, 0.25)

  private struct Cell: Hashable {
    var table: StoryTable
    var key: RowKey?
    var row: [Story.Value?]
    var column: Int
  }

  private struct Found {
    var step: ToldSteps.Step
    /// The second change of a row.
    var change: ToldSteps.Change
    var column: Int
  }

  var doubleChanges: [Explanation] { told.isWhole ? families.all.compactMap(explanation) : [] }

  private func explanation(of family: StepFamily) -> Explanation? {
    guard family.members.count >= Self.fewest else { return nil }
    let found = family.members.compactMap(second)
    guard let first = found.first, Double(found.count) <= Double(family.members.count) * Self.rareEnough,
      found.allSatisfy({ $0.change.table == first.change.table && $0.column == first.column })
    else { return nil }
    return explanation(family, found, first.change.table, first.column)
  }

  /// The change of a step that changed again what the step had changed.
  private func second(_ step: ToldSteps.Step) -> Found? {
    guard step.changes.count > 1, step.recorded.unkept == 0 else { return nil }
    var changed: Set<Cell> = []
    for change in step.changes where change.told.operation == .update {
      for (column, values) in zip(change.told.old, change.told.new).enumerated() where values.0 != values.1 {
        // A row that nothing else tells is known by what the first change made of it.
        func cell(_ key: RowKey?, _ row: [Story.Value?]) -> Cell {
          Cell(table: change.table, key: key, row: key == nil ? row : [], column: column)
        }
        if changed.contains(cell(change.row, change.told.old)) {
          return Found(step: step, change: change, column: column)
        }
        changed.insert(cell(change.newRow, change.told.new))
      }
    }
    return nil
  }

  private func explanation(
    _ family: StepFamily, _ found: [Found], _ table: StoryTable, _ column: Int
  ) -> Explanation? {
    guard let first = found.first else { return nil }
    let touches = disagreement.weight(of: [table.name])
    let met = told.difference(of: found.map(\.change), disagreement)
    guard touches > 0 || met != nil else { return nil }
    let ran = Set(found.flatMap(\.step.recorded.triggers))
    let triggers = files.first { $0.database == table.database }?.schema.triggers.filter {
      ran.contains($0.name) && $0.written.contains { $0.lowercased() == table.name.lowercased() }
    }
    let names = (triggers ?? []).map(\.name).sorted().prefix(3)
    let name = told.name(of: column, in: table)
    let reason =
      names.count > 1
      ? ": the triggers \(names.joined(separator: " and ")) both write \(table.name)"
      : "; the other runs did not"
    return Explanation(
      .certain,
      """
      \(grouped(found.count)) of \(grouped(family.members.count)) runs of \(family.pieces) changed \
      \(table.name).\(name) of one row twice (first in \(step: first.step.number))\(reason)\(values: met).
      """,
      rows: told.rows(
        of: found.map(\.change), in: table, title: "\(table.name): changed for the second time"),
      weight: (met != nil ? Weight.certainDifference : Weight.certain) + touches,
      about: Set(found.map(\.step.number)))
  }
}
