import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Looks for the values of a failure's message in what the test read and wrote.
struct MessageValueSearch {
  private let values: [MessageValue]
  /// The number of places found for each value.
  private var counts: [Int]
  private var found: [MessageValuePlace] = []

  /// Places that are told of one value.
  private static let mostPlaces = 5

  init(_ values: [MessageValue]) {
    self.values = values
    counts = Array(repeating: 0, count: values.count)
  }

  /// Tells a change as its table, the row, and the names of the columns; `nil` for what is no row.
  typealias Telling = (RecordedStory.Change, RecordedStory.Step) -> (
    StoryTable, RecordedStory.Change, [String]
  )?

  /// Looks at the last read first, then at what was written, the latest first, then at earlier reads and sums.
  ///
  /// - Parameter recent: The steps whose inserted rows may hold values that stand everywhere: those of the last
  ///   transaction that wrote, since the ones before it are mostly the set-up. `nil` for all.
  mutating func look(
    at steps: [(step: RecordedStory.Step, isRead: Bool)], recent: Set<Int>?, telling: Telling
  ) {
    let reads = steps.filter { $0.isRead && !$0.step.results.isEmpty }.map(\.step)
    if let last = reads.last { lookAtResults(of: last, isLast: true) }
    for (step, _) in steps.reversed() {
      for change in step.changes.reversed() {
        if let told = telling(change, step) {
          look(at: told, step.number, isRecent: recent?.contains(step.number) ?? true)
        }
      }
    }
    for step in reads.dropLast().reversed() { lookAtResults(of: step, isLast: false) }
    for step in reads.reversed() { lookAtSums(of: step) }
  }

  /// Looks at the sums of the columns of those tables of a captured database of which every row was read.
  mutating func look(at inspection: DatabaseInspection, _ database: Int) {
    for table in inspection.tables where table.rows.count == table.rowCount && table.rows.count > 1 {
      for column in table.columns.indices {
        let sum = sum(of: table.rows.map { $0.indices.contains(column) ? $0[column] : nil })
        let place = StoryTable(database: database, name: table.name)
        note(sum, isChosen: false) { .tableSum(table: place, column: table.columns[column]) }
      }
    }
  }

  /// The values that were found, and where.
  ///
  /// A small number that several rows have in one column names none of them.
  var result: (values: [MessageValue], places: [MessageValuePlace]) {
    var keys: [Column: Set<Int64?>] = [:]
    for found in found { if let (column, key) = self.column(found) { keys[column, default: []].insert(key) } }
    let telling = found.filter { found in column(found).map { (keys[$0.column] ?? []).count < 2 } ?? true }
    let met = Set(telling.map(\.value)).sorted()
    return (
      met.map { values[$0] },
      telling.compactMap { found in
        met.firstIndex(of: found.value).map { MessageValuePlace(value: $0, place: found.place) }
      }
    )
  }

  private struct Column: Hashable {
    var value: Int
    var table: StoryTable
    var name: String
    var isNew: Bool
  }

  /// The column of a row in which a value that stands everywhere was found; `nil` of others.
  private func column(_ found: MessageValuePlace) -> (column: Column, key: Int64?)? {
    guard values[found.value].isCommon,
      case .change(_, let table, let key, let column, let isNew) = found.place
    else { return nil }
    return (Column(value: found.value, table: table, name: column, isNew: isNew), key)
  }

  private mutating func lookAtResults(of step: RecordedStory.Step, isLast: Bool) {
    for (row, cells) in step.results.enumerated() {
      for (column, cell) in cells.enumerated() {
        note(cell, isChosen: isLast) { .result(step: step.number, row: row, column: column) }
      }
    }
  }

  private mutating func look(
    at told: (table: StoryTable, change: RecordedStory.Change, columns: [String]), _ step: Int,
    isRecent: Bool
  ) {
    let (table, change, columns) = told
    for (row, isNew) in [(change.new, true), (change.old, false)] {
      for (column, cell) in row.enumerated() {
        // A value that an update left as it was is told with the row behind it.
        if !isNew, change.new.indices.contains(column), change.new[column] == cell { continue }
        let key = isNew ? change.newKey ?? change.key : change.key
        let isKey = key.map { cell == .integer($0) } ?? false
        note(
          cell, isChosen: Self.isOwn(column, of: change) && (isRecent || change.operation != .insert),
          isKey: isKey
        ) {
          .change(
            step: step, table: table, key: key,
            column: columns.columnName(column), isNew: isNew)
        }
      }
    }
  }

  /// True when a change makes the value of a column: small numbers stand in most rows.
  private static func isOwn(_ column: Int, of change: RecordedStory.Change) -> Bool {
    guard change.operation == .update, change.old.indices.contains(column),
      change.new.indices.contains(column)
    else { return true }
    return change.old[column] != change.new[column]
  }

  private mutating func lookAtSums(of step: RecordedStory.Step) {
    guard step.results.count > 1, step.results.count == step.rows else { return }
    for column in step.results[0].indices {
      let sum = sum(of: step.results.map { $0.indices.contains(column) ? $0[column] : nil })
      note(sum, isChosen: false) { .resultSum(step: step.number, column: column) }
    }
  }

  /// - Parameters:
  ///   - isChosen: True when values that stand everywhere are looked for here.
  ///   - isKey: True when it is the number of its row, which is no difference of anything.
  private mutating func note(
    _ cell: Story.Value?, isChosen: Bool, isKey: Bool = false, place: () -> MessageValuePlace.Place
  ) {
    guard let cell else { return }
    for index in values.indices where counts[index] < Self.mostPlaces {
      if isKey, values[index].role == .difference { continue }
      guard isChosen || !values[index].isCommon, values[index].isMet(by: cell) else { continue }
      counts[index] += 1
      found.append(MessageValuePlace(value: index, place: place()))
    }
  }

  /// `nil` where a value is no number.
  private func sum(of cells: [Story.Value?]) -> Story.Value? {
    var (whole, real): (Int64?, Double) = (0, 0)
    for cell in cells {
      switch cell {
      case .null: continue
      case .integer(let number):
        whole = whole.flatMap { sum in
          let next = sum.addingReportingOverflow(number)
          return next.overflow ? nil : next.partialValue
        }
        real += Double(number)
      case .real(let number):
        whole = nil
        real += number
      default: return nil
      }
    }
    return whole.map { .integer($0) } ?? .real(real)
  }
}

extension MessageValue {
  /// True when a value of a database is this one; a difference has no sign, and a number may be stored as text.
  func isMet(by cell: Story.Value) -> Bool {
    switch (value, cell) {
    case (.integer(let wanted), .integer(let number)):
      return wanted == number || role == .difference && wanted.magnitude == number.magnitude
    case (.text(let wanted, _), .text(let text, nil)): return wanted == text
    case (.integer, .text(let printed, nil)), (.real, .text(let printed, nil)): return printed == text
    default:
      guard let wanted = value.number, let number = cell.number else { return false }
      return wanted == number || role == .difference && wanted.magnitude == number.magnitude
    }
  }
}

extension [Int64] {
  /// `nil` where it is too large.
  package var sum: Int64? {
    var sum: Int64 = 0
    for number in self {
      let (next, isOver) = sum.addingReportingOverflow(number)
      if isOver { return nil }
      sum = next
    }
    return sum
  }
}

extension DatabaseValue {
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The number that it is; `nil` for what is none.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }
}
