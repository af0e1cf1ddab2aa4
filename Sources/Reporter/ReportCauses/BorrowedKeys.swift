import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// References that have the number of the row that was inserted last, of another table than the one they refer to:
/// `last_insert_rowid()` was asked too late.
extension Causes {
  /// Rows for which that has to be so: one may have the number by chance.
  private static let fewest = 2
  /// Steps between the row that is meant and the one that refers to it.
  private static let farthest = 12

  private struct Borrowed {
    var step: ToldSteps.Step
    var change: ToldSteps.Change
    /// The rows inserted before: the one that is meant, and the one whose number stands there.
    var meant: ToldSteps.Step
    var last: ToldSteps.Step
    var source: String
  }

  var borrowedKeys: [Explanation] {
    guard told.isWhole else { return [] }
    let places = Dictionary(uniqueKeysWithValues: tests.enumerated().map { ($0.element.number, $0.offset) })
    var own: [StoryTable: [Int64: Int]] = [:]
    for step in tests {
      for change in step.changes where change.told.operation == .insert {
        if let key = change.told.newKey ?? change.told.key {
          own[change.table, default: [:]][key] = step.number
        }
      }
    }
    return families.all.compactMap { family in
      guard family.members.first?.text.kind == .insert else { return nil }
      let found = family.members.compactMap { step in
        places[step.number].flatMap { borrowed(step, at: $0, own) }
      }
      guard found.count >= Self.fewest, let first = found.first,
        found.allSatisfy({ $0.change.table == first.change.table })
      else { return nil }
      return explanation(family, found, first)
    }
  }

  /// - Parameter own: The rows that the test inserted, with the steps that did.
  private func borrowed(_ step: ToldSteps.Step, at place: Int, _ own: [StoryTable: [Int64: Int]]) -> Borrowed?
  {
    guard let change = step.changes.first(where: { $0.told.depth == 0 && $0.told.operation == .insert }),
      let references = told.references[change.table]
    else { return nil }
    let before = tests[max(0, place - Self.farthest)..<place].filter {
      $0.recorded.connection == step.recorded.connection && $0.line == step.line
        && $0.transaction == step.transaction
    }
    func inserted(_ step: ToldSteps.Step) -> (table: String, key: Int64)? {
      guard step.text.kind == .insert,
        let change = step.changes.last(where: { $0.told.depth == 0 && $0.told.operation == .insert }),
        let key = change.told.newKey ?? change.told.key
      else { return nil }
      return (change.table.name, key)
    }
    for (name, parent) in references {
      guard let column = change.columns.firstIndex(of: name),
        case .integer(let value)? = change.told.new[safe: column] ?? nil,
        let meant = before.last(where: { inserted($0)?.table.lowercased() == parent.lowercased() }),
        inserted(meant)?.key != value,
        // A row that the test made may be meant.
        own[StoryTable(database: change.table.database, name: parent)]?[value] == nil,
        let last = before.last(where: { inserted($0) != nil }), last.number > meant.number,
        let other = inserted(last), other.key == value, other.table.lowercased() != parent.lowercased()
      else { continue }
      return Borrowed(step: step, change: change, meant: meant, last: last, source: other.table)
    }
    return nil
  }

  private func explanation(_ family: StepFamily, _ found: [Borrowed], _ first: Borrowed) -> Explanation? {
    let touches = disagreement.weight(of: [first.change.table.name])
    guard touches > 0 else { return nil }
    return Explanation(
      .certain,
      """
      \(family.pieces) gave \(counted(found.count, "row")) of \(first.change.table.name) the number of the row of \
      \(first.source) that was inserted just before, instead of that of the row it should refer to: \
      \(step: first.step.number) has the number from \(step: first.last.number)\(" in ", place: first.last.place), \
      not from \(step: first.meant.number).
      """,
      rows: told.rows(
        of: found.map(\.change), in: first.change.table,
        title: "\(first.change.table.name): with a number of \(first.source)"),
      weight: Weight.certain + touches + 5, about: Set(found.map(\.step.number)))
  }
}
