import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel

/// Looks for the values of a failure's message in what the test read and wrote.
struct MessageValueSearch {
  private let values: [MessageValue]
  private var counts: [Int]
  private var found: [MessageValuePlace] = []

  private static let mostPlaces = 5

  /// The columns, in lower case, that only name rows.
  private let references: Set<String>

  init(_ values: [MessageValue], references: Set<String> = []) {
    (self.values, self.references) = (values, references)
    counts = Array(repeating: 0, count: values.count)
  }

  struct SearchedRow {
    var table: StoryTable
    var change: RecordedStory.Change
    var columns: [String]
    var keys: Set<String>
  }

  typealias Telling = (RecordedStory.Change, RecordedStory.Step) -> SearchedRow?

  /// True when the message compares numbers of rows, which others equal by chance.
  private var areCounts = false
  /// The columns, in lower case, of the last read in which an operand stands.
  private var readColumns: Set<String> = []

  /// Looks at the last read, then at writes, the latest first, then at earlier reads and sums.
  ///
  /// - Parameter recent: The steps in whose inserted rows values are looked for that stand everywhere; `nil` for all.
  mutating func look(
    at steps: [(step: RecordedStory.Step, isRead: Bool)], recent: Set<Int>?, telling: Telling
  ) {
    let reads = steps.filter { $0.isRead && !$0.step.results.isEmpty }.map(\.step)
    areCounts = values.contains(where: \.isCount)
    if let last = reads.last {
      lookAtResults(of: last, isLast: true)
      noteSource(last)
    }
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

  mutating func look(at inspection: DatabaseInspection, _ database: Int) {
    for table in inspection.tables where table.rows.count == table.rowCount && table.rows.count > 1 {
      for column in table.columns.indices {
        let sum = sum(of: table.rows.map { $0.indices.contains(column) ? $0[column] : nil })
        let place = StoryTable(database: database, name: table.name)
        note(sum, isChosen: false) { .tableSum(table: place, column: table.columns[column]) }
      }
    }
  }

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

  /// The column where a value that stands everywhere was found; `nil` for other values.
  private func column(_ found: MessageValuePlace) -> (column: Column, key: Int64?)? {
    guard values[found.value].isCommon,
      case .change(_, let table, let key, let column, let isNew) = found.place
    else { return nil }
    return (Column(value: found.value, table: table, name: column, isNew: isNew), key)
  }

  /// Notes whether the last read counted rows.
  private mutating func noteSource(_ step: RecordedStory.Step) {
    for found in found where values[found.value].role != .difference {
      guard case .result(_, _, let column) = found.place else { continue }
      readColumns.insert(step.columns.columnName(column).lowercased())
      if values[found.value].value.number != nil, step.isCount(column) { areCounts = true }
    }
  }

  private mutating func lookAtResults(of step: RecordedStory.Step, isLast: Bool) {
    let naming = Set(step.columns.indices.filter { references.contains(step.columns[$0].lowercased()) })
    for (row, cells) in step.results.enumerated() {
      for (column, cell) in cells.enumerated() {
        note(
          cell, isChosen: isLast, isNumber: naming.contains(column), isCount: isLast || step.isCount(column)
        ) {
          .result(step: step.number, row: row, column: column)
        }
      }
    }
  }

  private mutating func look(
    at told: SearchedRow, _ step: Int, isRecent: Bool
  ) {
    let (table, change, columns) = (told.table, told.change, told.columns)
    for (row, isNew) in [(change.new, true), (change.old, false)] {
      for (column, cell) in row.enumerated() {
        // A value that an update left alone is told with the new row.
        if !isNew, change.new.indices.contains(column), change.new[column] == cell { continue }
        let key = isNew ? change.newKey ?? change.key : change.key
        let name = columns.columnName(column)
        let isNumber = key.map { cell == .integer($0) } ?? false
        let isKey =
          isNumber && (told.keys.isEmpty || told.keys.contains(name))
          ? !readColumns.isEmpty : told.keys.contains(name) && cell?.integer != nil
        note(
          cell, isChosen: Self.isOwn(column, of: change) && (isRecent || change.operation != .insert),
          isNumber: isNumber, isKey: isKey && !readColumns.contains(name.lowercased())
        ) {
          .change(step: step, table: table, key: key, column: name, isNew: isNew)
        }
      }
    }
  }

  /// True when a change makes the value of a column.
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
  ///   - isNumber: True for a row's number, which is no difference.
  ///   - isKey: True when it only names a row.
  ///   - isCount: True when it may be a number of rows.
  private mutating func note(
    _ cell: DatabaseValue?, isChosen: Bool, isNumber: Bool = false, isKey: Bool = false,
    isCount: Bool = false, place: () -> MessageValuePlace.Location
  ) {
    guard let cell, !isKey else { return }
    for index in values.indices where counts[index] < Self.mostPlaces {
      if isNumber, values[index].role == .difference { continue }
      if areCounts, !isCount, values[index].value.number != nil { continue }
      guard isChosen || !values[index].isCommon, values[index].isMet(by: cell) else { continue }
      counts[index] += 1
      found.append(MessageValuePlace(value: index, place: place()))
    }
  }

  private func sum(of cells: [DatabaseValue?]) -> DatabaseValue? {
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
  /// True when a stored value is this one; a difference has no sign, and a number may be stored as text.
  func isMet(by cell: DatabaseValue) -> Bool {
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

  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }
}

extension StoryLayouts {
  func searched(_ change: RecordedStory.Change, of table: StoryTable) -> MessageValueSearch.SearchedRow {
    let names = columns(of: table, count: max(change.old.count, change.new.count))
    return .init(table: table, change: change, columns: names, keys: keyColumns(of: table))
  }
}

extension MessageValue {
  fileprivate var isCount: Bool {
    if case .operand(let label) = role { label.hasSuffix(".count") } else { false }
  }
}

extension RecordedStory.Step {
  /// True when a column of the result counts rows, by its name or as what is selected first.
  fileprivate func isCount(_ column: Int) -> Bool {
    if columns[safe: column]?.lowercased().hasPrefix("count(") == true { return true }
    let words = sql.prefix(100).uppercased().filter { !$0.isWhitespace }
    return column == 0 && words.hasPrefix("SELECTCOUNT(")
  }
}
