import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// Databases of every shape, captured with half of their rows in the WAL.
@Suite struct DatabaseShapesTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  private static let shapes = [
    "CREATE VIRTUAL TABLE t USING fts5(x)",
    "CREATE TABLE t(x TEXT) STRICT",
    "CREATE TABLE t(x TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE t(x TEXT, n INT GENERATED ALWAYS AS (length(x)) STORED, v AS (x || '!')); CREATE INDEX i ON t(v)",
    "PRAGMA auto_vacuum=FULL; CREATE TABLE t(x TEXT); CREATE TABLE gone AS SELECT zeroblob(90000); DROP TABLE gone",
    "PRAGMA auto_vacuum=INCREMENTAL; CREATE TABLE t(x TEXT); CREATE INDEX i ON t(x) WHERE x > 'm'",
    "PRAGMA encoding='UTF-16be'; CREATE TABLE t(x TEXT COLLATE NOCASE UNIQUE); CREATE VIEW v AS SELECT * FROM t",
  ]

  @Test(arguments: shapes, ["DELETE", "WAL"]) func aDatabase(like shape: String, mode: String) throws {
    let rows =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
      + " INSERT INTO t(x) SELECT 'Zürich ' || "
    // What auto_vacuum and encoding are is settled when the database is made.
    let live = try TestConnection(folder("app.db"), "\(shape); PRAGMA journal_mode=\(mode)")
    try live.execute("\(rows) i FROM n; PRAGMA wal_checkpoint; PRAGMA wal_autocheckpoint=0")
    try live.execute("\(rows) -i FROM n; DELETE FROM t WHERE x LIKE '%7'")
    let before = try DatabaseFiles(live.path)
    let capture = try evidence.captureOne(live.source)
    #expect(capture.wal == (mode == "WAL" ? .committed : .absent))
    #expect(try DatabaseFiles(live.path) == before)
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
    let dump = { (path: String) in try run("sqlite3", "-readonly", path, ".dump").output }
    let original = try dump(live.path)
    #expect(original.contains("Zürich -300"))
    #expect(try dump(evidence("library.sqlite")) == original)
  }

  /// SQLite never uses the page with the byte at 0x40000000, on which it locks: once it lies in the database, once the
  /// WAL lets the database grow beyond it.
  @Test(
    .enabled(
      if: LongTests.areAsked, "EXHIBIT_LONG_TESTS=1"),
    arguments: [(pageSize: 65536, rows: 35), (4096, 33)])
  func aDatabaseOfMoreThanAGibibyte(_ database: (pageSize: Int, rows: Int)) throws {
    let live = try TestConnection(
      folder("large.db"),
      """
      PRAGMA page_size=\(database.pageSize); PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; CREATE TABLE t(x);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(database.rows))
      INSERT INTO t SELECT zeroblob(32000000) FROM n;
      PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint=0;
      INSERT INTO t SELECT zeroblob(40000000); UPDATE t SET x = randomblob(32000000) WHERE rowid = 33;
      """)
    #expect((fileSize(live.path) ?? 0 > 1 << 30) == (database.rows == 35))
    let result = evidence.capture(live.source, limits: CaptureLimits(databaseBytes: 8 << 30))
    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.capture.wal) == [.committed])
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
    let sum = database.rows * 32_000_000 + 40_000_000
    #expect(
      try evidence.read("SELECT count(*) || ' ' || sum(length(x)) FROM t") == "\(database.rows + 1) \(sum)")
    let end = "SELECT hex(substr(x, 31999000)) FROM t WHERE rowid = 33"
    let original = try run("sqlite3", "-readonly", live.path, end).output
    #expect(try evidence.read(end).map { $0 + "\n" } == original)
  }
}
