import Collector
import ExhibitSystem
import Foundation
import TestSupport
import Testing

/// What a log's writer writes, its reader reads: every record, whatever text is in it.
@Suite struct LogLineTests {
  private static let test = TestCaseID(
    module: "M", suite: ["S", "`raw / suite`"], name: "name()",
    argument: .init(ordinal: 2, description: "\"a\", \u{1B}[31m\n\u{202E}"))

  private static let payloads: [any LogPayload] = [
    ProcessHeader(pid: 7, startTicks: .max, executable: "a\"b\\c"),
    TestStart(framework: .swiftTesting, displayName: "Ünïcode 🗄", file: "/a/b.swift", line: 3),
    TestStart(framework: .xctest),
    RecordedIssue(
      severity: .warning, known: true, message: "a\r\n\tb\u{0}c\u{7F}\u{2028}", file: "/f", line: 1),
    DatabaseOpening(connection: 1, path: "/tmp/x y.sqlite"),
    DatabaseOpening(connection: 1, path: "/a", file: FileIdentity(device: .max, inode: 1 << 60)),
    DatabaseOpening(connection: 2, path: nil),
    DatabaseAttaching(connection: 1, path: "/b", file: FileIdentity(device: 2, inode: 3)),
    DatabaseUse(connection: 7), DatabaseClosing(connection: 7),
    ExcludedTables(["a\"b", "ü"]),
    TraceInMemory(reason: .io, message: "\"ü\""),
    PassesLeftOut(tests: 3, reason: .overBudget, message: "\"ü\""),
    FunctionStart(displayName: "\"ü\"", file: "/a", line: 1), FunctionEnd(),
    UsedFixture(folder: "/f", file: "v1 \"ü\".sqlite", version: "v1", listed: ["v1", "v2"]),
    CapturedEvidence(
      kind: .database, name: "n", path: "evidence/t/n.sqlite", bytes: 1, source: "/s", keep: .always,
      duration: 0.25,
      database: DatabaseCapture(
        method: .readTransaction, view: .uncommitted, wal: .committed,
        walFrames: WALFrames(committed: 4, transactions: 2, uncommitted: 1, isBroken: true),
        databaseBytes: 2, walBytes: 3,
        history: "evidence/t/n.history", baseline: "evidence/t/n.baseline.sqlite", note: "a \"note\"")),
    CapturedEvidence(
      kind: .database, name: "n", path: "evidence/t/n.with-wal.sqlite", bytes: 1,
      database: DatabaseCapture(
        method: .immutable, view: .withForeignWAL, wal: .foreign, walSigns: ["a, \"b\"", "c"],
        databaseBytes: 2)),
    CapturedEvidence(
      kind: .directory, name: "d", path: "evidence/t/d.zip", bytes: 1, duration: 1e-7,
      archive: DirectoryArchive(
        entries: 2, skipped: [.init(path: "p", reason: "r"), .init(path: "q", reason: "s")])),
    CaptureFailure(kind: .text, name: "t", source: "/s", reason: .overBudget, message: "m", bytes: 9),
    CaptureFailure(kind: .file, name: "t", reason: .io, message: ""),
    TestEnd(outcome: .skipped, duration: 12.5),
    TestEnd(outcome: .skipped, duration: nil),
    ProcessEnd(tests: 3, failed: 1),
  ]

  @Test(arguments: payloads.indices) func aRecordComesBackAsItWas(index: Int) throws {
    for test in [Self.test, nil] {
      let record = LogRecord(time: 1_795_233_556.931234, test: test, Self.payloads[index])
      let line = LogLine.encode(record)
      #expect(line.last == UInt8(ascii: "\n"))
      #expect(line.dropLast().allSatisfy { $0 >= 0x20 }, "one line, whatever is in it")
      #expect(try JSONDecoder().decode(LogRecord.self, from: Data(line), configuration: .all) == record)
    }
  }

  @Test func everyKindIsWritten() {
    #expect(Set(Self.payloads.map { type(of: $0).kind }) == Set(RecordExamples.all.map { type(of: $0).kind }))
  }

  @Test func durationsThatAreNoNumbersAreNotWrittenAsSuch() {
    let record = LogRecord(time: 1, TestEnd(outcome: .passed, duration: .nan))
    #expect(!String(decoding: LogLine.encode(record), as: UTF8.self).contains("nan"))
  }
}
