import Collector
import Foundation
import Testing

/// A rollback journal goes with its transaction at any moment: a capture that finds it gone looks again.
@Suite(.enabled(if: FaultLibrary.path != nil, "clang builds the library that removes the file"))
struct VanishingJournalTests {
  let folder: TemporaryFolder
  let evidence: EvidenceFolder

  init() throws {
    folder = try TemporaryFolder()
    evidence = try EvidenceFolder(in: folder)
  }

  @Test(arguments: ["open", "read", "stat"]) func beforeEachCall(kind: String) throws {
    let path = folder("bank.db")
    try TestConnection(path, "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(20000))").close()
    try crash(path, "PRAGMA cache_size=1;BEGIN;INSERT INTO t VALUES(zeroblob(40000));UPDATE t SET x=7")
    for name in ["bank.db", "bank.db-journal"] {
      try FileManager.default.copyItem(atPath: folder(name), toPath: folder("left-" + name))
    }
    let process = try CaptureProcess(
      path, into: evidence.path, preloading: FaultLibrary.path,
      change: ["FAULT_CHANGE": "vanishes", "FAULT_PATH": path + "-journal"])
    let calls = try process.archive("all", changingBefore: kind, 0).calls
    #expect(calls > 3)
    for number in 1...max(calls, 1) {
      for name in ["bank.db", "bank.db-journal"] {
        try? FileManager.default.removeItem(atPath: folder(name))  // it may be gone
        try FileManager.default.copyItem(atPath: folder("left-" + name), toPath: folder(name))
      }
      let answer = try process.archive("at-\(number)", changingBefore: kind, number)
      // Without its journal the database is what the writer made of it so far: damaged or not, there is a copy.
      #expect(
        answer.failures.filter { $0 != "notADatabase" } == [] && answer.files.count > 0,
        "\(kind) \(number) of \(calls): \(answer)")
      #expect(answer.descriptors == 0)
    }
    #expect(try process.end() == 0)
  }
}
