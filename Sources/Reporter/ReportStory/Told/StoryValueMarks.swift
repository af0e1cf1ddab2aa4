package import ExhibitSQLite
import ReportInspection

/// The values of a failure's message by where they stand.
package struct StoryValueMarks {
  private var places: [MessageValuePlace.Location: [Int]] = [:]
  /// By number of a step: the sums of columns that are a value of the message.
  package private(set) var sums: [Int: [(column: Int, value: Int)]] = [:]
  /// The steps in which one stands.
  package private(set) var steps: Set<Int> = []

  private let values: [MessageValue]

  package init(_ story: Story) {
    values = story.messageValues
    for found in story.valuePlaces {
      if let step = found.place.step { steps.insert(step) }
      places[found.place, default: []].append(found.value)
      if case .resultSum(let step, let column) = found.place {
        sums[step, default: []].append((column, found.value))
      }
    }
  }

  /// The values that a row holds which several steps may have written: as the first found it, as the last left it.
  package func values(
    ofRowWrittenIn steps: [Int], _ table: StoryTable, _ key: Int64?, _ column: String, isNew: Bool
  ) -> [Int] {
    (isNew ? steps.last : steps.first).map { values(inStep: $0, table, key, column, isNew: isNew) } ?? []
  }

  /// The `indices` whose values a cell really holds: rows without a number share their marks.
  package func met(_ indices: [Int], by cell: DatabaseValue?) -> [Int] {
    guard let cell else { return [] }
    return indices.filter { values.indices.contains($0) && values[$0].isMet(by: cell) }
  }

  /// True when a row holds a value of the message.
  func holds(_ row: ChangedRow, of table: StoryTable, _ columns: [String]) -> Bool {
    columns.indices.contains { column in
      [(row.new, true), (row.old, false)].contains { cells, isNew in
        guard let cells, cells.indices.contains(column) else { return false }
        let marked = values(ofRowWrittenIn: row.steps, table, row.key, columns[column], isNew: isNew)
        return !met(marked, by: cells[column]).isEmpty
      }
    }
  }

  /// True when a step is only named: it is a library's housekeeping and holds no value of the message.
  package func isQuiet(_ step: StoryStep) -> Bool { step.isHousekeeping && !steps.contains(step.number) }

  package func values(inStep step: Int, row: Int, column: Int) -> [Int] {
    places[.result(step: step, row: row, column: column)] ?? []
  }

  package func values(inStep step: Int, _ table: StoryTable, _ key: Int64?, _ column: String, isNew: Bool)
    -> [Int]
  {
    places[.change(step: step, table: table, key: key, column: column, isNew: isNew)] ?? []
  }
}
