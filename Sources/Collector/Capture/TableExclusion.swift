import ExhibitCSQLite
import ExhibitSQLite

/// Removes the rows of tables, so that no byte of them stays in a copy.
///
/// The file is rewritten, because its free pages may still have rows that the app itself had deleted.
struct TableExclusion {
  let tables: Set<String>

  /// Empties the tables that the copy has.
  ///
  /// - Throws: `SQLiteError`; nothing of the database may be kept then.
  func apply(to copy: PrivateCopy) throws {
    guard !tables.isEmpty else { return }
    let copy = try copy.open(SQLITE_OPEN_READWRITE)
    try copy.configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, on: false)
    try copy.configure(SQLITE_DBCONFIG_ENABLE_FKEY, on: false)
    try copy.execute("PRAGMA secure_delete=ON; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY")
    for table in tables.sorted() where try has(table, copy) {
      try copy.execute("DELETE FROM main.\(SQLText.name(table))")
    }
    try copy.execute("VACUUM")
  }

  private func has(_ table: String, _ handle: SQLiteHandle) throws -> Bool {
    let name = SQLText.text(table)
    let sql = "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=\(name) COLLATE NOCASE"
    return try handle.integer(sql) != nil
  }
}
