import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Rows of a captured database that equal the difference: one group of those that the failing read read.
struct CapturedSums {
  /// Groups of one column; a column with more names rows.
  private static let mostGroups = 200
  private static let mostCandidates = 20_000

  private let file: CapturedFile
  private let told: ToldSteps
  private let disagreement: Disagreement

  init(_ file: CapturedFile, _ told: ToldSteps, _ disagreement: Disagreement) {
    (self.file, self.told, self.disagreement) = (file, told, disagreement)
  }

  private struct Group {
    var column: String
    var value: DatabaseValue
    var count: Int
    var sum: Int64
  }

  var explanations: [Explanation] {
    guard disagreement.difference != nil else { return [] }
    return disagreement.reads.flatMap { read -> [Explanation] in
      guard read.database == file.database, read.recorded.rows == 1,
        let query = AggregateQuery(read.recorded.expanded ?? read.sql),
        let database = CapturedQueries(file)
      else { return [] }
      return group(query, read, database)
    }
  }

  /// One value of one column.
  private func group(
    _ query: AggregateQuery, _ read: ToldSteps.Step, _ database: CapturedQueries
  ) -> [Explanation] {
    guard let table = file.schema.tables[query.table], !table.isVirtual,
      !query.tables.uppercased().contains(" JOIN "),
      !query.tables.contains(",")
    else { return [] }
    var groups: [Group] = []
    for column in table.columns where groups.count < Self.mostCandidates {
      let name = SQLText.name(column.name)
      let found = database.rows(
        "SELECT \(name), count(*), \(query.columns) \(query.source) GROUP BY 1", most: Self.mostGroups + 1)
      guard found.rows.count <= Self.mostGroups, found.rows.count > 1 else { continue }
      groups += found.rows.compactMap { row in
        guard row.count > 2, let count = row[1].integer, let sum = row[2].integer else { return nil }
        return Group(column: column.name, value: row[0], count: Int(count), sum: sum)
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
        [
          .text("Of the rows that "), .step(read.number),
          .text(" read, \(counted(met.count, "row")) of \(query.table) with one \(met.column)"),
          .values(" (\(met.value.shortText)) are \(grouped(Int(met.sum))), the difference"), .text("."),
        ],
        rows: RelatedRows(
          table: StoryTable(database: file.database, name: query.table),
          title: "\(query.table) with this \(met.column)", columns: rows.columns, rows: rows.rows,
          count: met.count),
        weight: Weight.difference - 2)
    ]
  }
}

/// Queries of a captured database, each within limits.
struct CapturedQueries {
  private let connection: InspectionConnection
  private let limits = InspectionLimits()
  /// Steps of SQLite's virtual machine that one query may take.
  private static let mostSteps = 4_000_000

  /// - Returns: `nil` where it cannot be opened: its inspection says why.
  init?(_ file: CapturedFile) {
    guard let connection = try? InspectionConnection(path: file.path, limits: limits) else { return nil }
    self.connection = connection
  }

  /// The databases that a step's connection had open, by the names that it knew them by.
  ///
  /// - Returns: `nil` where the first of them was not captured.
  init?(for step: ToldSteps.Step, _ told: ToldSteps, _ files: [CapturedFile]) {
    let files = files.filter { !$0.schema.isUncommitted }
    let open = told.attached.filter { $0.connection == step.recorded.connection }
    let main = open.last { $0.schema == "main" }?.database ?? step.database
    guard let file = files.first(where: { $0.database == main }) else { return nil }
    self.init(file)
    for other in open where other.schema != "main" && other.schema != "temp" {
      guard let file = files.first(where: { $0.database == other.database }) else { continue }
      // A query that names it fails then, and nothing is told of it.
      try? connection.attach(file.path, as: other.schema)
    }
  }

  /// The first rows; none where it cannot be read, as then less is told.
  func rows(_ sql: String, most: Int) -> (columns: [String], rows: [[DatabaseValue]]) {
    connection.allow(steps: Self.mostSteps)
    guard let statement = try? connection.prepare(sql) else { return ([], []) }
    let columns = statement.columnNames
    var rows: [[DatabaseValue]] = []
    do {
      while rows.count < most, try statement.step() {
        rows.append(columns.indices.map { statement.cell(at: Int32($0), limit: limits.cellBytes) })
      }
    } catch {
      return ([], [])  // Half of the rows would be a wrong sum.
    }
    return (columns, rows)
  }
}

extension DatabaseValue {
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
