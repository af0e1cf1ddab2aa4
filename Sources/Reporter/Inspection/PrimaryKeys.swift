import ExhibitSQLite

/// The columns of tables' primary keys, in the key's order; tables without one have no entry.
///
/// The file is untrusted: see `InspectionConnection`.
///
/// - Throws: `SQLiteError`.
func primaryKeys(
  of tables: [String], in path: String, limits: InspectionLimits
) throws(SQLiteError) -> [String: [String]] {
  let connection = try InspectionConnection(path: path, limits: limits)
  connection.allow(steps: limits.tableSteps)
  var keys: [String: [String]] = [:]
  for table in tables {
    let statement = try connection.prepare(
      "SELECT name FROM pragma_table_info(\(SQLText.text(table))) WHERE pk > 0 ORDER BY pk")
    while try statement.step() { keys[table, default: []].append(statement.text(at: 0) ?? "") }
  }
  return keys
}
