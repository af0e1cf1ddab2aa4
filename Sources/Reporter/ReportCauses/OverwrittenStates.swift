import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Updates that replaced, in few of their rows, what another statement of the test had put there.
extension Causes {
  private static let (fewest, rareEnough) = (10, 0.25)
  /// Writes of one cell: one that is written more often is no state.
  private static let mostWriters = 20

  var overwrittenStates: [Explanation] {
    guard told.isWhole else { return [] }
    var writers: [CellKey: [ToldSteps.Step]] = [:]
    for step in told.steps where !step.isSetUp {
      for change in step.changes where change.told.operation == .update {
        for cell in Self.cells(change) where writers[cell, default: []].count <= Self.mostWriters {
          writers[cell, default: []].append(step)
        }
      }
    }
    return families.all.compactMap { explanation(of: $0, writers) }
  }

  private static func cells(_ change: ToldSteps.Change) -> [CellKey] {
    guard let key = change.row else { return [] }
    return zip(change.told.old, change.told.new).enumerated().compactMap { column, values in
      values.0 == values.1 ? nil : CellKey(table: change.table, key: key, column: column)
    }
  }

  private func explanation(of family: StepFamily, _ writers: [CellKey: [ToldSteps.Step]]) -> Explanation? {
    guard family.members.first?.text.kind == .update else { return nil }
    let writes: [Write] = family.members.flatMap { step in
      step.changes.filter { $0.told.operation == .update && $0.told.depth == 0 }.map { (step, $0) }
    }
    guard writes.count >= Self.fewest, let table = writes.first?.change.table,
      writes.allSatisfy({ $0.change.table == table }), disagreement.weight(of: [table.name]) > 0
    else { return nil }
    for column in writes[0].change.told.new.indices {
      if let found = overwritten(writes, column, writers) {
        return explanation(family, writes.count, found.writes, found.value, by: found.writer, table, column)
      }
    }
    return nil
  }

  /// The rows with one old value, all of which one other statement had written, while it wrote none of the others.
  private func overwritten(
    _ writes: [Write], _ column: Int, _ writers: [CellKey: [ToldSteps.Step]]
  ) -> (writes: [Write], value: DatabaseValue, writer: ToldSteps.Step)? {
    let changed = writes.filter { $0.change.told.old[safe: column] != $0.change.told.new[safe: column] }
    // If each row has a value of its own, nothing is a state.
    let values = Dictionary(grouping: changed) { ($0.change.told.old[safe: column] ?? nil) ?? .null }
    guard changed.count >= Self.fewest, values.count > 1, values.count <= 6,
      Set(changed.map { ($0.change.told.new[safe: column] ?? nil) ?? .null }).count == 1
    else { return nil }
    func earlier(_ write: Write) -> ToldSteps.Step? {
      write.change.row.flatMap { key in
        writers[CellKey(table: write.change.table, key: key, column: column)]?.last {
          $0.number < write.step.number && $0.sql != write.step.sql
        }
      }
    }
    for (value, own) in values.sorted(by: { $0.value[0].step.number < $1.value[0].step.number }) {
      guard Double(own.count) <= Double(changed.count) * Self.rareEnough,
        let writer = own.first.flatMap(earlier),
        own.allSatisfy({ earlier($0)?.sql == writer.sql })
      else { continue }
      let others = changed.filter { ($0.change.told.old[safe: column] ?? nil) != value }
      if others.allSatisfy({ earlier($0) == nil }) { return (own, value, writer) }
    }
    return nil
  }

  private func explanation(
    _ family: StepFamily, _ count: Int, _ found: [Write], _ value: DatabaseValue, by writer: ToldSteps.Step,
    _ table: StoryTable, _ column: Int
  ) -> Explanation? {
    guard let first = found.first else { return nil }
    let name = told.name(of: column, in: table)
    let author: [Explanation.Piece] = writer.place.map { [.place($0)] } ?? [.statement(writer.sql)]
    return Explanation(
      .likely,
      """
      \(family.pieces) overwrote \(table.name).\(name)\(values: " \(value.shortText)") in \(grouped(found.count)) of \
      \(grouped(count)) rows (first in \(step: first.step.number)), which \(author) had written in this test (first \
      in \(step: writer.number)); the others were not changed before.
      """,
      rows: told.rows(of: found.map(\.change), in: table, title: "\(table.name): overwritten"),
      weight: Weight.rule + Weight.touchesRead + 3, about: Set(found.map(\.step.number)))
  }
}
