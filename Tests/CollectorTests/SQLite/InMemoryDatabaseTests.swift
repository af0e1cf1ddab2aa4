import Collector
import ExhibitSQLite
import Foundation
import Testing

/// Rule 2: databases without a file.
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
