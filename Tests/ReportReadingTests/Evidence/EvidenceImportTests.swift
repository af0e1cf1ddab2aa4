import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

@Suite struct EvidenceImportTests {
  private let run: TemporaryFolder
  private let report: TemporaryFolder

  init() throws {
    run = try TemporaryFolder()
    report = try TemporaryFolder()
  }

  /// Brings one piece of evidence of a failed test.
  private func bring(
    _ path: String, kind: EvidenceKind = .file, outcome: Outcome = .failed, mayBeDropped: Bool = false,
    history: String? = nil, baseline: String? = nil
  ) throws -> (evidence: [TestEvidence], remarks: Remarks) {
    let evidence = ObservedEvidence(
      kind: kind, name: "evidence", content: .file(ContainedPath(folder: run.path, path: path)),
      mayBeDropped: mayBeDropped,
      details: (history ?? baseline).map { _ in
        .database(
          DatabaseCapture(method: .readTransaction, databaseBytes: 1, history: history, baseline: baseline))
      })
    let observation = Observation(id: .store("test"), outcome: outcome, observed: [evidence])
    let test = TestRecord(
      .store("test"), joining: [observation], .init(outcome: observation.outcome, isContradictory: false))
    var evidenceImport = EvidenceImport(report: report.path, root: SourceRoot(path: "/package"))
    var remarks = Remarks()
    return (try evidenceImport.bring(test, &remarks), remarks)
  }

  @Test func evidenceKeepsItsPlaceInTheRun() throws {
    try run.write("text", to: "evidence/M.Store.test/notes.txt")
    let (evidence, remarks) = try bring("evidence/M.Store.test/notes.txt")
    #expect(evidence.map(\.path) == ["evidence/M.Store.test/notes.txt"])
    #expect(evidence.map(\.bytes) == [4])
    #expect(evidence.map(\.kind) == [.text])
    #expect(remarks == Remarks())
    #expect(try report.read("evidence/M.Store.test/notes.txt") == "text")
  }

  @Test func aDatabaseThatWasAttachedIsReadWithItsWAL() throws {
    _ = try run.makeFolder("b")
    try crash(
      try run.database(
        "b/store.sqlite", "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1);"),
      "INSERT INTO t VALUES (2)")
    let before = try run.files.map { try Data(contentsOf: URL(fileURLWithPath: run($0))) }
    let (evidence, remarks) = try bring("b/store.sqlite")
    #expect(evidence.map(\.kind) == [.database] && remarks == Remarks())
    let path = try #require(evidence.first?.path)
    #expect(report.files == [path] && path.hasSuffix("store.sqlite"))
    #expect(try TestConnection(report(path)).text("SELECT group_concat(a) FROM t") == "1,2")
    #expect(evidence.first?.bytes == 8192)
    #expect(try run.files.map { try Data(contentsOf: URL(fileURLWithPath: run($0))) } == before)
  }

  @Test func aWALThatCannotBeReadWithItsDatabaseIsNamed() throws {
    let magic = Array("SQLite format 3\0".utf8)
    try run.write(magic + [UInt8](repeating: 0, count: 4080), to: "b/store.sqlite")
    try run.write([UInt8](repeating: 7, count: 5000), to: "b/store.sqlite-wal")
    let (evidence, remarks) = try bring("b/store.sqlite")
    #expect(evidence.first?.kind == .database && evidence.first?.bytes == 4096)
    #expect(remarks.faultKinds == ["evidenceUnreadable"], "\(remarks)")
    let message = try #require(remarks.faults.first?.message)
    #expect(
      message.contains("evidence is shown without evidence-wal, which cannot be read with it: "), "\(message)"
    )
    #expect(report.files == evidence.compactMap(\.path))
  }

  @Test func evidenceIsLinkedWhereThatIsPossible() throws {
    let original = try run.write("text", to: "evidence/t/a.txt")
    _ = try bring("evidence/t/a.txt")
    let numbers = try [original, report.path + "/evidence/t/a.txt"].map {
      try FileManager.default.attributesOfItem(atPath: $0)[.systemFileNumber] as? Int
    }
    #expect(numbers[0] == numbers[1])
  }

  @Test func anAttachmentIsPlacedUnderItsTestWithASafeName() throws {
    try run.write("text", to: "a\nb<script>.txt")
    let path = try #require(try bring("a\nb<script>.txt").evidence.first?.path)
    #expect(path.hasPrefix("evidence/M.Store.test/a-b-script--"))
    #expect(path.hasSuffix(".txt"))
    #expect(report.files == [path])
  }

  @Test(arguments: [
    "../outside.txt", "a/../../outside.txt", "/etc/hostname", "", ".", "evidence//x", "folder",
  ])
  func aPathThatLeavesItsFolderIsNotFollowed(path: String) throws {
    try run.write("text", to: "folder/file.txt")
    let (evidence, remarks) = try bring(path)
    #expect(remarks.faultKinds == ["evidenceOutside"])
    #expect(evidence.map(\.path) == [nil])
    #expect(evidence.first?.failure != nil)
    #expect(report.files.isEmpty)
  }

  @Test func linksAreNotFollowed() throws {
    let secret = try report.write("secret", to: "secret.txt")
    try FileManager.default.createSymbolicLink(atPath: run.path + "/link.txt", withDestinationPath: secret)
    try FileManager.default.createSymbolicLink(atPath: run.path + "/folder", withDestinationPath: report.path)
    #expect(try bring("link.txt").remarks.faultKinds == ["evidenceOutside"])
    #expect(try bring("folder/secret.txt").remarks.faultKinds == ["evidenceOutside"])
    #expect(report.files == ["secret.txt"])
  }

  @Test func aFIFOIsNotWaitedFor() throws {
    #expect(mkfifo(run.path + "/pipe", 0o600) == 0)
    #expect(try bring("pipe").remarks.faultKinds == ["evidenceOutside"])
  }

  @Test func aMissingFileIsAFault() throws {
    let (evidence, remarks) = try bring("evidence/t/gone.sqlite")
    #expect(remarks.faultKinds == ["evidenceMissing"])
    #expect(evidence.map(\.failure) == ["Its file is missing."])
  }

  @Test func whatAPassedTestDroppedIsNotMissing() throws {
    let (evidence, remarks) = try bring("evidence/t/gone.sqlite", outcome: .passed, mayBeDropped: true)
    #expect(evidence.isEmpty)
    #expect(remarks == Remarks())
  }

  @Test func whatWasDroppedBeforeATimeLimitIsSaid() throws {
    let (evidence, remarks) = try bring("evidence/t/gone.sqlite", outcome: .failed, mayBeDropped: true)
    #expect(evidence.first?.failure?.contains("dropped") == true)
    #expect(remarks == Remarks())
  }

  @Test func theHistoryOfADatabaseComesWithIt() throws {
    try run.write("SQLite format 3\0", to: "evidence/t/store.sqlite")
    try run.write("raw", to: "evidence/t/store.history/store.sqlite")
    try run.write("wal", to: "evidence/t/store.history/store.sqlite-wal")
    let (evidence, remarks) = try bring(
      "evidence/t/store.sqlite", kind: .database, history: "evidence/t/store.history")
    #expect(remarks == Remarks())
    #expect(evidence.first?.details.database?.history == "evidence/t/store.history")
    #expect(try report.read("evidence/t/store.history/store.sqlite-wal") == "wal")
  }

  @Test func theStateATestStartedFromComesWithItsDatabase() throws {
    try run.write("SQLite format 3\0", to: "evidence/t/store.sqlite")
    try run.write("SQLite format 3\0before", to: "evidence/t/store.baseline.sqlite")
    let (evidence, remarks) = try bring(
      "evidence/t/store.sqlite", kind: .database, baseline: "evidence/t/store.baseline.sqlite")
    #expect(remarks == Remarks())
    #expect(evidence.first?.details.database?.baseline == "evidence/t/store.baseline.sqlite")
    #expect(try report.read("evidence/t/store.baseline.sqlite") == "SQLite format 3\0before")
  }

  @Test(arguments: ["evidence/t/gone.sqlite", "../outside.sqlite"])
  func aStateThatCannotBeReadIsAFault(baseline: String) throws {
    try run.write("SQLite format 3\0", to: "evidence/t/store.sqlite")
    let (evidence, remarks) = try bring("evidence/t/store.sqlite", kind: .database, baseline: baseline)
    #expect(remarks.faultKinds == ["evidenceMissing"])
    #expect(evidence.first?.details.database?.baseline == nil)
  }

  @Test func whatIsNoDatabaseIsNotShownAsOne() throws {
    try run.write("text", to: "evidence/t/store.sqlite")
    let (evidence, remarks) = try bring("evidence/t/store.sqlite", kind: .database)
    #expect(evidence.map(\.kind) == [.text])
    #expect(remarks.faultKinds == ["evidenceUnreadable"])
  }

  @Test func anAttachedDatabaseIsRecognised() throws {
    try run.write(Data("SQLite format 3\0".utf8) + Data(count: 84), to: "a.bin")
    #expect(try bring("a.bin").evidence.map(\.kind) == [.database])
  }

  @Test func twoFilesOfOneNameKeepTwoNames() throws {
    var names = EvidenceNames()
    let paths = ["x/store.sqlite", "y/store.sqlite"].map {
      names.name(for: ContainedPath(folder: "/", path: $0), of: .store("test"))
    }
    #expect(paths == ["evidence/M.Store.test/store.sqlite", "evidence/M.Store.test/store-2.sqlite"])
  }
}
