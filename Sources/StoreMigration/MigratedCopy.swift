/// The copy after its migration.
struct MigratedCopy {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Checks the copy and turns it into a WAL database of one file.
  ///
  /// - Parameter pageSize: The store's, which a database in WAL mode cannot change.
  func finish(pageSize: Int, checksForeignKeys: Bool) throws(StoreMigrationError) {
    do throws(StoreMigrationError) {
      let connection = try Connection(path)
      try settle(connection)
      if try connection.integer("PRAGMA page_size") != pageSize {
        try connection.execute("PRAGMA page_size = \(pageSize); VACUUM")
      }
      try check(connection, checksForeignKeys: checksForeignKeys)
      try connection.execute("PRAGMA journal_mode = WAL")
    } catch {
      throw error.isBusy ? inUse : error.isDamage ? failed("SQLite", [error.message]) : error
    }
    // Closing the last connection has removed them.
    for suffix in ["-wal", "-shm", "-journal"] where try Files.exists(path + suffix) { throw inUse }
  }

  private var inUse: StoreMigrationError {
    StoreMigrationError(
      .copyInUse, path,
      "The migration returned while a connection to its copy was open; close it in the closure.")
  }

  /// Back to rollback mode, whatever the migration did, with everybody gone.
  private func settle(_ connection: Connection) throws(StoreMigrationError) {
    guard try connection.rows("PRAGMA journal_mode = DELETE").first == "delete" else { throw inUse }
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
    if Files.isOpenTwice(path) { throw inUse }
  }

  private func check(_ connection: Connection, checksForeignKeys: Bool) throws(StoreMigrationError) {
    let damage = try connection.rows("PRAGMA integrity_check(10)")
    guard damage == ["ok"] else { throw failed("integrity_check", damage) }
    guard checksForeignKeys else { return }
    let orphans = try connection.rows(
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
