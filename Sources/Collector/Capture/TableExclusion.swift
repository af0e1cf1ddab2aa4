import ExhibitCSQLite
import ExhibitSQLite

/// Removes all rows of tables from a copy, also from free pages.
struct TableExclusion {
  let tables: Set<String>

  /// - Throws: `SQLiteError`; nothing may be kept then.
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
