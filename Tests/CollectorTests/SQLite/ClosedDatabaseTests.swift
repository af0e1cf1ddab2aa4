import Collector
import ExhibitCSQLite
import Foundation
import Testing

/// Files that no connection of this process has open: nothing is created beside them, nothing repaired.
@Suite struct ClosedDatabaseTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder
  let path: String
  var source: DatabaseSource { .file(DatabaseFile(path: path)) }

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
    path = try folder.makeFolder("store % ?#ü") + "/app data.db"
  }

  private func captureUntouched() throws -> DatabaseCapture {
    let before = try DatabaseFiles(path)
    let capture = try evidence.captureOne(source)
    #expect(try DatabaseFiles(path) == before)
    return capture
  }

  private func failUntouched(limits: CaptureLimits = CaptureLimits()) throws -> CaptureError {
    let before = try? DatabaseFiles(path)
    let error = try evidence.captureFailing(source, limits: limits)
    #expect(try before == nil || DatabaseFiles(path) == before)
    return error
  }

  @Test func inRollbackMode() throws {
    try TestConnection(path, "CREATE TABLE t(x); INSERT INTO t VALUES(7)").close()
    #expect(try captureUntouched().method == .readTransaction)
    #expect(try evidence.read("SELECT x FROM t") == "7")
  }

  @Test(arguments: [false, true])
  func inWALModeWithoutWAL(hasEmptyFile: Bool) throws {
    try TestConnection(path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)").close()
    if hasEmptyFile { try Data().write(to: URL(fileURLWithPath: path + "-wal")) }
    #expect(try captureUntouched().method == .immutable)
    #expect(try evidence.read("SELECT x FROM t") == "7")
    #expect(try evidence.read("PRAGMA journal_mode") == "delete")
  }

  @Test func withTheWALOfADeadProcess() throws {
    try crash(
      path,
      "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7); BEGIN; INSERT INTO t VALUES(8)")
    let capture = try captureUntouched()
    #expect(capture.method == .raw)
    #expect(capture.wal == .committed)
    #expect(capture.walBytes == bytes(of: path + "-wal")?.count)
    #expect(try evidence.read("SELECT sum(x) FROM t") == "7")
  }

  @Test func withAWALThatHoldsNothingValid() throws {
    try TestConnection(path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7)").close()
    try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(try captureUntouched().wal == .torn)
    #expect(try evidence.read("SELECT x FROM t") == "7")
  }

  @Test func whileAnotherProcessUsesIt() throws {
    let other = try OtherProcess(path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(7);")
    defer { other.end() }
    #expect(try captureUntouched().method == .raw)
    #expect(try evidence.read("SELECT x FROM t") == "7")
  }

  @Test func whileAnotherProcessKeepsItLocked() throws {
    let other = try OtherProcess(path, "CREATE TABLE t(x); BEGIN EXCLUSIVE; INSERT INTO t VALUES(7);")
    defer { other.end() }
    #expect(try failUntouched(limits: CaptureLimits(wait: .milliseconds(100))).reason == .busy)
  }

  @Test func anEmptyFile() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    _ = try captureUntouched()
    #expect(try evidence.read("SELECT count(*) FROM sqlite_master") == "0")
  }

  @Test func nothingThere() throws {
    #expect(try evidence.captureFailing(source).reason == .missing)
  }

  @Test func aFolder() throws {
    #expect(try evidence.captureFailing(.file(DatabaseFile(path: folder.path))).reason == .notADatabase)
  }

  @Test func aFIFOIsNotWaitedFor() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try evidence.captureFailing(source).reason == .notADatabase)
  }

  @Test func aFileThatOnlyAnUnknownDescriptorHolds() throws {
    try TestConnection(path, "CREATE TABLE t(x)").close()
    let unknown = try #require(FileHandle(forReadingAtPath: path))
    #expect(try failUntouched().reason == .foreignHandle)
    try unknown.close()
    #expect(try captureUntouched().method == .readTransaction)
  }

  @Test func aDatabaseAboveTheLimitIsNamedWithItsSize() throws {
    try crash(path, "PRAGMA journal_mode=WAL; CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(100000))")
    let error = try failUntouched(limits: CaptureLimits(databaseBytes: 50_000))
    #expect(error.reason == .overBudget)
    #expect(error.bytes == (fileSize(path) ?? 0) + (fileSize(path + "-wal") ?? 0))
  }
}
