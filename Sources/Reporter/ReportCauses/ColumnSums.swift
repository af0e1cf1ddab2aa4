import Collector
import ExhibitSQLite
import ReportStory

/// Sums of the numbers in rows, by column, and of the products of two columns; keys are no numbers.
struct ColumnSums {
  /// Columns of one table that are multiplied with each other.
  private static let mostFactors = 6

  /// The column's name, or `units × cents`.
  private(set) var sums: [String: Int64] = [:]
  private(set) var rows = 0
  /// Columns whose sums are too large.
  private var overflowed: Set<String> = []

  /// - Parameter keys: The columns whose numbers only name rows.
  mutating func add(_ row: [Story.Value?], times sign: Int64, columns: [String], keys: Set<String>) {
    rows += 1
    var numbers: [(name: String, number: Int64)] = []
    for (index, value) in row.enumerated() where index < columns.count {
      guard case .integer(let number)? = value, !keys.contains(columns[index]) else { continue }
      numbers.append((columns[index], number))
    }
    for (name, number) in numbers { add(number, times: sign, to: name) }
    guard numbers.count <= Self.mostFactors else { return }
    for (index, one) in numbers.enumerated() {
      for other in numbers[(index + 1)...] {
        let (product, isOver) = one.number.multipliedReportingOverflow(by: other.number)
        if !isOver { add(product, times: sign, to: "\(one.name) × \(other.name)") }
      }
    }
  }

  private mutating func add(_ number: Int64, times sign: Int64, to name: String) {
    if overflowed.contains(name) { return }
    let (sum, isOver) = sums[name, default: 0].addingReportingOverflow(sign < 0 ? 0 &- number : number)
    sums[name] = isOver ? nil : sum
    if isOver { overflowed.insert(name) }
  }
}

extension ToldSteps {
  /// What changes did to the sums of a table's columns: what was added less what was removed.
  func sums(of changes: some Sequence<Change>, in table: StoryTable, isOfRows: Bool = false) -> ColumnSums {
    var sums = ColumnSums()
    let (columns, keys) = (columns[table] ?? [], keys[table] ?? [])
    for change in changes where change.table == table {
      if !change.told.old.isEmpty, !isOfRows || change.told.new.isEmpty {
        sums.add(change.told.old, times: -1, columns: columns, keys: keys)
      }
      if !change.told.new.isEmpty {
        sums.add(change.told.new, times: 1, columns: columns, keys: keys)
      }
    }
    return sums
  }
}
