import ExhibitSQLite
import ExhibitSystem

struct MigratedCopy {
  let path: String

  /// Checks the copy and makes it a WAL database of one file.
  ///
  /// - Parameter pageSize: The store's page size in bytes, which cannot change in WAL mode.
  func finish(pageSize: Int, checksForeignKeys: Bool) throws {
    do {
      let connection = try SQLiteHandle.open(store: path)
      try settle(connection)
      if try connection.integer("PRAGMA page_size") != pageSize {
        try connection.execute("PRAGMA page_size = \(pageSize); VACUUM")
      }
      try check(connection, checksForeignKeys: checksForeignKeys)
      try connection.execute("PRAGMA journal_mode = WAL")
    } catch let error as SQLiteError {
      if error.isBusy { throw inUse }
      if error.isDamage { throw failed("SQLite", [StoreMigrationError(error).message]) }
      throw error
    }
    // Closing the last connection removes them.
    for side in SideFile.allCases
    where try FileStatus(path: side.path(beside: path), followingLinks: false) != nil {
      throw inUse
    }
  }

  private var inUse: StoreMigrationError {
    StoreMigrationError(
      .copyInUse, path,
      "The migration returned while a connection to its copy was open; close it in the closure.")
  }

  /// Returns the copy to rollback mode; throws when another connection has it open.
  private func settle(_ connection: SQLiteHandle) throws {
    guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else { throw inUse }
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
    if isOpenTwice(path) { throw inUse }
  }

  private func check(_ connection: SQLiteHandle, checksForeignKeys: Bool) throws {
    let damage = try connection.texts("PRAGMA integrity_check(10)")
    guard damage == ["ok"] else { throw failed("integrity_check", damage) }
    guard checksForeignKeys else { return }
    let orphans = try connection.texts(
      "SELECT 'row ' || ifnull(rowid, '?') || ' of ' || \"table\" || ' refers to no row of ' || parent"
        + " FROM pragma_foreign_key_check LIMIT 10")
    guard orphans.isEmpty else { throw failed("foreign_key_check", orphans) }
  }

  private func failed(_ check: String, _ findings: [String]) -> StoreMigrationError {
    StoreMigrationError(
      .checkFailed, path,
      "\(check) of the migrated copy found: \(findings.joined(separator: "; ")). The store is as before.")
  }
}
