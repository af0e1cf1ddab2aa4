import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

extension ToldSteps {
  private static let mostTables = 50

  /// A sum or count of changed rows that equals the difference, as the end of a sentence.
  ///
  /// Counts may be multiplied by a number in the query.
  func difference(
    of changes: [Change], _ disagreement: Disagreement, least: Int64 = Disagreement.smallest
  ) -> String? {
    guard disagreement.difference != nil else { return nil }
    let byTable = Dictionary(grouping: changes, by: \.table)
    let tables = byTable.keys.sorted { ($0.database, $0.name) < ($1.database, $1.name) }
    for table in tables.prefix(Self.mostTables) {
      let changes = byTable[table] ?? []
      let sums = sums(of: changes, in: table)
      for (column, sum) in sums.sums.sorted(by: { $0.key < $1.key })
      where disagreement.isMet(by: sum, least: least) {
        return "; \(table.name).\(column) of these is \(grouped(Int(sum))) in all, the difference"
      }
      if let span = span(sums, disagreement, least) { return "; \(table.name).\(span), the difference" }
      if let times = times(changes, table, disagreement, least) { return times }
    }
    return nil
  }

  /// The difference of two columns' sums: `ends − starts of these is 45 in all`.
  private func span(_ sums: ColumnSums, _ disagreement: Disagreement, _ least: Int64) -> String? {
    let columns = sums.sums.filter { !$0.key.contains("×") }.sorted { $0.key < $1.key }
    for (place, one) in columns.enumerated() {
      for other in columns[(place + 1)...] {
        let (span, isOver) = one.value.subtractingReportingOverflow(other.value)
        guard !isOver, disagreement.isMet(by: span, least: least) else { continue }
        let (first, second) = span < 0 ? (other.key, one.key) : (one.key, other.key)
        return "\(first) − \(second) of these is \(grouped(Int(span.magnitude))) in all"
      }
    }
    return nil
  }

  /// `14 of these with used_on NULL, times 45 of the query`.
  private func times(
    _ changes: [Change], _ table: StoryTable, _ disagreement: Disagreement, _ least: Int64
  ) -> String? {
    var groups: [(count: Int, words: String)] = [
      (changes.count, "\(grouped(changes.count)) rows of \(table.name)")
    ]
    for (index, column) in (columns[table] ?? []).enumerated() {
      let empty = changes.count { change in
        let row = change.told.old.isEmpty ? change.told.new : change.told.old
        return row.indices.contains(index) && row[index] == .null
      }
      if empty > 0, empty < changes.count {
        groups.append((empty, "\(grouped(empty)) rows of \(table.name) with \(column) NULL"))
      }
    }
    for group in groups {
      if disagreement.isMet(by: Int64(group.count), least: least) {
        return "; the difference is the number of \(group.words)"
      }
      for factor in disagreement.factors {
        let (product, isOver) = factor.multipliedReportingOverflow(by: Int64(group.count))
        if !isOver, disagreement.isMet(by: product, least: least) {
          return "; the difference is \(group.words), times \(factor) as the query says"
        }
      }
    }
    return nil
  }
}

/// Sums of columns, and of products of two columns, without keys.
struct ColumnSums {
  /// With more columns no products are summed.
  private static let mostFactors = 6

  /// By column, or `units × cents`.
  private(set) var sums: [String: Int64] = [:]
  private var overflowed: Set<String> = []

  /// - Parameter keys: Columns that only identify rows.
  mutating func add(_ row: [DatabaseValue?], times sign: Int64, columns: [String], keys: Set<String>) {
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
  /// How much changes alter the sums of a table.
  func sums(of changes: some Sequence<Change>, in table: StoryTable) -> ColumnSums {
    var sums = ColumnSums()
    let keys = keys[table] ?? []
    for change in changes where change.table == table {
      let columns = change.columns
      if !change.told.old.isEmpty {
        sums.add(change.told.old, times: -1, columns: columns, keys: keys)
      }
      if !change.told.new.isEmpty {
        sums.add(change.told.new, times: 1, columns: columns, keys: keys)
      }
    }
    return sums
  }
}

extension ToldSteps {
  private static let mostRows = 5

  /// The changed rows of a table to show, with former values of changed columns.
  ///
  /// Rows with unknown values are left out.
  func rows(of changes: [Change], in table: StoryTable, title: String) -> RelatedRows {
    let names = columns[table] ?? []
    let shown = changes.lazy.filter { change in
      !change.told.new.contains(nil) && !change.told.old.contains(nil)
    }.prefix(Self.mostRows)
    let changed = names.indices.filter { column in
      shown.contains { change in
        guard let old = change.told.old[safe: column], let new = change.told.new[safe: column] else {
          return false
        }
        return old != new
      }
    }
    func row(_ change: Change) -> [DatabaseValue] {
      let row = change.told.new.isEmpty ? change.told.old : change.told.new
      return row.enumerated().flatMap { column, value -> [DatabaseValue] in
        let old = change.told.old.isEmpty ? nil : change.told.old[safe: column]?.flatMap(\.self)
        return (changed.contains(column) ? [old ?? .null] : []) + [value ?? .null]
      }
    }
    return RelatedRows(
      table: table, title: title,
      columns: names.enumerated().flatMap { changed.contains($0) ? ["\($1) before", $1] : [$1] },
      rows: shown.map(row), count: changes.count)
  }
}
