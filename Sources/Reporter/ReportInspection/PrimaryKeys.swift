package import ExhibitSQLite

/// The columns of tables' primary keys, in the key's order; tables without one have no entry.
///
/// The file is untrusted: see `InspectionConnection`.
///
/// - Throws: `SQLiteError`.
package func primaryKeys(
  of tables: [String], in path: String, limits: InspectionLimits
) throws(SQLiteError) -> [String: [String]] {
  let connection = try InspectionConnection(path: path, limits: limits)
  connection.allow(steps: limits.tableSteps)
  var keys: [String: [String]] = [:]
  for table in tables {
    let key = try connection.primaryKey(of: table)
    if !key.isEmpty { keys[table] = key }
  }
  return keys
}

extension InspectionConnection {
  /// The columns of a table's primary key, in the key's order; empty for a table without one.
  ///
  /// - Throws: `SQLiteError`.
  func primaryKey(of table: String) throws(SQLiteError) -> [String] {
    let statement = try prepare(
      "SELECT name FROM pragma_table_info(\(SQLText.text(table))) WHERE pk > 0 ORDER BY pk")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0) ?? "") }
    return names
  }
}
