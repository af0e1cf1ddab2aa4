import Collector
import Foundation

@testable import ReportTestSupport

/// A run with one failed test, its database with a WAL and its state before, its story and its attachments, as a test
/// process leaves them, and the report on it by the built `reporter`.
struct WrittenRun {
  static let test = TestCaseID.store("testShip")
  private static let evidence = "artifacts/runs/r/evidence/t"

  let folder: TemporaryFolder
  private var log: WrittenLog
  /// The path of the database that is captured.
  var database: String { folder("live.sqlite") }

  init(message: String) throws {
    folder = try TemporaryFolder()
    try folder.write(
      "{\"format\":\"1.4\",\"run\":\"r\",\"start\":1,\"package\":\"\(folder.path)\"}",
      to: "artifacts/runs/r/run.json")
    _ = try folder.makeFolder("\(Self.evidence)/shop.history")
    log = try WrittenLog()
    try log.start(Self.test)
    try log.fail(Self.test, message)
  }

  /// Captures a database: as `before` leaves it, and as `changes` leave it with what they write in its WAL.
  mutating func database(before: String, changes: String) throws {
    let live = try TestConnection(database, "PRAGMA journal_mode = WAL; " + before)
    try live.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0")
    try copy("live.sqlite", "shop.baseline.sqlite")
    try live.execute(changes)
    for end in ["", "-wal"] { try copy("live.sqlite" + end, "shop.history/shop.sqlite" + end) }
    try live.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    live.close()
    try copy("live.sqlite", "shop.sqlite")
    var capture = DatabaseCapture(
      method: .readTransaction, wal: .committed, databaseBytes: 8192, walBytes: 4096,
      baseline: "evidence/t/shop.baseline.sqlite")
    capture.history = "evidence/t/shop.history"
    try add(capture)
  }

  /// Captures a database that statements made, without a WAL or a state before.
  mutating func database(_ sql: String) throws {
    try folder.database("live.sqlite", sql)
    try copy("live.sqlite", "shop.sqlite")
    try add(DatabaseCapture(method: .immutable, wal: .absent, databaseBytes: 8192, walBytes: 0))
  }

  private mutating func add(_ capture: DatabaseCapture) throws {
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .database, name: "shop.sqlite", path: "evidence/t/shop.sqlite", bytes: 8192,
        source: database, database: capture))
  }

  /// Captures what the test did to the database.
  mutating func story(_ write: (inout WrittenStory) throws -> Void) throws {
    var written = WrittenStory(path: database)
    try write(&written)
    written.issue(0)
    written.end()
    try folder.write(written.bytes, to: "\(Self.evidence)/story.jsonl")
    try log.add(
      Self.test,
      CapturedEvidence(
        kind: .story, name: "story.jsonl", path: "evidence/t/story.jsonl", bytes: written.bytes.count))
  }

  mutating func attach(_ text: String, as name: String) throws {
    try folder.write(text, to: "\(Self.evidence)/\(name)")
    try log.add(
      Self.test,
      CapturedEvidence(kind: .file, name: name, path: "evidence/t/\(name)", bytes: text.utf8.count))
  }

  /// Ends the test and its process.
  func write() throws {
    var whole = log
    try whole.finish(Self.test, .failed)
    try whole.end()
    try folder.write(whole.bytes, to: "artifacts/runs/r/logs/7-70.jsonl")
  }

  /// - Returns: The path of the report's folder.
  @discardableResult mutating func report(_ arguments: [String] = []) throws -> String {
    try write()
    let result = try ReporterProcess.run(
      ["report", "artifacts", "--output", "out", "--single-file"] + arguments, in: folder.path)
    guard result.status == 0 || result.status == 3 else { throw NotWritten(errors: result.errors) }
    return folder("out")
  }

  struct NotWritten: Error {
    var errors: String
  }

  private func copy(_ name: String, _ evidence: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder(name)))
    try folder.write(bytes, to: "\(Self.evidence)/\(evidence)")
  }
}
