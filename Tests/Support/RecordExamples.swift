package import Collector
import ExhibitSystem

/// What records say, for tests of all kinds there are.
package enum RecordExamples {
  package static let database = DatabaseCapture(
    method: .readTransaction, view: .uncommitted, wal: .foreign, walSigns: ["s"],
    walFrames: WALFrames(committed: 1),
    databaseBytes: 1, walBytes: 1,
    history: "evidence/a/shop.history", baseline: "evidence/a/shop.baseline.sqlite", note: "n")

  package static let archive = DirectoryArchive(
    entries: 1, skipped: [DirectoryArchive.Skipped(path: "pipe", reason: "It is a pipe.")])

  package static let evidence = CapturedEvidence(
    kind: .database, name: "a", path: "a", bytes: 1, source: "/a", database: database, archive: archive)

  /// One record of each kind, with a value for every key.
  package static let all: [any LogPayload] = [
    ProcessHeader(pid: 1, startTicks: 2, executable: "shop", boot: "b", frameworks: [.xctest]),
    TestStart(framework: .swiftTesting, displayName: "a", file: "/a.swift", line: 1, number: 1),
    FunctionStart(displayName: "a", file: "/a.swift", line: 1),
    RecordedIssue(message: "a", file: "/a.swift", line: 1),
    DatabaseOpening(connection: 1, path: "/shop.sqlite", file: FileIdentity(device: 1, inode: 2)),
    DatabaseAttaching(connection: 1, path: "/shop.sqlite", file: FileIdentity(device: 1, inode: 2)),
    DatabaseUse(connection: 1),
    DatabaseClosing(connection: 1),
    ExcludedTables(["person"]),
    TraceInMemory(reason: .io, message: "a"),
    PassesLeftOut(tests: 1, reason: .io, message: "a"),
    UsedFixture(folder: "/a", file: "a-1.sqlite", version: "1", listed: ["a-1.sqlite"], sameAs: "b"),
    evidence,
    CaptureFailure(
      kind: .file, name: "a", source: "/a", reason: .busy, message: "a", bytes: 1,
      files: [LeftFile(path: "/a", file: FileIdentity(device: 1, inode: 2), changed: 1)]),
    TestEnd(outcome: .passed, duration: 1),
    FunctionEnd(),
    ProcessEnd(tests: 1, failed: 0),
  ]
}

extension LogKinds {
  /// Every kind of record that Exhibit writes.
  package static let all = LogKinds(RecordExamples.all.map { type(of: $0) })
}
