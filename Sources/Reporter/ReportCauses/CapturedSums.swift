import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Rows of a captured database that equal the difference: one group of those that the failing read read.
extension Causes {
  /// Groups of one column; a column with more names rows.
  private static let mostGroups = 200
  private static let mostCandidates = 20_000

  func capturedSums(in file: CapturedFile) -> [Explanation] {
    guard disagreement.difference != nil else { return [] }
    return disagreement.reads.flatMap { read -> [Explanation] in
      guard read.database == file.database, read.recorded.rows == 1,
        let query = AggregateQuery(read.asked),
        let database = files.queries(of: file)
      else { return [] }
      return group(query, read, in: file, database)
    }
  }

  /// One value of one column.
  private func group(
    _ query: AggregateQuery, _ read: ToldSteps.Step, in file: CapturedFile, _ database: CapturedQueries
  ) -> [Explanation] {
    guard let table = file.schema.tables[query.table], !table.isVirtual,
      !query.tables.uppercased().contains(" JOIN "),
      !query.tables.contains(",")
    else { return [] }
    var groups: [(column: String, value: DatabaseValue, count: Int, sum: Int64)] = []
    for column in table.columns where groups.count < Self.mostCandidates {
      let name = SQLText.name(column.name)
      let found = database.rows(
        "SELECT \(name), count(*), \(query.columns) \(query.source) GROUP BY 1", most: Self.mostGroups + 1)
      guard found.rows.count <= Self.mostGroups, found.rows.count > 1 else { continue }
      groups += found.rows.compactMap { row in
        guard row.count > 2, let count = row[1].integer, let sum = row[2].integer else { return nil }
        return (column.name, row[0], Int(count), sum)
      }
    }
    guard let met = groups.filter({ disagreement.isMet(by: $0.sum) }).min(by: { $0.count > $1.count }),
      disagreement.isHardlyChance(among: groups.map(\.sum))
    else { return [] }
    let name = SQLText.name(met.column)
    let filter = query.conditions.isEmpty ? "WHERE" : "\(query.source.dropFirst(query.tables.count)) AND"
    let rows = database.rows(
      "SELECT * \(query.tables) \(filter) \(name) IS \(met.value.literal ?? "NULL")", most: 5)
    return [
      Explanation(
        .likely,
        """
        Of the rows that \(step: read.number) read, \(counted(met.count, "row")) of \(query.table) with one \
        \(met.column)\(values: " (\(met.value.shortText)) are \(grouped(Int(met.sum))), the difference",
          without: " make up the difference").
        """,
        rows: RelatedRows(
          table: StoryTable(database: file.database, name: query.table),
          title: "\(query.table) with this \(met.column)", columns: rows.columns, rows: rows.rows,
          count: met.count),
        weight: Weight.difference - 2)
    ]
  }
}
