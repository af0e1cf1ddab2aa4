import GRDBSQLite

/// What the tests of hooks run on their connection.
extension OpaquePointer {
  func fill() {
    run(
      """
      INSERT OR IGNORE INTO t VALUES(1, 2), (2, 4), (3, 6), (4, 8), (5, 10);
      INSERT INTO p VALUES(1), (2), (3);
      INSERT OR IGNORE INTO u VALUES('a', 1), ('b', NULL);
      INSERT INTO v VALUES(1, 1, x'0102'), (2, 'two', zeroblob(4)), (NULL, 2.5, NULL)
      """)
  }

  /// Every way in which a row changes.
  func changeEverything() {
    run("INSERT INTO t(y) VALUES('new')")
    run("UPDATE t SET y = x WHERE x < 4")
    run("REPLACE INTO t VALUES(3, 'replaced')")
    run("INSERT INTO t VALUES(4, 1) ON CONFLICT(x) DO UPDATE SET y = 'upserted'")
    run("UPDATE t SET x = x + 10 WHERE x = 5")
    run("BEGIN; DELETE FROM t WHERE x = 2; SAVEPOINT s; DELETE FROM u; ROLLBACK TO s; RELEASE s; COMMIT")
    run("INSERT INTO t(x, y) VALUES(50, 1), (1, 2)")
    run("UPDATE OR IGNORE t SET x = 1 WHERE x = 3")
    run("DELETE FROM v")
    run("DELETE FROM p")
    run("DELETE FROM u")
    run("BEGIN; INSERT INTO t(y) VALUES(1); ROLLBACK")
  }

  func writeBlob() {
    var blob: OpaquePointer?
    var bytes: [UInt8] = [9, 8]
    let opened = sqlite3_blob_open(self, "main", "v", "z", 2, 1, &blob)
    let written = sqlite3_blob_write(blob, &bytes, 2, 0)
    Transcript.shared.note("blob \(opened) \(written) \(sqlite3_blob_close(blob))")
  }
}
