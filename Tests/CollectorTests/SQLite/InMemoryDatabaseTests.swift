import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// Rule 2 of docs/architecture.md: databases without a file.
@Suite struct InMemoryDatabaseTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  @Test(arguments: [":memory:", "", "file:notes?mode=memory&cache=shared", "file:/notes?vfs=memdb"])
  func committedRows(name: String) throws {
    let live = try TestConnection(
      name, flags: SQLITE_OPEN_URI, "CREATE TABLE IF NOT EXISTS t(x); INSERT INTO t VALUES(7)")
    let capture = try evidence.captureOne(.inMemory(live.lent()))
    #expect(capture.method == .serialize)
    #expect(!capture.uncommitted)
    #expect(capture.wal == .absent)
    #expect(try evidence.read("SELECT x FROM t") == "7")
    #expect(try evidence.read("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [":memory:", ""])
  func rowsOfAnOpenTransaction(name: String) throws {
    let live = try TestConnection(name, "CREATE TABLE t(x); BEGIN; INSERT INTO t VALUES(7)")
    let capture = try evidence.captureOne(.inMemory(live.lent()))
    #expect(capture.uncommitted)
    #expect(try evidence.read("SELECT x FROM t") == "7")
    try live.execute("ROLLBACK")
  }

  @Test func uncommittedRowsOfAnotherConnectionToSharedMemory() throws {
    let uri = "file:\(UUID().uuidString)?mode=memory&cache=shared"
    let live = try TestConnection(uri, flags: SQLITE_OPEN_URI, "CREATE TABLE t(x)")
    let other = try TestConnection(uri, flags: SQLITE_OPEN_URI, "BEGIN; INSERT INTO t VALUES(7)")
    _ = try evidence.captureOne(.inMemory(live.lent()))
    #expect(try evidence.read("SELECT x FROM t") == "7")
    try other.execute("ROLLBACK")
  }

  @Test func memoryThatAnotherConnectionWritesIsRefusedWithAReason() throws {
    let uri = "file:/\(UUID().uuidString)?vfs=memdb"
    let live = try TestConnection(uri, flags: SQLITE_OPEN_URI, "CREATE TABLE t(x)")
    let other = try TestConnection(uri, flags: SQLITE_OPEN_URI, "BEGIN; INSERT INTO t VALUES(7)")
    let error = try evidence.captureFailing(.inMemory(live.lent()))
    #expect(error.reason == .busy)
    try other.execute("ROLLBACK")
  }

  /// The connection gives its file as it lies in memory, without the pages it has changed.
  @Test(arguments: ["memdb", "deserialized"])
  func memoryOfOneConnectionHasItsCommittedRowsInsideATransaction(origin: String) throws {
    let live = try memory(of: origin)
    try live.execute("CREATE TABLE t(x); INSERT INTO t VALUES(7); BEGIN; INSERT INTO t VALUES(8)")
    let capture = try evidence.captureOne(.inMemory(live.lent()))
    #expect(!capture.uncommitted)
    #expect(capture.note?.contains("open transaction are not in it") == true)
    #expect(try evidence.read("SELECT group_concat(x) FROM t") == "7")
    try live.execute("COMMIT")
    #expect(try live.integer("SELECT count(*) FROM t") == 2)
  }

  /// Part of the transaction is in the file already.
  @Test(arguments: ["memdb", "deserialized"])
  func memoryOfOneConnectionInTheMiddleOfALargeTransactionIsRefused(origin: String) throws {
    let live = try memory(of: origin)
    try live.execute(
      """
      PRAGMA cache_size=2; CREATE TABLE t(x); BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT zeroblob(900) FROM n
      """)
    let error = try evidence.captureFailing(.inMemory(live.lent()))
    #expect(error.reason == .busy)
    #expect(error.message.contains("neither"))
    try live.execute("ROLLBACK")
  }

  private func memory(of origin: String) throws -> TestConnection {
    if origin == "memdb" {
      return try TestConnection("file:\(UUID().uuidString)?vfs=memdb", flags: SQLITE_OPEN_URI)
    }
    let live = try TestConnection(":memory:", "CREATE TABLE first(x)")
    var size: sqlite3_int64 = 0
    let image = try #require(sqlite3_serialize(live.pointer, "main", &size, 0))
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
    #expect(sqlite3_deserialize(live.pointer, "main", image, size, size, flags) == SQLITE_OK)
    return live
  }

  @Test func anEmptyDatabaseStaysUntouched() throws {
    let live = try TestConnection(":memory:")
    _ = try evidence.captureOne(.inMemory(live.lent()))
    #expect(try evidence.read("SELECT count(*) FROM sqlite_master") == "0")
    #expect(try live.integer("PRAGMA page_count") == 0)
  }

  @Test func aDatabaseAttachedInMemory() throws {
    let live = try TestConnection(
      folder("app.db"), "ATTACH ':memory:' AS scratch; CREATE TABLE scratch.t(x); INSERT INTO t VALUES(7)")
    _ = try evidence.captureOne(.inMemory(live.lent(schema: "scratch")))
    #expect(try evidence.read("SELECT x FROM t") == "7")
  }

  @Test func aClosedConnectionIsNamed() throws {
    let live = try TestConnection(":memory:", "CREATE TABLE t(x)")
    live.close()
    #expect(try evidence.captureFailing(.inMemory(live.lent())).reason == .closed)
  }

  @Test func aDatabaseAboveTheLimitIsNamedWithItsSize() throws {
    let live = try TestConnection(":memory:", "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(100000))")
    let error = try evidence.captureFailing(
      .inMemory(live.lent()), limits: CaptureLimits(serializedBytes: 50_000))
    #expect(error.reason == .overBudget)
    #expect(try error.bytes == (live.integer("PRAGMA page_count") ?? 0) * 4096)
  }

  @Test func anotherThreadMayBeInTheMiddleOfAQuery() async throws {
    let live = try TestConnection(":memory:", "CREATE TABLE t(x); INSERT INTO t VALUES(7)")
    let query = Thread {
      _ = try? live.integer(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT sum(i) FROM n"
      )
    }
    query.start()
    _ = try evidence.captureOne(.inMemory(live.lent()))
    #expect(try evidence.read("SELECT x FROM t") == "7")
  }
}
