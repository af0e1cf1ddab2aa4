import Collector
import Foundation
import Testing

/// Rule 1: a file database that the process has open.
@Suite struct OpenDatabaseTests {
  let folder: TemporaryFolder
  let evidence: String

  init() throws {
    folder = try TemporaryFolder()
    evidence = try folder.makeFolder("evidence")
  }

  func capture(_ source: DatabaseSource, limits: CaptureLimits = CaptureLimits()) -> DatabaseCaptureResult {
    DatabaseCapturer(limits: limits).capture(source, named: "library", into: evidence)
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "WAL"])
  func committedRowsAreCapturedAndTheOriginalStaysAsItIs(mode: String) throws {
    let path = folder("app.db")
    let live = try TestConnection(
      path, "PRAGMA journal_mode=\(mode); CREATE TABLE t(x); INSERT INTO t VALUES(1),(2)")
    let before = (bytes(of: path), bytes(of: path + "-wal"), try folder.names)

    let result = capture(live.source)

    #expect(result.failures.isEmpty)
    let file = try #require(result.files.first)
    #expect(result.files.count == 1)
    #expect(file.capture.method == .readTransaction)
    #expect(file.capture.wal == (mode == "WAL" ? .committed : .absent))
    #expect(!file.capture.uncommitted)
    #expect(try read("\(evidence)/library.sqlite", "SELECT sum(x) FROM t") == "3")
    #expect(try read("\(evidence)/library.sqlite", "PRAGMA journal_mode") == "delete")
    #expect(bytes(of: path) == before.0)
    #expect(bytes(of: path + "-wal") == before.1)
    #expect(try folder.names == before.2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: evidence) == ["library.sqlite"])
  }
}
