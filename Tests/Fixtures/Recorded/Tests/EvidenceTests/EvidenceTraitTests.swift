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
    Issue.record("the secret stays at home")
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
