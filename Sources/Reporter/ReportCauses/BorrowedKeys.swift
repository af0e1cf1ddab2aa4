import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// References that have the number of the row that was inserted last, of another table than the one they refer to:
/// `last_insert_rowid()` was asked too late.
extension Causes {
  /// Rows for which that has to be so: one may have the number by chance.
  private static let fewest = 2
  /// Steps between the row that is meant and the one that refers to it.
  private static let farthest = 12
  /// Numbers that are looked for in the captured table.
  private static let mostNumbers = 1000

  private struct Borrowed {
    var step: ToldSteps.Step
    var change: ToldSteps.Change
    /// The rows inserted before: the one that is meant, and the one whose number stands there.
    var meant: ToldSteps.Step
    var last: ToldSteps.Step
    var source: String
    /// The table that it refers to, and the number that stands there.
    var parent: StoryTable
    var number: Int64
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
    for (column, name) in references {
      let parent = StoryTable(database: change.table.database, name: name)
      guard let column = change.columns.firstIndex(of: column),
        case .integer(let value)? = change.told.new[safe: column] ?? nil,
        let meant = before.last(where: { inserted($0)?.table.lowercased() == name.lowercased() }),
        inserted(meant)?.key != value,
        // A row that the test made may be meant.
        own[parent]?[value] == nil,
        let last = before.last(where: { inserted($0) != nil }), last.number > meant.number,
        let other = inserted(last), other.key == value, other.table.lowercased() != name.lowercased()
      else { continue }
      return Borrowed(
        step: step, change: change, meant: meant, last: last, source: other.table, parent: parent,
        number: value)
    }
    return nil
  }

  /// True when a number is that of no row in the table that it refers to; else all may be meant, and agree by chance.
  private func refersToNothing(_ found: [Borrowed]) -> Bool {
    guard let parent = found.first?.parent,
      let file = files.committed.first(where: { $0.database == parent.database }),
      let rowid = file.schema.declared[parent.name]?.rowid
    else { return false }
    let numbers = Set(found.filter { $0.parent == parent }.map(\.number))
    let list = numbers.sorted().prefix(Self.mostNumbers).map(String.init).joined(separator: ", ")
    let there = files.queries(of: file)?.query(
      "SELECT count(*) FROM \(SQLText.name(parent.name)) WHERE \(rowid) IN (\(list))", most: 1)
    return there?.rows.first?.first?.integer.map { $0 < min(numbers.count, Self.mostNumbers) } ?? false
  }

  private func explanation(_ family: StepFamily, _ found: [Borrowed], _ first: Borrowed) -> Explanation? {
    let touches = disagreement.weight(of: [first.change.table.name])
    guard touches > 0 else { return nil }
    let isCertain = refersToNothing(found)
    return Explanation(
      isCertain ? .certain : .likely,
      """
      \(family.pieces) gave \(counted(found.count, "row")) of \(first.change.table.name) the number of the row of \
      \(first.source) that was inserted just before, instead of that of the row it should refer to: \
      \(step: first.step.number) has the number from \(step: first.last.number)\(" in ", place: first.last.place), \
      not from \(step: first.meant.number).
      """,
      rows: told.rows(
        of: found.map(\.change), in: first.change.table,
        title: "\(first.change.table.name): with a number of \(first.source)"),
      weight: (isCertain ? Weight.certain : Weight.rule) + touches + 5, about: Set(found.map(\.step.number)))
  }
}
