import Attach
import Foundation
import GRDB
import Testing

private let sharedFolder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "evidence-shared-\(getpid())")

@Suite(
  .attachOnFailure(
    .directory(at: sharedFolder, named: "Shared"), excludingTables: ["secret"], excludingFiles: ["*.key"]))
struct EvidenceTraitTests {
  /// Made once, whole before any test can fail.
  private static let store = Result { try makeStore(at: sharedFolder) }

  init() throws { try Self.store.get() }

  @Test func exclusions() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE secret(word TEXT); INSERT INTO secret VALUES ('XYZZY-PLUGH');
          CREATE TABLE player(name TEXT); INSERT INTO player VALUES ('Ada');
          """)
    }
    let left = FileManager.default.temporaryDirectory.appendingPathComponent("evidence-left-\(getpid())")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: left) }
    try Self.leaveWAL(in: left)
    attach(.file(at: left.appendingPathComponent("gone.db-wal")))
    attach(.directory(at: left, named: "Left"))
    Issue.record("the secret stays at home")
  }

  /// What a database leaves behind that is moved away while it is open.
  private static func leaveWAL(in folder: URL) throws {
    let path = folder.path + "/gone.db"
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL; CREATE TABLE secret(word TEXT);
          INSERT INTO secret VALUES ('XYZZY-PLUGH');
          """)
    }
    let wal = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    try queue.close()
    try FileManager.default.removeItem(atPath: path)
    try wal.write(to: URL(fileURLWithPath: path + "-wal"))
  }

  @Test func byURL() throws {
    let path = sharedFolder.appendingPathComponent("closed.sqlite")
    try DatabaseQueue(path: path.path).close()
    attachOnFailure(.database(at: path, named: "Closed"))
    attach(.text("{}", named: "response.json"))
    Issue.record("a closed database")
  }

  @Test func dropped() {
    attach(.text("dropped", named: "dropped.txt"))
    withKnownIssue { Issue.record("known") }
  }

  @Test(.timeLimit(.minutes(1))) func passesInTime() {}
}

/// Where Swift Testing's entry point is the toolchain's, nothing is recorded of it, so there is nothing to attach to.
@Suite struct OutsideTests {
  @Test func attachesOutsideARecordedTest() {
    attach(.text("lost", named: "lost.txt"))
    attachOnFailure(.text("lost too", named: "lost too.txt"))
  }
}
