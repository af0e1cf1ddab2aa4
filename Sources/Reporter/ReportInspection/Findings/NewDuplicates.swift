import ExhibitSQLite
import ReportModel

/// Finds written values that occur twice in an index where all were unique before.
struct NewDuplicates {
  private let table: ExaminedTable
  private let index: DatabaseSchema.Index
  private var others = RowHashes()
  private var new: [(hash: Int, row: Finding.Row)] = []

  /// One for each index that could be unique.
  ///
  /// References repeat, and times and measures are indexed for sorting.
  static func all(of table: ExaminedTable) -> [NewDuplicates] {
    table.indexes.compactMap { index in
      let columns = index.columns.map { table.columns[$0] }
      guard !index.isUnique, !index.isPartial, columns.contains(where: { $0.affinity == .text }),
        !columns.contains(where: { $0.refers || $0.affinity == .real }), !columns.contains(where: isTime),
        !index.columns.contains(where: { table.columns[$0].isKey })
      else { return nil }
      return NewDuplicates(table: table, index: index)
    }
  }

  private static func isTime(_ column: DatabaseSchema.Column) -> Bool {
    let type = column.type.uppercased()
    return type.contains("DATE") || type.contains("TIME")
  }

  mutating func note(_ statement: InspectionStatement, _ newcomers: Newcomers) {
    var hasher = Hasher()
    for column in index.columns {
      let place = table.firstColumn + Int32(column)
      if statement.isNull(at: place) { return }
      hasher.combineWhole(statement, at: place)
    }
    let key = table.key(of: statement)
    let names = index.columns.map { table.columns[$0].name }
    guard let writing = newcomers[key], names.contains(where: writing.concerns) else {
      others.add(hasher.finalize())
      return
    }
    guard new.count < 10_000 else { return }
    let values = index.columns.map { table.value(of: $0, in: statement) }
    new.append((hasher.finalize(), Finding.Row(key: key, values: values, writing: writing)))
  }

  mutating func findings(_ examination: Examination) -> [Finding] {
    guard others.count >= Newcomers.fewestOthers, !new.isEmpty else { return [] }
    let count = others.count
    let known = others.takeAll()
    guard known.count == count else { return [] }
    // New values that exist already, or twice among themselves.
    var met = known
    var found = FoundRows()
    for (hash, row) in new where !met.insert(hash).inserted { found.note(row.writing) { row } }
    guard found.count > 0 else { return [] }
    let names = index.columns.map { table.columns[$0].name }
    return [
      examination.finding(
        .newDuplicate, in: table.name, names, found, detail: index.name,
        remedy:
          "Make the index \(shownName(index.name)) UNIQUE if there is to be one row of each, and look at the step that wrote the second."
      ) { words in
        "\(shownName(table.name)) has a second row of one \(names.map(shownName).joined(separator: ", ")) by \(words); the \(grouped(count)) others are all different."
      }
    ]
  }
}
