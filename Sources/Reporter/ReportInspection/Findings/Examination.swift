/// What the kinds of findings share while one database is looked at.
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

/// `orders.total`, as a sentence names a column.
func shownColumn(_ table: String, _ column: String) -> String { shownName(table) + "." + shownName(column) }
