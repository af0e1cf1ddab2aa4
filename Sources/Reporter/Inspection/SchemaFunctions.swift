import ExhibitCSQLite
import ExhibitSQLite

/// Lets the schema of a database nobody vouches for use the functions that do no harm, and none else.
///
/// SQLite 3.40 does not flag its JSON functions as innocuous, so without a trusted schema none that uses them in a
/// generated column, an index or a CHECK constraint is loaded. Here it is trusted, and whatever else is not innocuous is
/// hidden behind a function that schemas may not use. An authorizer would not do: SQLite does not ask it for the
/// expressions of a schema that is loaded. Source of the risk: https://www.sqlite.org/security.html.
enum SchemaFunctions {
  private static let json: Set<String> = [
    "->", "->>", "json", "json_array", "json_array_length", "json_error_position", "json_extract",
    "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch", "json_pretty", "json_quote",
    "json_remove", "json_replace", "json_set", "json_type", "json_valid",
    "jsonb", "jsonb_array", "jsonb_extract", "jsonb_group_array", "jsonb_group_object", "jsonb_insert",
    "jsonb_object", "jsonb_patch", "jsonb_remove", "jsonb_replace", "jsonb_set",
  ]

  /// Restricts a connection that has not read its schema yet.
  ///
  /// - Throws: `SQLiteError`; then the connection must not be used.
  static func restrict(_ handle: SQLiteHandle) throws(SQLiteError) {
    guard let list = try SQLiteStatement("PRAGMA function_list", on: handle) else {
      throw SQLiteError(SQLITE_MISUSE, "list the functions of", path: handle.path)
    }
    var refused: [(name: String, arguments: Int32)] = []
    while try list.step() {
      let (name, flags) = (list.text(at: 0) ?? "", Int32(truncatingIfNeeded: list.integer(at: 5)))
      guard flags & SQLITE_INNOCUOUS == 0, !json.contains(name) else { continue }
      refused.append((name, Int32(truncatingIfNeeded: list.integer(at: 4))))
    }
    for function in refused {
      let code = sqlite3_create_function_v2(
        handle.pointer, function.name, function.arguments, SQLITE_ANY | SQLITE_DIRECTONLY, nil,
        { context, _, _ in sqlite3_result_error(context, "not allowed here", -1) }, nil, nil, nil)
      try handle.check(code, "restrict")
    }
    try handle.configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, on: true)
  }
}
