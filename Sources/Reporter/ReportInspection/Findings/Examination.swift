import ExhibitSQLite

/// The state that finders share while one database is examined.
///
/// It is a class because it is used for every value.
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

  /// Makes a finding about rows of one table.
  ///
  /// - Parameter sentence: Gets words for the first row and the number of rows.
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

  /// Makes a finding about groups of similar rows.
  ///
  /// - Parameter sentence: Gets the groups, the test's rows first, and all rows.
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

/// A column's name in a sentence, like `orders.total`.
func shownColumn(_ table: String, _ column: String) -> String { shownName(table) + "." + shownName(column) }
