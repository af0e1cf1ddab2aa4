import ExhibitSQLite

/// The state shared by all kinds of findings while one database is looked at.
///
/// A class, because it is asked of for every value.
final class Examination {
  let connection: InspectionConnection
  let schema: DatabaseSchema
  let tellsRows: Bool
  let kinds: Set<Finding.Kind>
  let written: WrittenRows
  let limits: InspectionLimits

  init(
    connection: InspectionConnection, schema: DatabaseSchema, tellsRows: Bool, kinds: Set<Finding.Kind>,
    written: WrittenRows, limits: InspectionLimits
  ) {
    (self.connection, self.schema, self.tellsRows, self.kinds) = (connection, schema, tellsRows, kinds)
    (self.written, self.limits) = (written, limits)
  }

  /// A finding about rows of one table.
  ///
  /// - Parameter sentence: Made of what the first row and the number of them are called.
  func finding(
    _ kind: Finding.Kind, _ weight: Finding.Weight = .minor, in table: String, _ columns: [String],
    _ rows: FoundRows, detail: String = "", remedy: String, _ sentence: (String) -> String
  ) -> Finding {
    Finding(
      kind: kind, weight: weight, table: table, columns: columns, detail: detail,
      sentence: sentence(rows.words(tellingRows: tellsRows)), rows: tellsRows ? rows.rows : [],
      count: rows.count, writing: rows.writing, remedy: remedy)
  }
}

extension Examination {
  /// - Parameter body: Gets the number of each row that is looked at, in the order of the table.
  func forEachRow(
    of table: ExaminedTable, _ body: (InspectionStatement, Int) -> Void
  ) throws(SQLiteError) {
    connection.allow(steps: limits.examinedSteps)
    let statement = try connection.prepare(table.query)
    var row = 0
    while row < limits.examinedRows, try statement.step() {
      body(statement, row)
      row += 1
    }
  }

  /// A finding about groups of rows that are like each other, with each row beside the one that it is like.
  ///
  /// - Parameter sentence: Made of the groups, those of the test first as in each group, and of the rows of all.
  func finding(
    _ kind: Finding.Kind, _ weight: Finding.Weight = .minor, in table: String, _ columns: [String],
    _ groups: [[Finding.Row]], detail: String = "", remedy: String,
    _ sentence: ([[Finding.Row]], FoundRows) -> String
  ) -> Finding {
    let sorted = groups.map { rows in rows.filter { $0.writing != nil } + rows.filter { $0.writing == nil } }
    let ordered = sorted.filter { $0[0].writing != nil } + sorted.filter { $0[0].writing == nil }
    var found = FoundRows()
    for row in ordered.joined() { found.note(row.writing) { row } }
    var finding = finding(kind, weight, in: table, columns, found, detail: detail, remedy: remedy) { _ in
      sentence(ordered, found)
    }
    if tellsRows { finding.rows = Array(ordered.joined().prefix(Finding.mostRows)) }
    return finding
  }
}

/// `orders.total`, as a sentence names a column.
func shownColumn(_ table: String, _ column: String) -> String { shownName(table) + "." + shownName(column) }
